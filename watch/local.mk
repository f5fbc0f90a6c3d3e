# watch: lapwing-watch, which `lapwing watch` runs. What it shares with lapwing-record is built for it again.
# SPDX-License-Identifier: GPL-2.0-or-later
pkglibexec_PROGRAMS += lapwing-watch
lapwing_watch_SOURCES = \
	watch/counts.c watch/counts.h watch/kernel_map.c watch/kernel_map.h watch/epochs.c watch/epochs.h watch/sampling.c watch/sampling.h \
	watch/snapshot.c watch/snapshot.h watch/keeper.c watch/keeper.h watch/main.c watch/status.c watch/status.h \
	watch/units.c watch/units.h runtime/run/control.c runtime/run/control.h runtime/run/folder.c runtime/run/folder.h \
	record/capture_ends.c record/capture_ends.h record/events.c record/events.h record/naming.c record/naming.h record/record.h \
	record/rings.c record/rings.h record/stacks.c record/stacks.h \
	$(perf_sources) runtime/core/caller.c runtime/core/caller.h symbolize/chain.c symbolize/chain.h
lapwing_watch_LDADD = libtranslator.a $(report_libs)
