# record: lapwing-record, which `lapwing record` runs.
# SPDX-License-Identifier: GPL-2.0-or-later
bin_PROGRAMS += lapwing-record
lapwing_record_SOURCES = \
	record/arcs.c record/arcs.h record/capture_ends.c record/capture_ends.h record/capture_samples.c record/capture_samples.h \
	record/ctl_handler.c record/ctl_handler.h record/events.c record/events.h record/main.c record/naming.c record/naming.h \
	record/record.h record/rings.c record/rings.h record/stacks.c record/stacks.h record/target.c \
	record/target.h \
	runtime/run/control.c runtime/run/control.h runtime/run/folder.c runtime/run/folder.h runtime/run/leftovers.c runtime/run/leftovers.h \
	runtime/run/note.c runtime/run/note.h runtime/run/notes.c runtime/run/notes.h runtime/run/watchdog.c runtime/run/watchdog.h \
	$(perf_sources) runtime/core/caller.c runtime/core/caller.h symbolize/chain.c symbolize/chain.h
lapwing_record_LDADD = libtranslator.a $(report_libs) -lpthread

bin_PROGRAMS += lapwing-top
lapwing_top_CFLAGS = $(AM_CFLAGS) $(NCURSES_CFLAGS)
lapwing_top_SOURCES = record/screen.c record/screen.h record/top.c
lapwing_top_LDADD = $(report_libs) $(NCURSES_LIBS)
