# cmd: small programs, which `lapwing NAME` runs: see HACKING.md
# SPDX-License-Identifier: GPL-2.0-or-later
pkglibexec_PROGRAMS += lapwing-explain
lapwing_explain_SOURCES = cmd/explain.c
lapwing_explain_LDADD = liblapwing.a $(GLIB_LIBS)
pkglibexec_PROGRAMS += lapwing-events
lapwing_events_SOURCES = cmd/events.c translator/debuginfo/event.c translator/debuginfo/event_sysfs.c translator/debuginfo/pfm.c \
	translator/debuginfo/pfm.h
lapwing_events_LDADD = liblapwing.a $(GLIB_LIBS) $(PFM_LIBS)
pkglibexec_PROGRAMS += lapwing-stopwatch lapwing-profile
lapwing_stopwatch_SOURCES = cmd/run_json.c cmd/run_json.h cmd/stopwatch.c
lapwing_stopwatch_LDADD = liblapwing.a $(GLIB_LIBS)
lapwing_profile_SOURCES = $(lapwing_stopwatch_SOURCES)
lapwing_profile_LDADD = $(lapwing_stopwatch_LDADD)

# lapwing-ctl: asks runs that are there.
bin_PROGRAMS += lapwing-ctl
lapwing_ctl_SOURCES = lib/data.c lib/data.h lib/edit_distance.c lib/edit_distance.h lib/failure.c lib/failure.h lib/option.c lib/option.h lib/streams.c lib/streams.h runtime/run/control.c runtime/run/control.h cmd/ctl.c runtime/run/folder.c runtime/run/folder.h runtime/run/leftovers.c runtime/run/leftovers.h lib/procstat.c lib/procstat.h
include cmd/doctor/local.mk
