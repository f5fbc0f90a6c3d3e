/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * life.c - see life.h.
 */
#include "runtime/user/probes/life.h"

#include "perf/records.h"
#include "runtime/core/phase.h"
#include "runtime/user/base/run_state.h"
#include "runtime/user/context/call.h"
#include "runtime/user/events/hit.h"
#include "runtime/user/probes/family_process.h"
#include "runtime/user/processes/exe_file.h"
#include "runtime/user/processes/ids.h"
#include "runtime/user/processes/thread.h"
#include "runtime/user/values/pmu.h"

/* A process or thread ends, and with it what is known of it. */
static void handle_exit(struct hit *hit)
{
	if (hit->pid != hit->tid) {
		process_lives(RT_THREAD_END, hit);
	} else {
		if (exe_file_begun(hit->pid))
			process_lives(RT_PROCESS_END, hit);
		exe_file_exit(hit->pid);
	}
	thread_exit(hit->pid, hit->tid);
	call_forget(hit->tid);
	pmu_forget(hit->tid);
}

static void handle_fork(struct hit *hit, s32 parent, s32 parent_tid)
{
	const struct thread_fork f = { hit->pid, hit->tid, parent, parent_tid, hit->time };

	thread_fork(&f);
	ids_fork(&f);
	if (hit->pid == parent) {
		process_lives(RT_THREAD_BEGIN, hit);
		return;
	}
	call_copy(parent_tid, hit->tid);
	exe_file_fork(hit->pid, parent);
	if (!exe_file_begun(hit->pid))
		process_lives(RT_PROCESS_BEGIN, hit);
}

static void handle_comm(struct hit *hit, const char *comm, int is_exec)
{
	if (is_exec && exe_file_begun(hit->pid))
		process_lives(RT_PROCESS_END, hit);
	if (is_exec) {
		run_state.executed |= hit->pid == run_state.target.pid;
		exe_file_exec(hit->pid);
		call_forget(hit->tid);
	}
	thread_comm(hit->tid, comm, hit->time);
}

void life_record(const struct perf_event_header *h, struct image *image, struct hit *hit)
{
	const u32 *w = (const u32 *)(h + 1);	/* pid, tid; FORK and EXIT: pid, ppid, tid, ptid */
	struct image_map map;

	hit->pid = (s32)w[0];
	hit->tid = (s32)w[1];
	if (h->type == PERF_RECORD_FORK || h->type == PERF_RECORD_EXIT)
		hit->tid = (s32)w[2];
	switch (h->type) {
	case PERF_RECORD_COMM:
		handle_comm(hit, (const char *)(w + 2), h->misc & PERF_RECORD_MISC_COMM_EXEC);
		break;
	case PERF_RECORD_FORK:
		handle_fork(hit, (s32)w[1], (s32)w[3]);
		break;
	case PERF_RECORD_EXIT:
		handle_exit(hit);
		break;
	}
	if (h->type == RECORDS_NOTE)
		phase_add((const struct wire_note *)(h + 1), h->size - sizeof(*h));
	records_apply(h, image);
	if (records_map(h, &map) && exe_file_map(hit->pid, &map)) {
		ids_exec(hit->pid, hit->pid, map.path, map.dev, map.ino, hit->time);
		exe_file_begun(hit->pid);
		process_lives(RT_PROCESS_BEGIN, hit);
	}
}

void life_lost(u64 until, int of_processes)
{
	call_doubt();
	if (!of_processes)
		return;
	run_state.executed = 1;
	exe_file_doubt();
	thread_lost(until);
}
