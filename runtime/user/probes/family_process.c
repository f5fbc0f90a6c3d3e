/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_process.c - begin and end of processes and threads, from perf's process records, and their
 * system calls, from raw_syscalls.
 *
 * Processes that exist when the run starts begin then.
 */
#include "runtime/user/probes/family_process.h"

#include "runtime/user/base/time.h"
#include "runtime/user/context/enter.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/events/source.h"
#include "runtime/user/events/tracefs.h"
#include "runtime/user/processes/exe_file.h"
#include "runtime/user/processes/task.h"
#include "runtime/user/transport/message.h"
#include "runtime/user/user.h"
#include "runtime/user/context/regs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct rt_process *rows;
static struct record_layout layouts[2];	/* of system calls, and of their returns */
static u32 nrows;
static struct merge_tally *tallies;	/* per row */
static s32 *there;			/* processes when the run started; ends with 0 */
static s32 waiting;			/* the child of -c before it runs the command; 0: none */

static int is_wanted(const struct rt_process *row, s32 pid)
{
	if (row->pid && pid != row->pid)
		return 0;
	if (row->target && session.target.pid && (pid == waiting || task_in_tree(pid) <= 0))
		return 0;
	return !row->path || exe_is(pid, row->path);
}

static void hit_call(const void *data, struct hit *hit)
{
	const struct rt_process *row = data;

	hit->layout = &layouts[row->event == RT_PROCESS_SYSCALL_RETURN];
	if (is_wanted(row, hit->pid))
		enter_probe(row->probe, hit);
}

void process_ran(s32 pid)
{
	if (pid == waiting)
		waiting = 0;
}

void process_lives(enum rt_process_event event, const struct hit *hit)
{
	for (u32 i = 0; i < nrows; i++) {
		struct hit own = *hit;

		if (rows[i].event == event && is_wanted(&rows[i], hit->pid))
			enter_probe(rows[i].probe, &own);
	}
}

/* ---- processes that exist already ----------------------------------------------------*/

static u64 begin_there(const void *row, struct hit *hit)
{
	for (const s32 *pid = there; pid && *pid; pid++) {
		hit->pid = hit->tid = *pid;
		exe_begun(*pid);
		process_lives(RT_PROCESS_BEGIN, hit);
	}
	return ~0ULL;
}

/* This process, and the child that will become the command of -c. */
static int is_ours(s32 pid)
{
	return pid == getpid() || (pid == session.target.pid && exe_is(pid, "/proc/self/exe"));
}

/* 0 or -ENOMEM. */
static int list_there(void)
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
 * The process to attach to, so that others cost nothing: includes only what it starts from now on.
 * 0: all processes.
 */
static s32 attach_to(const struct rt_process *row)
{
	if (row->pid)
		return row->pid;
	if (session.target.only)
		return session.target.pid;
	if (!row->target || !session.target.pid)
		return 0;
	for (const s32 *pid = there; *pid; pid++)
		if (*pid != session.target.pid && task_in_tree(*pid) > 0)
			return 0;
	return session.target.pid;
}

static int arm(const struct rt_process *row, struct merge_tally *tally)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT,
					.sample_period = 1,
					.sample_type = PERF_SAMPLE_RAW };
	int is_return = row->event == RT_PROCESS_SYSCALL_RETURN;
	const char *name = is_return ? "sys_exit" : "sys_enter";
	long id;

	if (row->pid < 0)
		return 0;
	if (!is_call(row))
		return merge_open_process(0, NULL, row->probe->point, NULL, NULL, tally);
	if (!tracefs_root())		/* which it reported */
		return -EACCES;
	id = tracefs_event("raw_syscalls", name);
	if (id < 0)
		return refuse_probe(row->probe, 0, -ENOENT, RUN_TRACEPOINT_NONE, NULL);
	tracefs_records("raw_syscalls", name, &layouts[is_return]);
	attr.config = (u64)id;
	if (row->probe->capture & RT_CAP_ABI)
		attr.sample_regs_user = regs_stack_bit();
	attr.inherit_thread = row->pid != 0;
	return merge_open_process(attach_to(row), &attr, row->probe->point, hit_call, row, tally);
}

static void stop(const void *data, u32 n)
{
	u64 all, untold = merge_untold(&all);

	merge_close(hit_call);
	for (u32 i = 0; tallies && i < n; i++)
		enter_missed(rows[i].probe, is_call(&rows[i]) ? merge_lost(&tallies[i]) : untold);
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
	waiting = session.target.waits ? session.target.pid : 0;
	tallies = calloc(n, sizeof(*tallies));
	if (!tallies)
		return -ENOMEM;
	for (u32 i = 0; i < n; i++)
		session.programs |= rows[i].path != NULL;
	rc = list_there();
	for (u32 i = 0; i < n && !rc; i++)
		rc = arm(&rows[i], &tallies[i]);
	if (rc)
		stop(rows, n);
	else
		merge_timer(NULL, time_mono(), begin_there);
	return rc;
}

const struct rt_family rt_family_process = {
	.name	= "process",
	.start	= start,
	.stop	= stop,
};
