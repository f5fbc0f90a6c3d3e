# testsuite: see HACKING.md
# SPDX-License-Identifier: GPL-2.0-or-later

# Each with folders of its own; a test that hangs fails by itself, with what it said until then.
LOG_COMPILER = $(srcdir)/testsuite/apart.sh

# How still the machine stood while tests ran.
check_PROGRAMS += testsuite/stalls
testsuite_stalls_SOURCES = testsuite/stalls.c

# testsuite/check: names, types, rules
check_PROGRAMS += testsuite/unit/check_driver
testsuite_unit_check_driver_SOURCES = testsuite/unit/check_driver.c
testsuite_unit_check_driver_LDADD = libtranslator.a libparser.a liblapwing.a $(GLIB_LIBS) $(DW_LIBS) $(ELF_LIBS)
TESTS += testsuite/check/run.sh

# testsuite/family: probe points on kernels made of text
check_PROGRAMS += testsuite/unit/family_driver
testsuite_unit_family_driver_SOURCES = testsuite/unit/family_driver.c
testsuite_unit_family_driver_LDADD = libtranslator.a libparser.a liblapwing.a $(GLIB_LIBS) $(DW_LIBS) $(ELF_LIBS)
TESTS += testsuite/family/check.sh

include testsuite/parse/local.mk

# testsuite/installed: from the tarball to an installed Lapwing
TESTS += testsuite/installed/check.sh

# testsuite/list: -l, -L, inventories
TESTS += testsuite/list/check.sh testsuite/list/check-probes.py testsuite/list/check-aliases.py

# testsuite/trace: stp()'s records in the user runtime
TESTS += testsuite/trace/check.sh testsuite/trace/check-capture.sh

# testsuite/program: probe points in user programs
TESTS += testsuite/program/check.sh
check_PROGRAMS += testsuite/unit/btf_test testsuite/unit/stapsdt_test testsuite/fuzz/stapsdt
testsuite_unit_btf_test_CFLAGS = $(fuzz_flags)
testsuite_unit_btf_test_LDFLAGS = $(fuzz_link)
testsuite_unit_btf_test_SOURCES = testsuite/unit/btf_test.c
testsuite_unit_btf_test_LDADD = testsuite/fuzz/libtranslator.a $(GLIB_LIBS)
testsuite_unit_stapsdt_test_CFLAGS = $(fuzz_flags)
testsuite_unit_stapsdt_test_LDFLAGS = $(fuzz_link)
testsuite_unit_stapsdt_test_SOURCES = testsuite/unit/stapsdt_test.c
testsuite_unit_stapsdt_test_LDADD = testsuite/fuzz/libtranslator.a $(GLIB_LIBS)
testsuite_fuzz_stapsdt_CFLAGS = $(fuzz_flags)
testsuite_fuzz_stapsdt_LDFLAGS = $(fuzz_link)
testsuite_fuzz_stapsdt_SOURCES = testsuite/fuzz/stapsdt.c
testsuite_fuzz_stapsdt_LDADD = testsuite/fuzz/libstandalone.a testsuite/fuzz/libtranslator.a $(GLIB_LIBS)
TESTS += testsuite/unit/btf_test testsuite/unit/stapsdt_test testsuite/fuzz/stapsdt

# testsuite/exits: where calls of programs' functions end
check_PROGRAMS += testsuite/unit/exits_driver testsuite/fuzz/gotable
testsuite_fuzz_gotable_CFLAGS = $(fuzz_flags)
testsuite_fuzz_gotable_LDFLAGS = $(fuzz_link)
testsuite_fuzz_gotable_SOURCES = testsuite/fuzz/gotable.c
testsuite_fuzz_gotable_LDADD = testsuite/fuzz/libstandalone.a testsuite/fuzz/libtranslator.a $(GLIB_LIBS)
TESTS += testsuite/fuzz/gotable
testsuite_unit_exits_driver_SOURCES = testsuite/unit/exits_driver.c
testsuite_unit_exits_driver_LDADD = libtranslator.a libparser.a liblapwing.a $(GLIB_LIBS) $(DW_LIBS) $(ELF_LIBS) -ldl
TESTS += testsuite/exits/check.sh

# testsuite/editors: colours of scripts in Vim and in Visual Studio Code
TESTS += testsuite/editors/check.sh

# testsuite/stacks: whole stacks of programs along frame pointers
TESTS += testsuite/stacks/check.sh

# testsuite/uprobe: user programs in the user runtime
TESTS += testsuite/uprobe/check.sh testsuite/uprobe/check-nop5.sh testsuite/uprobe/check-returns.sh testsuite/uprobe/check-go.sh

# testsuite/losses: books and values where records are lost, by kind of probe
TESTS += testsuite/losses/check.sh

# testsuite/pairs: entries and returns in the user runtime when records of them are lost
TESTS += testsuite/pairs/check.sh

# testsuite/unread: what the user runtime tells is of the hit, or counted
TESTS += testsuite/unread/check.sh

# testsuite/diag: every message has a page and a test
TESTS += testsuite/diag/check.sh testsuite/diag/check-run.sh testsuite/diag/check-json.py

# Whole pipeline: generated C against goldens, and scripts in the user runtime (also run in guests by check-kernel).
TESTS += testsuite/emit/check.sh testsuite/run-user/check.sh testsuite/cli/check.sh testsuite/cli/check-profile.sh testsuite/cli/check-foreign.sh testsuite/dist/check.sh testsuite/cache/check.sh testsuite/doctor/check.sh testsuite/library/check.sh testsuite/library/check-kernels.py testsuite/language/check.sh testsuite/events/check.sh testsuite/models/check.sh

# testsuite/run-kernel: guests (make check-kernel); here, what their logs say
TESTS += testsuite/run-kernel/check-complaints.sh

# testsuite/bench: what is recorded of the benchmarks, and shown in doc/trust.md
TESTS += testsuite/bench/check-recorded.sh

# testsuite/tutorial: what README.md, doc/tutorial.md, doc/trust.md, doc/coming-from.md and the manual pages show
TESTS += testsuite/tutorial/check.sh testsuite/tutorial/check-guest.sh testsuite/tutorial/check-man.sh

# testsuite/nonroot: what a user who is not root can do
TESTS += testsuite/nonroot/check.sh

# testsuite/hostile: programs that replace their files while they are recorded
TESTS += testsuite/hostile/check.sh testsuite/hostile/check-signals.sh

# testsuite/killed: what is left of runs that were killed
TESTS += testsuite/killed/check.sh

# testsuite/ctl: runs that are controlled from outside
TESTS += testsuite/ctl/check.sh

# testsuite/vm: which kernel, packages and compiler are taken, and what a terminal shows meanwhile; guests are tested by make check-kernel
TESTS += testsuite/vm/check-fetch.sh testsuite/vm/check-progress.sh

# testsuite/terminal: what traced programs wrote, on a terminal
TESTS += testsuite/terminal/check.sh

# testsuite/top: lapwing top under tmux
TESTS += testsuite/top/check.sh

# The order of time of records of several rings.
check_PROGRAMS += testsuite/unit/queue_test
testsuite_unit_queue_test_CFLAGS = $(testsuite_unit_core_test_CFLAGS)
testsuite_unit_queue_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_queue_test_SOURCES = testsuite/unit/queue_test.c perf/queue.c
TESTS += testsuite/unit/queue_test

# Times as people write them.
check_PROGRAMS += testsuite/unit/when_test
testsuite_unit_when_test_CFLAGS = $(AM_CFLAGS) -fsanitize=address,undefined
testsuite_unit_when_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_when_test_SOURCES = testsuite/unit/when_test.c lib/when.c
testsuite_unit_when_test_LDADD = $(GLIB_LIBS)
TESTS += testsuite/unit/when_test

# The store of lapwing watch.
check_PROGRAMS += testsuite/unit/store_test
testsuite_unit_store_test_CFLAGS = $(AM_CFLAGS) -fsanitize=address,undefined
testsuite_unit_store_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_store_test_SOURCES = testsuite/unit/store_test.c testsuite/unit/some_epoch.c testsuite/unit/some_epoch.h $(libstore_a_SOURCES) lib/pair_ids.c \
	lib/failure_error.c lib/failure.c
testsuite_unit_store_test_LDADD = $(GLIB_LIBS) $(SQLITE_LIBS) $(ZSTD_LIBS)
TESTS += testsuite/unit/store_test

# It above a file system that fails, which it is opened on a thousand times: without a sanitizer.
check_PROGRAMS += testsuite/unit/store_faults_test
testsuite_unit_store_faults_test_SOURCES = testsuite/unit/store_faults_test.c testsuite/unit/some_epoch.c \
	testsuite/unit/some_epoch.h $(libstore_a_SOURCES) lib/pair_ids.c lib/failure_error.c lib/failure.c
testsuite_unit_store_faults_test_LDADD = $(GLIB_LIBS) $(SQLITE_LIBS) $(ZSTD_LIBS)
TESTS += testsuite/unit/store_faults_test

# testsuite/watch: lapwing watch of this machine
TESTS += testsuite/watch/check.sh
check_PROGRAMS += testsuite/unit/watch_test
testsuite_unit_watch_test_CFLAGS = $(AM_CFLAGS) -fsanitize=address,undefined
testsuite_unit_watch_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_watch_test_SOURCES = testsuite/unit/watch_test.c watch/counts.c watch/units.c report/cgroup.c lib/procstat.c
testsuite_unit_watch_test_LDADD = $(GLIB_LIBS)
TESTS += testsuite/unit/watch_test
check_PROGRAMS += testsuite/unit/kernel_map_test
testsuite_unit_kernel_map_test_CFLAGS = $(AM_CFLAGS) -fsanitize=address,undefined
testsuite_unit_kernel_map_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_kernel_map_test_SOURCES = testsuite/unit/kernel_map_test.c watch/kernel_map.c report/build_id.c lib/foreign.c lib/ksyms.c
testsuite_unit_kernel_map_test_LDADD = $(GLIB_LIBS) -ldw -lelf
TESTS += testsuite/unit/kernel_map_test
check_PROGRAMS += testsuite/unit/tally_test
testsuite_unit_tally_test_SOURCES = testsuite/unit/tally_test.c
testsuite_unit_tally_test_LDADD = $(report_libs)
TESTS += testsuite/unit/tally_test

# Captures and what is made of them.
TESTS += testsuite/report/check.sh testsuite/report/check-export.sh testsuite/report/check-other.sh testsuite/report/check-arm64.sh testsuite/report/check-flame.sh testsuite/report/check-formats.sh testsuite/report/check-calls.sh testsuite/report/check-progress.sh testsuite/report/check-times.sh

# The portable core, always under ASan and UBSan: compiled once for all programs that test it.
check_LIBRARIES = testsuite/unit/libcore.a
testsuite_unit_libcore_a_CFLAGS = $(testsuite_unit_core_test_CFLAGS)
testsuite_unit_libcore_a_SOURCES = testsuite/unit/no_runtime.c $(core_sources)
check_PROGRAMS += testsuite/unit/core_test
testsuite_unit_core_test_CFLAGS = -std=gnu11 -g -O1 $(WARN_FLAGS) -fsanitize=address,undefined -fno-sanitize-recover=undefined
testsuite_unit_core_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_core_test_SOURCES = testsuite/unit/core_test.c
testsuite_unit_core_test_LDADD = testsuite/unit/libcore.a
TESTS += testsuite/unit/core_test
check_PROGRAMS += testsuite/unit/variance
testsuite_unit_variance_CFLAGS = $(testsuite_unit_core_test_CFLAGS)
testsuite_unit_variance_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_variance_SOURCES = testsuite/unit/variance.c
testsuite_unit_variance_LDADD = testsuite/unit/libcore.a
TESTS += testsuite/unit/check-variance.py
check_PROGRAMS += testsuite/unit/run_error_test
testsuite_unit_run_error_test_CFLAGS = $(testsuite_unit_core_test_CFLAGS)
testsuite_unit_run_error_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_run_error_test_SOURCES = testsuite/unit/run_error_test.c
testsuite_unit_run_error_test_LDADD = testsuite/unit/libcore.a
TESTS += testsuite/unit/run_error_test
check_PROGRAMS += testsuite/unit/names_test
testsuite_unit_names_test_CFLAGS = $(testsuite_unit_core_test_CFLAGS)
testsuite_unit_names_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_names_test_SOURCES = testsuite/unit/names_test.c
testsuite_unit_names_test_LDADD = testsuite/unit/libcore.a
TESTS += testsuite/unit/names_test

check_PROGRAMS += testsuite/unit/fp_test
testsuite_unit_fp_test_CFLAGS = $(testsuite_unit_core_test_CFLAGS)
testsuite_unit_fp_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_fp_test_SOURCES = testsuite/unit/fp_test.c
testsuite_unit_fp_test_LDADD = testsuite/unit/libcore.a -lm
TESTS += testsuite/unit/fp_test

# Counts per thread.
check_PROGRAMS += testsuite/unit/vary_test
testsuite_unit_vary_test_CFLAGS = $(testsuite_unit_core_test_CFLAGS)
testsuite_unit_vary_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_vary_test_SOURCES = testsuite/unit/vary_test.c
testsuite_unit_vary_test_LDADD = -lm
TESTS += testsuite/unit/vary_test
check_PROGRAMS += testsuite/unit/vcount_test
testsuite_unit_vcount_test_CFLAGS = $(testsuite_unit_core_test_CFLAGS)
testsuite_unit_vcount_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_vcount_test_SOURCES = testsuite/unit/vcount_test.c
TESTS += testsuite/unit/vcount_test

# What the overload guard judges by; and how long work on many probes takes, as it is shown.
check_PROGRAMS += testsuite/unit/hit_times_test testsuite/unit/pace_test
testsuite_unit_hit_times_test_CFLAGS = $(testsuite_unit_core_test_CFLAGS)
testsuite_unit_hit_times_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_hit_times_test_SOURCES = testsuite/unit/hit_times_test.c
testsuite_unit_pace_test_CFLAGS = $(testsuite_unit_core_test_CFLAGS)
testsuite_unit_pace_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_pace_test_SOURCES = testsuite/unit/pace_test.c lib/pace.c lib/progress.c
TESTS += testsuite/unit/hit_times_test testsuite/unit/pace_test

# Which processes are in the target's tree.
check_PROGRAMS += testsuite/unit/task_test
testsuite_unit_task_test_CFLAGS = $(testsuite_unit_core_test_CFLAGS)
testsuite_unit_task_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_task_test_SOURCES = testsuite/unit/task_test.c runtime/user/processes/task.c lib/procstat.c
testsuite_unit_task_test_LDADD = testsuite/unit/libcore.a
TESTS += testsuite/unit/task_test

# Records of Arm's statistical profiling.
check_PROGRAMS += testsuite/unit/spe_test
testsuite_unit_spe_test_CFLAGS = $(testsuite_unit_core_test_CFLAGS)
testsuite_unit_spe_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_spe_test_SOURCES = testsuite/unit/spe_test.c perf/spe.c
TESTS += testsuite/unit/spe_test

# Steps of a program's stack.
check_PROGRAMS += testsuite/unit/caller_test
testsuite_unit_caller_test_CPPFLAGS = $(testsuite_unit_core_test_CPPFLAGS)
testsuite_unit_caller_test_CFLAGS = $(testsuite_unit_core_test_CFLAGS)
testsuite_unit_caller_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_caller_test_SOURCES = testsuite/unit/caller_test.c runtime/core/caller.c
TESTS += testsuite/unit/caller_test

# JSON and CSV, read by Python.
check_PROGRAMS += testsuite/unit/data_driver
testsuite_unit_data_driver_CFLAGS = $(testsuite_unit_core_test_CFLAGS)
testsuite_unit_data_driver_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_data_driver_SOURCES = testsuite/unit/data_driver.c
testsuite_unit_data_driver_LDADD = testsuite/fuzz/libfront.a
TESTS += testsuite/unit/check-data.py

# Kernel symbols.
check_PROGRAMS += testsuite/unit/foreign_test
testsuite_unit_foreign_test_CFLAGS = $(testsuite_unit_core_test_CFLAGS)
testsuite_unit_foreign_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_foreign_test_SOURCES = testsuite/unit/foreign_test.c
testsuite_unit_foreign_test_LDADD = testsuite/fuzz/libfront.a
TESTS += testsuite/unit/foreign_test
check_PROGRAMS += testsuite/unit/ksyms_test
testsuite_unit_ksyms_test_CFLAGS = $(testsuite_unit_core_test_CFLAGS)
testsuite_unit_ksyms_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_ksyms_test_SOURCES = testsuite/unit/ksyms_test.c
testsuite_unit_ksyms_test_LDADD = testsuite/fuzz/libfront.a
TESTS += testsuite/unit/ksyms_test

# The fuzz entries on a bounded number of made-up inputs; with libFuzzer they run as long as one likes (make fuzz).
fuzz_flags = -std=gnu11 -g -O1 $(WARN_FLAGS) $(PATTERN_FLAGS) -fsanitize=address,undefined -fno-sanitize-recover=undefined
fuzz_link = -fsanitize=address,undefined
check_LIBRARIES += testsuite/fuzz/libstandalone.a
testsuite_fuzz_libstandalone_a_CFLAGS = $(fuzz_flags)
testsuite_fuzz_libstandalone_a_SOURCES = testsuite/fuzz/standalone.c
# The parser, what it stands on, and the translator with sanitizers, compiled once for all programs that test them.
check_LIBRARIES += testsuite/fuzz/libfront.a testsuite/fuzz/libtranslator.a
testsuite_fuzz_libtranslator_a_CFLAGS = $(fuzz_flags)
testsuite_fuzz_libtranslator_a_SOURCES = $(libtranslator_a_SOURCES)
testsuite_fuzz_libfront_a_CPPFLAGS = $(AM_CPPFLAGS) $(paths_flags)
testsuite_fuzz_libfront_a_CFLAGS = $(fuzz_flags)
testsuite_fuzz_libfront_a_SOURCES = $(libparser_a_SOURCES) $(liblapwing_a_SOURCES)
check_PROGRAMS += testsuite/fuzz/fmt testsuite/fuzz/wire testsuite/fuzz/map testsuite/fuzz/parse
testsuite_fuzz_fmt_CFLAGS = $(fuzz_flags)
testsuite_fuzz_fmt_LDFLAGS = $(fuzz_link)
testsuite_fuzz_fmt_SOURCES = testsuite/fuzz/fmt.c
testsuite_fuzz_fmt_LDADD = testsuite/fuzz/libstandalone.a testsuite/unit/libcore.a
testsuite_fuzz_wire_CFLAGS = $(fuzz_flags)
testsuite_fuzz_wire_LDFLAGS = $(fuzz_link)
testsuite_fuzz_wire_SOURCES = testsuite/fuzz/wire.c
testsuite_fuzz_wire_LDADD = testsuite/fuzz/libstandalone.a testsuite/unit/libcore.a
testsuite_fuzz_map_CFLAGS = $(fuzz_flags)
testsuite_fuzz_map_LDFLAGS = $(fuzz_link)
testsuite_fuzz_map_SOURCES = testsuite/fuzz/map.c
testsuite_fuzz_map_LDADD = testsuite/fuzz/libstandalone.a testsuite/unit/libcore.a
testsuite_fuzz_parse_CFLAGS = $(fuzz_flags)
testsuite_fuzz_parse_LDFLAGS = $(fuzz_link)
testsuite_fuzz_parse_SOURCES = testsuite/fuzz/parse.c
testsuite_fuzz_parse_LDADD = testsuite/fuzz/libstandalone.a testsuite/fuzz/libfront.a $(GLIB_LIBS)
check_PROGRAMS += testsuite/fuzz/note
testsuite_fuzz_note_CFLAGS = $(fuzz_flags)
testsuite_fuzz_note_LDFLAGS = $(fuzz_link)
testsuite_fuzz_note_SOURCES = testsuite/fuzz/note.c runtime/run/note.c
testsuite_fuzz_note_LDADD = testsuite/fuzz/libstandalone.a
TESTS += testsuite/fuzz/note
check_PROGRAMS += testsuite/fuzz/segment
testsuite_fuzz_segment_CFLAGS = $(fuzz_flags)
testsuite_fuzz_segment_LDFLAGS = $(fuzz_link)
testsuite_fuzz_segment_SOURCES = testsuite/fuzz/segment.c store/segment.c
testsuite_fuzz_segment_LDADD = testsuite/fuzz/libstandalone.a $(GLIB_LIBS) $(ZSTD_LIBS)
TESTS += testsuite/fuzz/segment
check_PROGRAMS += testsuite/fuzz/spe
testsuite_fuzz_spe_CFLAGS = $(fuzz_flags)
testsuite_fuzz_spe_LDFLAGS = $(fuzz_link)
testsuite_fuzz_spe_SOURCES = testsuite/fuzz/spe.c perf/spe.c
testsuite_fuzz_spe_LDADD = testsuite/fuzz/libstandalone.a
TESTS += testsuite/fuzz/spe
check_PROGRAMS += testsuite/fuzz/trace
testsuite_fuzz_trace_CFLAGS = $(fuzz_flags)
testsuite_fuzz_trace_LDFLAGS = $(fuzz_link)
testsuite_fuzz_trace_SOURCES = testsuite/fuzz/trace.c runtime/run/trace.c runtime/run/spot.c
testsuite_fuzz_trace_LDADD = testsuite/fuzz/libstandalone.a testsuite/unit/libcore.a
TESTS += testsuite/fuzz/trace
check_PROGRAMS += testsuite/fuzz/translate
testsuite_fuzz_translate_CFLAGS = $(fuzz_flags)
testsuite_fuzz_translate_LDFLAGS = $(fuzz_link)
testsuite_fuzz_translate_SOURCES = testsuite/fuzz/translate.c
testsuite_fuzz_translate_LDADD = testsuite/fuzz/libstandalone.a testsuite/fuzz/libtranslator.a testsuite/fuzz/libfront.a $(GLIB_LIBS) $(DW_LIBS) $(ELF_LIBS)
check_PROGRAMS += testsuite/fuzz/regex
testsuite_fuzz_regex_CFLAGS = $(fuzz_flags)
testsuite_fuzz_regex_LDFLAGS = $(fuzz_link)
testsuite_fuzz_regex_SOURCES = testsuite/fuzz/regex.c
testsuite_fuzz_regex_LDADD = testsuite/fuzz/libstandalone.a testsuite/fuzz/libtranslator.a testsuite/unit/libcore.a $(GLIB_LIBS)
TESTS += testsuite/fuzz/regex
check_PROGRAMS += testsuite/unit/dfa_test
testsuite_unit_dfa_test_CFLAGS = $(fuzz_flags)
testsuite_unit_dfa_test_LDFLAGS = $(fuzz_link)
testsuite_unit_dfa_test_SOURCES = testsuite/unit/dfa_test.c
testsuite_unit_dfa_test_LDADD = testsuite/fuzz/libtranslator.a $(GLIB_LIBS)
TESTS += testsuite/unit/dfa_test
TESTS += testsuite/fuzz/fmt testsuite/fuzz/wire testsuite/fuzz/map testsuite/fuzz/parse testsuite/fuzz/check.sh testsuite/fuzz/capture

# The kernel runtime's locks under every schedule; linux/ stands in for the kernel's headers.
check_PROGRAMS += testsuite/unit/locks_test
testsuite_unit_locks_test_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/testsuite/unit
testsuite_unit_locks_test_CFLAGS = -std=gnu11 -g -O1 $(WARN_FLAGS) -U_FORTIFY_SOURCE
testsuite_unit_locks_test_SOURCES = testsuite/unit/locks_test.c runtime/kernel/context/locks.c
TESTS += testsuite/unit/locks_test

# Its queue of messages.
check_PROGRAMS += testsuite/unit/message_test
testsuite_unit_message_test_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/testsuite/unit
testsuite_unit_message_test_CFLAGS = $(testsuite_unit_core_test_CFLAGS)
testsuite_unit_message_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_message_test_SOURCES = testsuite/unit/message_test.c runtime/kernel/transport/message.c
TESTS += testsuite/unit/message_test

# Switches that the user runtime is not told of.
check_PROGRAMS += testsuite/unit/switch_test
testsuite_unit_switch_test_CFLAGS = $(testsuite_unit_core_test_CFLAGS)
testsuite_unit_switch_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_switch_test_SOURCES = testsuite/unit/switch_test.c runtime/user/context/call.c runtime/core/run_error.c
testsuite_unit_switch_test_LDADD = testsuite/fuzz/libfront.a
TESTS += testsuite/unit/switch_test

# Where records of events have what, by formats recorded of kernels.
check_PROGRAMS += testsuite/unit/record_layout_test
testsuite_unit_record_layout_test_CFLAGS = $(testsuite_unit_core_test_CFLAGS)
testsuite_unit_record_layout_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_record_layout_test_SOURCES = testsuite/unit/record_layout_test.c runtime/user/events/record_layout.c lib/tracefs_layout.c
TESTS += testsuite/unit/record_layout_test

# Which cache lines two CPUs write: compiled for the thread sanitizer, linked with a recorder of our own instead of its library.
check_PROGRAMS += testsuite/unit/lines_test
testsuite_unit_lines_test_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/testsuite/unit
testsuite_unit_lines_test_CFLAGS = -std=gnu11 -g -O1 $(WARN_FLAGS) -U_FORTIFY_SOURCE -fsanitize=thread -fno-builtin
testsuite_unit_lines_test_LDFLAGS = -Wl,--wrap=memset,--wrap=memcpy,--wrap=memmove
testsuite_unit_lines_test_SOURCES = testsuite/unit/lines_test.c testsuite/unit/no_runtime.c runtime/kernel/context/locks.c $(core_sources)
TESTS += testsuite/unit/lines_test

# make bench-core
EXTRA_PROGRAMS = testsuite/bench/core testsuite/bench/week
testsuite_bench_core_CFLAGS = $(AM_CFLAGS) -O2 -pthread
testsuite_bench_core_SOURCES = testsuite/bench/core.c testsuite/unit/no_runtime.c $(core_sources)
testsuite_bench_core_LDADD = $(GLIB_LIBS) -lpthread
testsuite_bench_week_CFLAGS = $(AM_CFLAGS) -O2
testsuite_bench_week_SOURCES = testsuite/bench/week.c
testsuite_bench_week_LDADD = libstore.a liblapwing.a $(SQLITE_LIBS) $(ZSTD_LIBS) $(GLIB_LIBS)

# Commands read back from kbuild.
check_PROGRAMS += testsuite/unit/recipe_test
testsuite_unit_recipe_test_SOURCES = testsuite/unit/recipe_test.c
testsuite_unit_recipe_test_LDADD = libtranslator.a libparser.a liblapwing.a $(GLIB_LIBS) $(DW_LIBS) $(ELF_LIBS)
TESTS += testsuite/unit/recipe_test
include testsuite/debuginfo/local.mk

# Names in images that a program of the test's own maps.
TESTS += testsuite/images/check.sh testsuite/images/check-lines.sh testsuite/notes/check.sh
check_PROGRAMS += testsuite/fuzz/capture
testsuite_fuzz_capture_CFLAGS = $(fuzz_flags)
testsuite_fuzz_capture_LDFLAGS = $(fuzz_link)
testsuite_fuzz_capture_SOURCES = testsuite/fuzz/capture.c report/block.c report/capture.c report/cgroup.c report/code.c report/filter.c report/key.c report/profile.c report/records.c report/tally.c lib/pair_ids.c
nodist_testsuite_fuzz_capture_SOURCES = report/capture.pb-c.c
testsuite_fuzz_capture_LDADD = testsuite/fuzz/libstandalone.a testsuite/fuzz/libfront.a $(GLIB_LIBS) $(PROTOBUF_C_LIBS) $(CAPSTONE_LIBS) -lz -lm
