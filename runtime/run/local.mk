# runtime/run: lapwing-run; its static forms are copied to targets and into guests.
# SPDX-License-Identifier: GPL-2.0-or-later
bin_PROGRAMS += lapwing-run
run_sources = \
	runtime/run/account.c runtime/run/account.h runtime/run/background.c runtime/run/background.h \
	runtime/run/calibration_stub.c runtime/run/calibration_stub.h runtime/run/child.c \
	runtime/run/child.h runtime/run/command_line.c runtime/run/command_line.h runtime/run/control.c runtime/run/control.h runtime/run/counters.c \
	runtime/run/counters.h runtime/run/ctl_handler.c runtime/run/ctl_handler.h \
	runtime/run/explain.c runtime/run/explain.h runtime/run/facts.c runtime/run/facts.h runtime/run/file.c runtime/run/file.h \
	runtime/run/folder.c runtime/run/folder.h runtime/run/input.c runtime/run/input.h \
	runtime/run/leftovers.c runtime/run/leftovers.h runtime/run/main.c runtime/run/messages.c \
	runtime/run/messages.h runtime/run/nop5.c runtime/run/nop5.h runtime/run/note.c \
	runtime/run/note.h runtime/run/notes.c runtime/run/notes.h runtime/run/outfile.c \
	runtime/run/outfile.h runtime/run/output.c runtime/run/output.h runtime/run/remove.c \
	runtime/run/remove.h runtime/run/run.h runtime/run/script_error.c runtime/run/script_error.h runtime/run/skips.c runtime/run/skips.h runtime/run/ftrace_switch.c \
	runtime/run/ftrace_switch.h runtime/run/session_kernel.c runtime/run/stacks.c \
	runtime/run/stacks.h runtime/run/summary.c runtime/run/summary.h runtime/run/symbol_tables.c \
	runtime/run/symbol_tables.h runtime/run/terminal.c runtime/run/terminal.h runtime/run/capture.c runtime/run/capture.h runtime/run/numbers.c runtime/run/numbers.h runtime/run/proto.c runtime/run/proto.h runtime/run/spot.c runtime/run/spot.h runtime/run/trace.c runtime/run/trace.h runtime/run/timing.c \
	runtime/run/timing.h runtime/run/track.c runtime/run/track.h runtime/run/unread.c \
	runtime/run/unread.h runtime/run/watchdog.c runtime/run/watchdog.h \
	lib/counters.c lib/counters.h lib/data.c lib/data.h lib/edit_distance.c lib/edit_distance.h lib/failure.c lib/failure.h lib/nop5.c lib/nop5.h lib/option.c lib/option.h lib/streams.c lib/streams.h \
	lib/pace.c lib/pace.h lib/progress.c lib/progress.h lib/uprobe.c lib/uprobe.h \
	$(symbolize_sources) $(perf_sources)
lapwing_run_SOURCES = $(run_sources) runtime/run/session_user.c symbolize/lines.c symbolize/xz.c
lapwing_run_LDADD = librt_read.a -ldl -lpthread

# Without session_user.c: a static program loads no shared objects.
EXTRA_lapwing_run_SOURCES = runtime/run/session_none.c symbolize/xz_none.c
run_static_sources = $(filter %.c,$(run_sources)) runtime/run/session_none.c symbolize/lines_own.c symbolize/debug.c symbolize/debug_line.c symbolize/xz_none.c \
	runtime/core/fmt.c runtime/core/frame.c runtime/core/hist.c runtime/core/run_error.c runtime/core/symbol.c
run_static_flags = -std=gnu11 -D_GNU_SOURCE $(filter -O%,$(CFLAGS)) -static -pthread -I$(srcdir) -I$(builddir) $(WARN_FLAGS)

# Out of lapwing-run's objects, but of those with sanitizers, which are for shared libraries.
run_static_from = $(if $(SANITIZE_FLAGS),$(run_static_sources),$(run_static_sources:.c=.o))
lapwing-run-static: $(run_static_from) $(filter %.h,$(run_sources)) config.h
	$(AM_V_CCLD)$(CC) $(run_static_flags) -Wl,--strip-debug -o $@ $(filter %.c %.o,$^)

# Where the cross compiler is not installed nobody can ask for an arm64 guest.
if HAVE_ARM64_CC
run_static_arm64 = lapwing-run-static-arm64
endif
run_arm64_objects = $(run_static_sources:.c=.arm64.o)
%.arm64.o: %.c $(filter %.h,$(run_sources)) config.h
	$(AM_V_CC)$(ARM64_CC) $(run_static_flags) -c -o $@ $<
lapwing-run-static-arm64: $(run_arm64_objects)
	$(AM_V_CCLD)$(ARM64_CC) $(run_static_flags) -o $@ $^

all-local: lapwing-run-static $(run_static_arm64)
CLEANFILES += lapwing-run-static lapwing-run-static-arm64 $(run_arm64_objects)

# Static forms go where lapwing finds its own programs, and lapwing-run too: it is looked for there.
install-exec-hook:
	$(MKDIR_P) $(DESTDIR)$(pkglibexecdir)
	cp lapwing-run-static $(DESTDIR)$(pkglibexecdir)/
	-[ ! -f lapwing-run-static-arm64 ] || cp lapwing-run-static-arm64 $(DESTDIR)$(pkglibexecdir)/
uninstall-hook:
	rm -f $(DESTDIR)$(pkglibexecdir)/lapwing-run-static $(DESTDIR)$(pkglibexecdir)/lapwing-run-static-arm64
