/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_hwbreak.c - process.data: writes to and accesses of a process's memory, by perf's
 * breakpoint events.
 *
 * One event per CPU and row, of any process: whether a hit is in the process wanted is checked at
 * the hit. Events of the process's threads would miss those of threads that start while the events
 * are opened. Lost hits are the probe's, although they may be another process's.
 */
#include "runtime/user/base/run_state.h"
#include "runtime/user/context/enter.h"
#include "runtime/user/events/hit.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/events/perf_open.h"
#include "runtime/user/events/perf_source.h"
#include "runtime/user/probes/family.h"
#include "runtime/user/transport/message.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct perf_tally *tallies;	/* per row */

static s32 process_of(const struct rt_hwbreak *row)
{
	return row->target ? run_state.target.pid : row->pid;
}

/* The process of -c does not count before its exec. */
static void hit_row(const void *data, struct hit *hit)
{
	const struct rt_hwbreak *row = data;

	if (hit->pid == process_of(row) &&
	    !(row->target && run_state.target.waits && !run_state.executed))
		enter_probe(row->probe, hit);
}

static void stop(const void *data, u32 n)
{
	const struct rt_hwbreak *rows = data;

	merge_close(hit_row);
	for (u32 i = 0; tallies && i < n; i++)
		enter_tally(rows[i].probe, &tallies[i]);
	free(tallies);
	tallies = NULL;
}

static struct perf_event_attr describe(const struct rt_hwbreak *row)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.sample_period = 1,
		.bp_type = row->reads ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W,
		.bp_addr = row->address,
		.bp_len = row->length,
	};

	if (!attr.bp_len)
		for (attr.bp_len = 4; attr.bp_addr % attr.bp_len; attr.bp_len /= 2)
			;
	return attr;
}

/* True also for one that has ended and was not waited for. False for a thread's id. */
static int process_exists(s32 pid)
{
	int fd = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;

	if (fd >= 0)
		close(fd);
	return fd >= 0 || (pid > 0 && errno == ENOSYS);
}

static int arm(const struct rt_hwbreak *row, struct perf_tally *tally)
{
	const struct perf_event_attr attr = describe(row);
	int rc;

	if (!process_exists(process_of(row))) {
		message_text(WIRE_ERROR, "probe %s registration error: %s", row->probe->point,
			     row->target ? "it needs -c or -x" : "there is no such process");
		return -ESRCH;
	}
	rc = perf_open(&attr, row->probe->point, hit_row, row, tally);
	if (!rc && tally->user_only)
		message_text(WIRE_WARNING,
			     "probe %s: accesses by the kernel in system calls of the program are "
				     "not seen: run as root for these",
			     row->probe->point);
	return rc;
}

static int start(const void *data, u32 n)
{
	const struct rt_hwbreak *rows = data;
	int rc = 0;

	tallies = calloc(n, sizeof(*tallies));
	if (!tallies)
		return -ENOMEM;
	for (u32 i = 0; i < n && !rc; i++)
		rc = arm(&rows[i], &tallies[i]);
	if (rc)
		stop(rows, n);
	return rc;
}

const struct rt_family rt_family_hwbreak = {
	.name	= "hwbreak",
	.start	= start,
	.stop	= stop,
};
