# translator: see HACKING.md
# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libtranslator.a
libtranslator_a_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(CAPSTONE_CFLAGS)
libtranslator_a_SOURCES = \
	translator/ambient.c translator/ambient.h translator/builtins.c translator/builtins.def \
	translator/callee.c translator/callee.h translator/confirm.c translator/confirm.h translator/dump.c \
	translator/program.c translator/program.h \
	translator/fetch.c translator/fetch.h translator/record.c translator/record.h translator/debuginfo/tracefs.c translator/debuginfo/tracefs.h \
	translator/unread.c translator/unread.h translator/uses.c translator/uses.h translator/watch.c translator/watch.h \
	translator/user_variable.c translator/user_variable.h \
	translator/privilege.c translator/privilege.h translator/keep.c translator/keep.h translator/variable.c translator/variable.h translator/argument.c translator/spot.c translator/located.c translator/pretty.c \
	translator/take.c translator/take.h \
	translator/passes/alias.c translator/passes/capture.c \
	translator/passes/check.c translator/passes/context.c translator/passes/refuse.c \
	translator/passes/display.c translator/passes/display.h \
	translator/passes/fold.c translator/passes/locks.c translator/passes/nmi.c \
	translator/passes/declare.c translator/passes/late.h translator/passes/names.c translator/passes/names.h \
	translator/passes/trim.c \
	translator/passes/thread.c translator/passes/types.c translator/passes/words.c \
	translator/passes/emit.c translator/passes/entry.c \
	translator/emit/assign.c translator/emit/call.c translator/emit/embed.c translator/emit/emit.h \
	translator/emit/expr.c translator/emit/function.c translator/emit/global.c \
	translator/emit/locals.h translator/emit/loop.c translator/emit/out.c \
	translator/emit/print.c translator/emit/regex.c translator/emit/probe.c translator/emit/row.c translator/emit/stmt.c \
	translator/emit/table.c translator/emit/unit.c \
	translator/build/build.h translator/build/cache.c translator/build/kbuild.c translator/build/kit.c \
	translator/build/recipe.c translator/build/recipe.h translator/build/user.c \
	translator/cli.def translator/debuginfo/debuginfo.h translator/debuginfo/btf.c translator/debuginfo/btf.h translator/debuginfo/symbols.c \
	translator/debuginfo/debuginfo_private.h translator/debuginfo/files.c \
	translator/debuginfo/dwarf.c translator/debuginfo/dwarf_call.c translator/debuginfo/dwarf.h translator/debuginfo/dwarf_private.h translator/debuginfo/dwarf_type.c \
	translator/debuginfo/dwarf_function.c translator/debuginfo/dwarf_pass.c translator/debuginfo/dwarf_symbol.c \
	translator/debuginfo/dwarf_var.c translator/debuginfo/modfile.c translator/debuginfo/modfile.h \
	translator/debuginfo/event.c translator/debuginfo/event.def translator/debuginfo/event.h translator/debuginfo/event_ask.c \
	translator/debuginfo/event_sysfs.c \
	translator/debuginfo/stapsdt.c translator/debuginfo/stapsdt.h translator/debuginfo/stapsdt_note.c \
	translator/debuginfo/userfile.c translator/debuginfo/userfile.h translator/debuginfo/userpath.c translator/debuginfo/userpath.h \
	translator/debuginfo/disasm.c translator/debuginfo/disasm.h translator/debuginfo/userexits.c translator/debuginfo/userexits.h translator/debuginfo/gotable.c translator/debuginfo/gotable.h translator/debuginfo/usergo.c translator/debuginfo/usergo.h \
	translator/debuginfo/userfde.c translator/debuginfo/userfde.h translator/debuginfo/usertable.c translator/debuginfo/usertable.h \
	translator/debuginfo/userbranch.c translator/debuginfo/userbranch.h translator/debuginfo/userframe.c translator/debuginfo/userframe.h translator/debuginfo/usernop.c translator/debuginfo/usernop.h \
	translator/debuginfo/userplt.c translator/debuginfo/userreturns.c translator/debuginfo/userreturns.h \
	translator/families/process.c translator/families/uprobe.c translator/families/user_return.c translator/families/user_return.h translator/families/user_nothing.c translator/families/user_nothing.h translator/families/user_site.h translator/families/user_target.c \
	translator/families/been.c translator/families/families.def translator/families/family.c translator/families/shared.c translator/families/wild.c \
	translator/families/family.h translator/families/function.c translator/families/hwbreak.c translator/families/place.c translator/families/place.h translator/families/pmu.c translator/families/procfs.c translator/families/profile.c \
	translator/families/timer.c translator/families/tracepoint.c \
	translator/family_variable.c translator/family_variable.h translator/kconfig.c translator/kconfig.h translator/lists.c translator/lists.h translator/options.c translator/options.h \
	translator/pass.c translator/pass.h translator/passes.def translator/paths.c translator/paths.h \
	translator/passes/build.c translator/passes/load.c translator/passes/match.c \
	translator/regex/dfa.c translator/regex/parse.c translator/regex/regex.h \
	translator/tapset.c translator/tapset.h translator/tapset_index.c translator/tapset_index.h \
	translator/target.c translator/target.h translator/vm.c translator/vm.h
libtranslator_a_CPPFLAGS = $(AM_CPPFLAGS) -DPKGDATADIR='"$(pkgdatadir)"' -DPKGLIBEXECDIR='"$(pkglibexecdir)"' -DBINDIR='"$(bindir)"'
bin_PROGRAMS += lapwing
lapwing_SOURCES = translator/main.c
lapwing_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
lapwing_LDADD = libtranslator.a libparser.a liblapwing.a $(GLIB_LIBS) $(DW_LIBS) $(ELF_LIBS) -ldl
pkglibexec_PROGRAMS += lapwing-explain
lapwing_explain_SOURCES = translator/explain.c translator/paths.c
lapwing_explain_CPPFLAGS = $(libtranslator_a_CPPFLAGS)
lapwing_explain_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
lapwing_explain_LDADD = liblapwing.a $(GLIB_LIBS)
tapsetsdir = $(pkgdatadir)
nobase_dist_tapsets_DATA = $(addprefix tapsets/,ansi.stp arcs.stp been.stp block.stp bytes.stp context.stp errno.stp indent.stp inet.stp input.stp irq.stp json.stp json.stpm kprocess.stp libc.stp loadavg.stp logging.stp macros.stpm \
	memory.stp netdev.stp null.stp path.stp perf.stp prometheus.stp prometheus.stpm queue_stats.stp scheduler.stp signal.stp socket.stp speculation.stp stack.stp stopwatch.stp syscall_any.stp syscall_names.stp \
	syscall_text.stp target_set.stp task.stp this.stp time.stp vfs.stp vm.stp)

# Aliases of system calls, from a table: a file for each of its sections.
syscall_files = files status folders owners descriptors mounts watches attributes memory processes signals time waiting network messages \
	machine others tracepoint names
syscall_aliases = $(syscall_files:%=tapsets/linux/syscalls_%.stp)
nobase_nodist_tapsets_DATA = $(syscall_aliases)
EXTRA_DIST += tapsets/syscalls32.tbl tapsets/syscalls.tbl tapsets/syscalls.awk
CLEANFILES += $(syscall_aliases)
$(syscall_aliases): tapsets/syscalls32.tbl tapsets/syscalls.tbl tapsets/syscalls.awk
	$(AM_V_GEN)$(MKDIR_P) tapsets/linux && \
		$(AWK) -v way=$(patsubst syscalls_%.stp,%,$(@F)) -f $(srcdir)/tapsets/syscalls.awk $(srcdir)/tapsets/syscalls32.tbl $(srcdir)/tapsets/syscalls.tbl > $@
pkglibexec_PROGRAMS += lapwing-events
lapwing_events_SOURCES = translator/events.c translator/debuginfo/event.c translator/debuginfo/event_sysfs.c translator/debuginfo/pfm.c \
	translator/debuginfo/pfm.h
lapwing_events_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
lapwing_events_LDADD = liblapwing.a $(GLIB_LIBS) $(PFM_LIBS)
pkglibexec_PROGRAMS += lapwing-stopwatch lapwing-profile
lapwing_stopwatch_SOURCES = translator/statement.c translator/paths.c
lapwing_stopwatch_CPPFLAGS = $(libtranslator_a_CPPFLAGS)
lapwing_stopwatch_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
lapwing_stopwatch_LDADD = liblapwing.a $(GLIB_LIBS)
lapwing_profile_SOURCES = $(lapwing_stopwatch_SOURCES)
lapwing_profile_CPPFLAGS = $(lapwing_stopwatch_CPPFLAGS)
lapwing_profile_CFLAGS = $(lapwing_stopwatch_CFLAGS)
lapwing_profile_LDADD = $(lapwing_stopwatch_LDADD)
