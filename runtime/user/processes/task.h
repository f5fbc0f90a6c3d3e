/* SPDX-License-Identifier: GPL-2.0-or-later */
/* task.h - processes and threads, as perf's records tell of them: names, who started whom. */
#ifndef LAPWING_USER_PROCESSES_TASK_H
#define LAPWING_USER_PROCESSES_TASK_H

#include "runtime/user/user.h"

/* Processes as perf and /proc tell of them, as of the record that is being handled. */
struct task_fork {
	s32	pid, tid;
	/* the thread that started it; the same process: a thread */
	s32	parent_pid, parent_tid;
	u64	time;
};
void task_comm(s32 tid, const char *comm, u64 time);
void task_fork(const struct task_fork *f);
void task_exit(s32 pid, s32 tid);
/* Records may have been lost before `time`. */
void task_lost(u64 time);
/*
 * From when on what a record of that time tells is known to hold: then, or, as later records may
 * have been lost, ~0: never.
 */
u64 task_holds(u64 time);
/* A thread's name at a time that records have come to; NULL: it is not known. */
const char *task_name(s32 tid, u64 time);
/* Is it the target, or of what that started? -1: the records that would tell may have been lost. */
int task_in_tree(s32 pid);
/*
 * Reads now what /proc tells of all that are not known: when an event of theirs is handled they may
 * have ended.
 */
void task_look_around(void);
void task_clear(void);

#endif
