# translator: see HACKING.md
# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libtranslator.a
libtranslator_a_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(CAPSTONE_CFLAGS)
libtranslator_a_SOURCES = \
	translator/driver/cli.def translator/driver/command_line.c \
	translator/driver/command_line.h translator/driver/lists.c translator/driver/lists.h \
	translator/driver/target.c translator/driver/target.h translator/driver/words.c \
	translator/driver/words.h \
	translator/program/builtins.c translator/program/builtins.h \
	translator/program/builtins.def translator/program/dump.c translator/program/dump.h \
	translator/program/options.c translator/program/options.h translator/program/privilege.c \
	translator/program/privilege.h translator/program/program.c translator/program/program.h \
	translator/program/uses.c translator/program/uses.h \
	translator/tapset/parse_file.c translator/tapset/parse_file.h translator/tapset/tapset.c \
	translator/tapset/tapset.h translator/tapset/tapset_index.c \
	translator/tapset/tapset_index.h \
	translator/target_var/ambient.c translator/target_var/ambient.h \
	translator/target_var/argument.c translator/target_var/argument.h \
	translator/target_var/callee.c translator/target_var/callee.h \
	translator/target_var/dwarf_location.c translator/target_var/dwarf_location.h \
	translator/target_var/entry_value.c translator/target_var/entry_value.h \
	translator/target_var/kprobe_fetch.c translator/target_var/kprobe_fetch.h \
	translator/target_var/location.c translator/target_var/location.h \
	translator/target_var/lowering.h \
	translator/target_var/perf_counter.c translator/target_var/perf_counter.h \
	translator/target_var/pretty.c translator/target_var/pretty.h \
	translator/target_var/tracepoint_field.c translator/target_var/tracepoint_field.h \
	translator/target_var/unread.c translator/target_var/unread.h \
	translator/target_var/uprobe_fetch.c translator/target_var/uprobe_fetch.h \
	translator/target_var/user_variable.c translator/target_var/user_variable.h \
	translator/target_var/enum_name.c translator/target_var/enum_name.h \
	translator/target_var/netfilter_variable.c translator/target_var/netfilter_variable.h \
	translator/target_var/value_type.c translator/target_var/value_type.h \
	translator/target_var/variable.c translator/target_var/variable.h \
	translator/passes/alias.c translator/passes/alias.h translator/passes/build.c \
	translator/passes/capture.c translator/passes/check.c translator/passes/confirm.c \
	translator/passes/confirm.h translator/passes/context.c translator/passes/declare.c \
	translator/passes/declare.h translator/passes/display.c translator/passes/emit.c \
	translator/passes/entry.c translator/passes/entry.h translator/passes/fold.c \
	translator/passes/legacy_syntax.c translator/passes/load.c translator/passes/locks.c \
	translator/passes/match.c translator/passes/match.h translator/passes/names.c \
	translator/passes/nmi.c translator/passes/unset.c translator/passes/pass.c \
	translator/passes/pass.h translator/passes/passes.def translator/passes/refuse.c \
	translator/passes/thread.c translator/passes/trim.c translator/passes/types.c \
	translator/families/begin_end.c translator/families/families.def \
	translator/families/absent.def \
	translator/families/family.c translator/families/family.h \
	translator/families/family_variable.c translator/families/family_variable.h \
	translator/families/function.c translator/families/hwbreak.c \
	translator/families/netfilter.c translator/families/place.c translator/families/place.h \
	translator/families/pmu.c translator/families/process.c translator/families/procfs.c \
	translator/families/profile.c translator/families/shared.c translator/families/shared.h \
	translator/families/timer.c translator/families/tracepoint.c translator/families/uprobe.c \
	translator/families/uprobe_diag.c translator/families/uprobe_diag.h \
	translator/families/user_site.h translator/families/user_target.c \
	translator/families/user_target.h translator/families/wild.c translator/families/wild.h \
	translator/emit/assign.c translator/emit/assign.h translator/emit/call.c \
	translator/emit/call.h translator/emit/embed.c translator/emit/embed.h \
	translator/emit/emit.h translator/emit/expr.c translator/emit/expr.h \
	translator/emit/function.c translator/emit/function.h translator/emit/global.c \
	translator/emit/global.h translator/emit/locals.c translator/emit/locals.h \
	translator/emit/loop.c translator/emit/loop.h translator/emit/out.c translator/emit/out.h \
	translator/emit/print.c translator/emit/print.h translator/emit/probe.c \
	translator/emit/probe.h translator/emit/regex.c translator/emit/regex.h \
	translator/emit/row.c translator/emit/row.h translator/emit/stmt.c translator/emit/stmt.h \
	translator/emit/table.c translator/emit/table.h translator/emit/unit.c \
	translator/emit/unit.h \
	translator/build/build.c translator/build/build.h translator/build/cache.c \
	translator/build/cache.h translator/build/kbuild.c translator/build/kbuild.h \
	translator/build/kconfig.c translator/build/kconfig.h translator/build/kit.c \
	translator/build/kit.h translator/build/recipe.c translator/build/recipe.h \
	translator/build/user.c translator/build/user.h translator/build/vm.c \
	translator/build/vm.h \
	translator/debuginfo/btf.c translator/debuginfo/btf.h translator/debuginfo/debuginfo.h \
	translator/debuginfo/debuginfo_private.h translator/debuginfo/dwarf.c \
	translator/debuginfo/dwarf.h translator/debuginfo/dwarf_call.c \
	translator/debuginfo/dwarf_call.h translator/debuginfo/dwarf_die.c \
	translator/debuginfo/dwarf_die.h translator/debuginfo/dwarf_function.c \
	translator/debuginfo/dwarf_function.h translator/debuginfo/dwarf_pass.c \
	translator/debuginfo/dwarf_pass.h translator/debuginfo/dwarf_private.h \
	translator/debuginfo/dwarf_symbol.c translator/debuginfo/dwarf_symbol.h \
	translator/debuginfo/dwarf_type.c translator/debuginfo/dwarf_type.h \
	translator/debuginfo/dwarf_var.c translator/debuginfo/dwarf_var.h \
	translator/debuginfo/event.c translator/debuginfo/event.def translator/debuginfo/event.h \
	translator/debuginfo/event_query.c translator/debuginfo/event_query.h \
	translator/debuginfo/event_sysfs.c translator/debuginfo/files.c \
	translator/debuginfo/files.h translator/debuginfo/modfile.c translator/debuginfo/modfile.h \
	translator/debuginfo/stapsdt.c translator/debuginfo/stapsdt.h \
	translator/debuginfo/stapsdt_note.c translator/debuginfo/stapsdt_note.h \
	translator/debuginfo/debuginfo.c translator/debuginfo/tracefs.c \
	translator/debuginfo/tracefs.h translator/debuginfo/userbranch.c \
	translator/debuginfo/userbranch.h translator/debuginfo/userfile.c \
	translator/debuginfo/userfile.h translator/debuginfo/usernop.c \
	translator/debuginfo/usernop.h translator/debuginfo/userpath.c \
	translator/debuginfo/userpath.h translator/debuginfo/userplt.c \
	translator/debuginfo/userplt.h \
	translator/regex/dfa.c translator/regex/dfa.h translator/regex/parse.c \
	translator/regex/parse.h translator/regex/regex.h
bin_PROGRAMS += lapwing
lapwing_SOURCES = translator/driver/main.c
lapwing_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
lapwing_LDADD = libtranslator.a libparser.a liblapwing.a $(GLIB_LIBS) $(DW_LIBS) $(ELF_LIBS) -ldl
tapsetsdir = $(pkgdatadir)
nobase_dist_tapsets_DATA = $(addprefix tapsets/,ansi.stp arcs.stp begin.stp block.stp bytes.stp \
	context.stp errno.stp indent.stp input.stp irq.stp json.stp json.stpm kprocess.stp \
	libc.stp loadavg.stp logging.stp macros.stpm \
	memory.stp netdev.stp null.stp path.stp perf.stp prometheus.stp prometheus.stpm \
	queue_stats.stp scheduler.stp signal.stp socket.stp speculation.stp stack.stp \
	stopwatch.stp syscall_any.stp syscall_names.stp \
	syscall_text.stp target_set.stp task.stp this.stp time.stp vfs.stp vm.stp)
nobase_dist_tapsets_DATA += \
	tapsets/argv.stp \
	tapsets/inet_sock.stp \
	tapsets/ip.stp \
	tapsets/ipmib.stp \
	tapsets/linuxmib.stp \
	tapsets/netfilter.stp \
	tapsets/nfs.stp \
	tapsets/nfsd.stp \
	tapsets/rlimit.stp \
	tapsets/scsi.stp \
	tapsets/sunrpc.stp \
	tapsets/tcp.stp \
	tapsets/tcpmib.stp \
	tapsets/tty.stp \
	tapsets/udp.stp \
	tapsets/wait.stp

# Aliases of system calls, from a table: a file for each of its sections.
syscall_files = files status folders owners descriptors mounts watches attributes memory processes \
	signals time waiting network messages \
	machine others tracepoint names
syscall_aliases = $(syscall_files:%=tapsets/linux/syscalls_%.stp)
nobase_nodist_tapsets_DATA = $(syscall_aliases)
EXTRA_DIST += tapsets/syscalls.tbl tapsets/syscalls.awk
CLEANFILES += $(syscall_aliases)
$(syscall_aliases): tapsets/syscalls.tbl tapsets/syscalls.awk
	$(AM_V_GEN)$(MKDIR_P) tapsets/linux && \
		$(AWK) -v way=$(patsubst syscalls_%.stp,%,$(@F)) -f $(srcdir)/tapsets/syscalls.awk $(srcdir)/tapsets/syscalls.tbl > $@
