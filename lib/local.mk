# lib: see HACKING.md
# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += liblapwing.a
# Where things are installed.
paths_flags = -DPKGDATADIR='"$(pkgdatadir)"' -DPKGLIBEXECDIR='"$(pkglibexecdir)"' -DBINDIR='"$(bindir)"' -DKERNELSDIR='"$(kernelsdir)"'
lib/paths.o: AM_CPPFLAGS += $(paths_flags)
liblapwing_a_SOURCES = \
	lib/boot.c lib/boot.h lib/clock.h lib/color.c lib/color.h \
	lib/counters.c lib/counters.h \
	lib/cpi_events.h \
	lib/data.c lib/data.h \
	lib/diag.c lib/diag.def lib/diag.h lib/diag_json.c lib/diag_json.h lib/dwarf_regs.h lib/hint.def lib/run_error.def \
	lib/edit_distance.c lib/edit_distance.h \
	lib/escape.c lib/escape.h lib/exit_status.h lib/failure.c lib/failure.def lib/failure.h lib/failure_error.c lib/failure_error.h \
	lib/foreign.c lib/foreign.h \
	lib/guest.c lib/guest.h lib/headers.c lib/headers.h lib/host.c lib/host.h lib/id_table.h lib/pair_ids.c lib/pair_ids.h lib/sorted.h lib/when.c lib/when.h \
	lib/ksyms.c lib/ksyms.h \
	lib/machine.c lib/machine.h \
	lib/nop5.c lib/nop5.h \
	lib/option.c lib/option.h \
	lib/pace.c lib/pace.h \
	lib/paths.c lib/paths.h \
	lib/procstat.c lib/procstat.h \
	lib/progress.c lib/progress.h \
	lib/run.c lib/run.h \
	lib/source.c lib/source.h \
	lib/streams.c lib/streams.h \
	lib/tracefs_layout.c lib/tracefs_layout.h lib/tracefs_mount.c lib/tracefs_mount.h \
	lib/uprobe.c lib/uprobe.h lib/verdict.h lib/vm.c lib/vm.h
