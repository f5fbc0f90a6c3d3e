# tapsets: the script library, see HACKING.md
# SPDX-License-Identifier: GPL-2.0-or-later
tapsetsdir = $(pkgdatadir)
nobase_dist_tapsets_DATA = $(tapset_files)
tapset_files = \
	tapsets/ansi.stp tapsets/arcs.stp tapsets/begin.stp tapsets/block.stp tapsets/bytes.stp \
	tapsets/context.stp tapsets/errno.stp tapsets/indent.stp tapsets/inet.stp tapsets/input.stp \
	tapsets/irq.stp tapsets/json.stp tapsets/json.stpm tapsets/kprocess.stp tapsets/libc.stp \
	tapsets/loadavg.stp tapsets/logging.stp tapsets/macros.stpm tapsets/memory.stp \
	tapsets/netdev.stp tapsets/null.stp tapsets/path.stp tapsets/perf.stp tapsets/prometheus.stp \
	tapsets/prometheus.stpm tapsets/queue_stats.stp tapsets/scheduler.stp tapsets/signal.stp \
	tapsets/socket.stp tapsets/speculation.stp tapsets/stack.stp tapsets/stopwatch.stp \
	tapsets/syscall_any.stp tapsets/syscall_names.stp tapsets/syscall_text.stp \
	tapsets/target_set.stp tapsets/task.stp tapsets/this.stp tapsets/time.stp tapsets/vfs.stp \
	tapsets/vm.stp

# Aliases of system calls, from a table: a file for each of its sections.
syscall_files = files status folders owners descriptors mounts watches attributes memory processes signals time waiting network messages \
	machine others tracepoint names
syscall_aliases = $(syscall_files:%=tapsets/linux/syscalls_%.stp)
nobase_nodist_tapsets_DATA = $(syscall_aliases)
CLEANFILES += $(syscall_aliases)
$(syscall_aliases): tapsets/syscalls32.tbl tapsets/syscalls.tbl tapsets/syscalls.awk
	$(AM_V_GEN)$(MKDIR_P) tapsets/linux && \
		$(AWK) -v way=$(patsubst syscalls_%.stp,%,$(@F)) -f $(srcdir)/tapsets/syscalls.awk $(srcdir)/tapsets/syscalls32.tbl $(srcdir)/tapsets/syscalls.tbl > $@
