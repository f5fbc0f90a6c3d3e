/* SPDX-License-Identifier: GPL-2.0-or-later */
/* task.h - processes and threads, from perf's records: names, and which process started which. */
#ifndef LAPWING_USER_PROCESSES_TASK_H
#define LAPWING_USER_PROCESSES_TASK_H

#include "runtime/user/user.h"

/* Processes according to perf and /proc, as of the record being handled. */
struct task_fork {
	s32	pid, tid;
	/* the thread that started it; if of the same process, this is a new thread */
	s32	parent_pid, parent_tid;
	u64	time;
};
void task_comm(s32 tid, const char *comm, u64 time);
void task_fork(const struct task_fork *f);
void task_exit(s32 pid, s32 tid);
/* Records may have been lost before `time`. */
void task_lost(u64 time);
/*
 * From when on what a record of that time says is known to hold: `time`, or ~0 (never) if later
 * records may have been lost.
 */
u64 task_holds(u64 time);
/* A thread's name at a time that the records have reached; NULL: unknown. */
const char *task_name(s32 tid, u64 time);
/* 1: the target, or a descendant of it. -1: unknown, as the records may have been lost. */
int task_in_tree(s32 pid);
/*
 * Reads from /proc the threads that are unknown: when an event of theirs is handled they may have
 * ended.
 */
void task_look_around(void);
void task_clear(void);

#endif
