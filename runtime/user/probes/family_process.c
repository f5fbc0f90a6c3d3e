/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_process.c - the life of processes and threads, from perf's records of them, and their
 * system calls, from raw_syscalls.
 *
 * For existing processes, begin is hit when the run starts.
 */
#include "runtime/user/probes/family_process.h"

#include "runtime/user/base/run_state.h"
#include "runtime/user/base/time.h"
#include "runtime/user/context/enter.h"
#include "runtime/user/events/hit.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/events/perf_open.h"
#include "runtime/user/events/perf_source.h"
#include "runtime/user/events/timers.h"
#include "runtime/user/events/tracefs.h"
#include "runtime/user/probes/family.h"
#include "runtime/user/processes/exe_file.h"
#include "runtime/user/processes/thread.h"
#include "runtime/user/transport/message.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct rt_process *rows;
static u32 nrows;
static struct perf_tally *tallies;	/* per row */
static s32 *there;			/* processes when the run started; 0 ends them */

static int is_wanted(const struct rt_process *row, s32 pid)
{
	if (row->pid && pid != row->pid)
		return 0;
	if (row->target && run_state.target.pid && thread_in_tree(pid) <= 0)
		return 0;
	return !row->path || exe_file_is(pid, row->path);
}

static void hit_call(const void *data, struct hit *hit)
{
	const struct rt_process *row = data;

	if (is_wanted(row, hit->pid))
		enter_probe(row->probe, hit);
}

void process_lives(enum rt_process_event event, const struct hit *hit)
{
	for (u32 i = 0; i < nrows; i++) {
		struct hit own = *hit;

		if (rows[i].event == event && is_wanted(&rows[i], hit->pid))
			enter_probe(rows[i].probe, &own);
	}
}

/* ---- existing processes ---------------------------------------------------- */

static u64 begin_existing(const void *row, struct hit *hit)
{
	for (const s32 *pid = there; pid && *pid; pid++) {
		hit->pid = hit->tid = *pid;
		exe_file_begun(*pid);
		process_lives(RT_PROCESS_BEGIN, hit);
	}
	return ~0ULL;
}

/* This process, and the child that will run the command of -c. */
static int is_ours(s32 pid)
{
	return pid == getpid() ||
	       (pid == run_state.target.pid && exe_file_is(pid, "/proc/self/exe"));
}

/* 0 or -ENOMEM. */
static int list_existing(void)
{
	size_t n = 0, room = 0;
	struct dirent *d;
	DIR *dir = opendir("/proc");

	while (dir && (d = readdir(dir))) {
		if (n + 1 >= room) {
			s32 *more = realloc(there, (room = room ? 2 * room : 256) * sizeof(*there));

			if (!more)
				break;
			there = more;
			there[n] = 0;
		}
		if (!isdigit((unsigned char)d->d_name[0]) || is_ours(atoi(d->d_name)))
			continue;
		there[n++] = atoi(d->d_name);
		there[n] = 0;
	}
	if (dir)
		closedir(dir);
	return there ? 0 : -ENOMEM;
}

/* ---- arming --------------------------------------------------------------------*/

static int is_call(const struct rt_process *row)
{
	return row->event == RT_PROCESS_SYSCALL || row->event == RT_PROCESS_SYSCALL_RETURN;
}

/*
 * The process to attach to, so that others cost nothing: only what it starts from now on comes with
 * it. 0: all processes.
 */
static s32 attach_to(const struct rt_process *row)
{
	if (row->pid)
		return row->pid;
	if (run_state.target.only)
		return run_state.target.pid;
	if (!row->target || !run_state.target.pid)
		return 0;
	for (const s32 *pid = there; *pid; pid++)
		if (*pid != run_state.target.pid && thread_in_tree(*pid) > 0)
			return 0;
	return run_state.target.pid;
}

static int arm(const struct rt_process *row, struct perf_tally *tally)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT,
					.sample_period = 1,
					.sample_type = PERF_SAMPLE_RAW };
	long id;

	if (!is_call(row))
		return perf_open_process(0, NULL, row->probe->point, NULL, NULL, tally);
	if (!tracefs_root())		/* which it said */
		return -EACCES;
	id = tracefs_event("raw_syscalls",
			   row->event == RT_PROCESS_SYSCALL ? "sys_enter" : "sys_exit");
	if (id < 0) {
		message_text(WIRE_ERROR,
			     "probe %s registration error: no event raw_syscalls in %s/events",
			     row->probe->point, tracefs_root());
		return -ENOENT;
	}
	attr.config = (u64)id;
	attr.inherit_thread = row->pid != 0;
	return perf_open_process(attach_to(row), &attr, row->probe->point, hit_call, row, tally);
}

static void stop(const void *data, u32 n)
{
	u64 all, untold = perf_process_lost(&all);

	merge_close(hit_call);
	for (u32 i = 0; tallies && i < n; i++)
		if (is_call(&rows[i]))
			enter_tally(rows[i].probe, &tallies[i]);
		else
			enter_missed(rows[i].probe, untold);
	free(tallies);
	free(there);
	tallies = NULL;
	there = NULL;
	rows = NULL;
	nrows = 0;
}

static int start(const void *data, u32 n)
{
	int rc = 0;

	rows = data;
	nrows = n;
	tallies = calloc(n, sizeof(*tallies));
	if (!tallies)
		return -ENOMEM;
	for (u32 i = 0; i < n; i++)
		run_state.programs |= rows[i].path != NULL;
	rc = list_existing();
	for (u32 i = 0; i < n && !rc; i++)
		rc = arm(&rows[i], &tallies[i]);
	if (rc)
		stop(rows, n);
	else
		timers_add(NULL, time_mono(), begin_existing);
	return rc;
}

const struct rt_family rt_family_process = {
	.name	= "process",
	.start	= start,
	.stop	= stop,
};
