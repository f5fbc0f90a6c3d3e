/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dispatch.c - handles perf's process records in order of time: passes a fork, an exec, an exit, a
 * mapping or a loss on to each part of the runtime that needs it.
 */
#include "runtime/user/session/dispatch.h"

#include "perf/records.h"
#include "runtime/core/phase.h"
#include "runtime/user/context/call.h"
#include "runtime/user/events/hooks.h"
#include "runtime/user/probes/family_process.h"
#include "runtime/user/processes/exe_file.h"
#include "runtime/user/processes/ids.h"
#include "runtime/user/processes/task.h"
#include "runtime/user/values/pmu.h"
#include "symbolize/process.h"

#include <string.h>

/* Process records arrive from now on; what ran before may end before its hits are named. */
void dispatch_look_around(void)
{
	if (session.looked)
		return;
	session.looked = 1;
	task_look_around();
	if (session.programs)
		process_each_there(exe_look);
	if (!(rt_script.capture & (RT_CAP_USYMS | RT_CAP_USTACK)))
		return;
	if (session.target.only)
		process_look(session.target.pid);
	else
		process_each_there(process_look);
}

/* A process or thread ends: drops what is known of it. */
static void handle_exit(struct hit *hit)
{
	if (hit->pid != hit->tid) {
		process_lives(RT_THREAD_END, hit);
	} else {
		if (exe_begun(hit->pid))
			process_lives(RT_PROCESS_END, hit);
		exe_exit(hit->pid);
	}
	task_exit(hit->pid, hit->tid);
	call_thread_exit(hit);
	pmu_forget(hit->tid);
}

static void handle_fork(struct hit *hit, s32 parent, s32 parent_tid)
{
	const struct task_fork f = { hit->pid, hit->tid, parent, parent_tid, hit->time };

	task_fork(&f);
	ids_fork(&f);
	if (hit->pid == parent) {
		process_lives(RT_THREAD_BEGIN, hit);
		return;
	}
	call_fork(parent, parent_tid, hit);
	exe_fork(hit->pid, parent);
	if (!exe_begun(hit->pid))
		process_lives(RT_PROCESS_BEGIN, hit);
}

static void handle_comm(struct hit *hit, const char *comm, int is_exec)
{
	if (is_exec && exe_begun(hit->pid))
		process_lives(RT_PROCESS_END, hit);
	if (is_exec) {
		exe_exec(hit->pid);
		process_ran(hit->pid);
		call_exec(hit);
	}
	task_comm(hit->tid, comm, hit->time);
}

/* To the reader, which finds the names in what handlers trace. */
static void pass_on(const struct perf_event_header *h, u64 time)
{
	struct {
		u64	time;
		u8	record[65536];		/* the largest that a header can tell of */
	} told;

	told.time = time;
	memcpy(told.record, h, h->size);
	runtime_message(WIRE_PROCESS, 0, &told, (u32)(sizeof(told.time) + h->size));
}

static void dispatch_record(const struct perf_event_header *h, struct image *image, u64 time,
			    u32 cpu)
{
	const u32 *w = (const u32 *)(h + 1);	/* pid, tid; FORK and EXIT: pid, ppid, tid, ptid */
	struct image_map map;
	struct hit hit = {
		.time = time, .cpu = cpu, .pid = (s32)w[0], .tid = (s32)w[1], .user_mode = 1
	};

	if (h->type == PERF_RECORD_FORK || h->type == PERF_RECORD_EXIT)
		hit.tid = (s32)w[2];
	switch (h->type) {
	case PERF_RECORD_COMM:
		handle_comm(&hit, (const char *)(w + 2), h->misc & PERF_RECORD_MISC_COMM_EXEC);
		break;
	case PERF_RECORD_FORK:
		handle_fork(&hit, (s32)w[1], (s32)w[3]);
		break;
	case PERF_RECORD_EXIT:
		handle_exit(&hit);
		break;
	}
	if (rt_script.capture & RT_CAP_NAMES && h->type != RECORDS_NOTE)
		pass_on(h, time);
	if (h->type == RECORDS_NOTE)
		phase_take((const struct wire_note *)(h + 1), h->size - sizeof(*h));
	records_apply(h, image);
	if (records_map(h, &map) && exe_map(hit.pid, &map)) {
		ids_exec(hit.pid, hit.pid, map.path, map.dev, map.ino, hit.time);
		exe_begun(hit.pid);
		process_lives(RT_PROCESS_BEGIN, &hit);
	}
}

/*
 * Calls that were open then become unproven; if process records were lost, /proc is read again.
 */
static void dispatch_loss(u64 until, int of_processes)
{
	call_doubt();
	if (!of_processes)
		return;
	exe_doubt();
	task_lost(until);
	process_ran(session.target.pid);
}

const struct event_hooks event_hooks = {
	.opened = dispatch_look_around,
	.record = dispatch_record,
	.counts = pmu_look,
	.lost = dispatch_loss,
	.group = pmu_group,
	.cpu_gone = pmu_gone,
	.cpu_opens = pmu_came,
	.cpu_opened = pmu_go_on,
};
