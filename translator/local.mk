# translator: see HACKING.md
# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libtranslator.a
libtranslator_a_SOURCES = \
	translator/program/builtins.c translator/program/builtins.def translator/program/builtins.h \
	translator/program/dump.c translator/program/dump.h translator/program/options.c \
	translator/program/options.h translator/program/limit.def translator/program/privilege.c translator/program/privilege.h \
	translator/program/library_value.c translator/program/library_value.h \
	translator/program/program.c translator/program/program.h translator/program/uses.c \
	translator/program/uses.h \
	translator/build/build.c translator/build/build.h translator/build/cache.c \
	translator/build/cache.h translator/build/kbuild.c translator/build/kbuild.h \
	translator/build/header_types.c translator/build/header_types.h \
	translator/build/kconfig.c translator/build/kconfig.h translator/build/kit.c \
	translator/build/kit.h translator/build/recipe.c translator/build/recipe.h \
	translator/build/user.c translator/build/user.h \
	translator/tapset/parse_file.c translator/tapset/parse_file.h translator/tapset/tapset.c \
	translator/tapset/tapset.h translator/tapset/tapset_index.c translator/tapset/tapset_index.h \
	translator/debuginfo/btf.c translator/debuginfo/btf.h translator/debuginfo/debuginfo.c \
	translator/debuginfo/debuginfo.h translator/debuginfo/debuginfo_private.h \
	translator/debuginfo/disasm.c translator/debuginfo/disasm.h translator/debuginfo/dwarf.c \
	translator/debuginfo/dwarf.h translator/debuginfo/dwarf_call.c \
	translator/debuginfo/dwarf_call.h translator/debuginfo/dwarf_function.c \
	translator/debuginfo/dwarf_function.h translator/debuginfo/dwarf_pass.c \
	translator/debuginfo/dwarf_pass.h translator/debuginfo/dwarf_private.h \
	translator/debuginfo/dwarf_symbol.c translator/debuginfo/dwarf_symbol.h \
	translator/debuginfo/dwarf_type.c translator/debuginfo/dwarf_type.h \
	translator/debuginfo/dwarf_var.c translator/debuginfo/dwarf_var.h translator/debuginfo/event.c \
	translator/debuginfo/event.def translator/debuginfo/event.h translator/debuginfo/event_query.c \
	translator/debuginfo/event_query.h translator/debuginfo/event_sysfs.c \
	translator/debuginfo/event_sysfs.h translator/debuginfo/files.c translator/debuginfo/files.h \
	translator/debuginfo/gotable.c translator/debuginfo/gotable.h translator/debuginfo/modfile.c \
	translator/debuginfo/modfile.h translator/debuginfo/stapsdt.c translator/debuginfo/stapsdt.h \
	translator/debuginfo/stapsdt_note.c translator/debuginfo/stapsdt_note.h \
	translator/debuginfo/tracefs.c translator/debuginfo/tracefs.h \
	translator/debuginfo/userbranch.c translator/debuginfo/userbranch.h \
	translator/debuginfo/userexits.c translator/debuginfo/userexits.h \
	translator/debuginfo/userfde.c translator/debuginfo/userfde.h translator/debuginfo/userfile.c \
	translator/debuginfo/userfile.h translator/debuginfo/userframe.c \
	translator/debuginfo/userframe.h translator/debuginfo/usergo.c translator/debuginfo/usergo.h \
	translator/debuginfo/usernop.c translator/debuginfo/usernop.h translator/debuginfo/userpath.c \
	translator/debuginfo/userpath.h translator/debuginfo/userplt.c translator/debuginfo/userplt.h \
	translator/debuginfo/userreturns.c translator/debuginfo/userreturns.h \
	translator/debuginfo/usertable.c translator/debuginfo/usertable.h \
	translator/families/begin_end.c translator/families/families.def translator/families/family.c \
	translator/families/family.h translator/families/family_variable.c \
	translator/families/family_variable.h translator/families/function.c \
	translator/families/hwbreak.c translator/families/netfilter.c translator/families/place.c translator/families/place.h \
	translator/families/pmu.c translator/families/process.c translator/families/procfs.c \
	translator/families/profile.c translator/families/shared.c translator/families/shared.h \
	translator/families/timer.c translator/families/tracepoint.c translator/families/uprobe.c \
	translator/families/uprobe_diag.c translator/families/uprobe_diag.h \
	translator/families/user_return.c translator/families/user_return.h \
	translator/families/user_site.h translator/families/user_runtime.c translator/families/user_runtime.h \
	translator/families/user_target.c \
	translator/families/user_target.h translator/families/watchpoint.c translator/families/wild.c translator/families/wild.h \
	translator/target_var/ambient.c translator/target_var/ambient.h \
	translator/target_var/argument.c translator/target_var/argument.h \
	translator/target_var/callee.c translator/target_var/callee.h \
	translator/target_var/dwarf_location.c translator/target_var/dwarf_location.h \
	translator/target_var/entry_value.c translator/target_var/entry_value.h \
	translator/target_var/kprobe_fetch.c translator/target_var/kprobe_fetch.h \
	translator/target_var/location.c translator/target_var/location.h \
	translator/target_var/perf_counter.c translator/target_var/perf_counter.h \
	translator/target_var/pretty.c translator/target_var/pretty.h \
	translator/target_var/tracepoint_field.c translator/target_var/tracepoint_field.h \
	translator/target_var/unread.c translator/target_var/unread.h \
	translator/target_var/uprobe_fetch.c translator/target_var/uprobe_fetch.h \
	translator/target_var/user_variable.c translator/target_var/user_variable.h \
	translator/target_var/variable.c translator/target_var/variable.h \
	translator/passes/alias.c translator/passes/alias.h translator/passes/build.c \
	translator/passes/capture.c translator/passes/check.c translator/passes/columns.c translator/passes/confirm.c \
	translator/passes/confirm.h translator/passes/autocast.c translator/passes/per_probe.c translator/passes/exectrace.c translator/passes/context.c translator/passes/declare.c \
	translator/passes/declare.h translator/passes/display.c translator/passes/emit.c \
	translator/passes/entry.c translator/passes/entry.h translator/passes/fold.c \
	translator/passes/legacy_syntax.c translator/passes/lists.c translator/passes/lists.h \
	translator/passes/load.c translator/passes/locks.c translator/passes/match.c \
	translator/passes/match.h translator/passes/names.c translator/passes/nmi.c \
	translator/passes/pass.c translator/passes/pass.h translator/passes/passes.def \
	translator/passes/refuse.c translator/passes/thread.c translator/passes/trim.c \
	translator/passes/types.c \
	translator/emit/assign.c translator/emit/assign.h translator/emit/call.c \
	translator/emit/call.h translator/emit/embed.c translator/emit/embed.h translator/emit/emit.h \
	translator/emit/expr.c translator/emit/expr.h translator/emit/function.c \
	translator/emit/function.h translator/emit/global.c translator/emit/global.h \
	translator/emit/loop.c translator/emit/loop.h translator/emit/out.c translator/emit/out.h \
	translator/emit/print.c translator/emit/print.h translator/emit/probe.c \
	translator/emit/probe.h translator/emit/regex.c translator/emit/regex.h translator/emit/row.c \
	translator/emit/row.h translator/emit/stmt.c translator/emit/stmt.h translator/emit/table.c \
	translator/emit/table.h translator/emit/unit.c translator/emit/unit.h \
	translator/regex/dfa.c translator/regex/dfa.h translator/regex/parse.c \
	translator/regex/parse.h translator/regex/regex.h \
	translator/driver/cli.def translator/driver/command_line.c translator/driver/command_line.h \
	translator/driver/commands.c translator/driver/commands.def translator/driver/commands.h \
	translator/driver/environment.c translator/driver/environment.h \
	translator/driver/target.c translator/driver/target.h
bin_PROGRAMS += lapwing
lapwing_SOURCES = translator/driver/main.c
lapwing_LDADD = libtranslator.a libparser.a liblapwing.a $(GLIB_LIBS) $(DW_LIBS) $(ELF_LIBS) -ldl
