/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread.h - names and parents of threads and processes, from perf's records and /proc. State is
 * that of the record being handled.
 */
#ifndef LAPWING_USER_THREAD_H
#define LAPWING_USER_THREAD_H

#include "runtime/rt.h"

struct thread_fork;

void thread_comm(s32 tid, const char *comm, u64 time);
void thread_fork(const struct thread_fork *f);
void thread_exit(s32 pid, s32 tid);
/* Records may have been lost before `time`. */
void thread_lost(u64 time);
/* A thread's name at the time of a handled record; NULL: not known. */
const char *thread_name(s32 tid, u64 time);
/* A process's current name, 16 bytes. 0: no such process. */
int thread_read_name(s32 pid, char *comm);
/* 0: all threads were read, and none has that id. */
int thread_may_exist(s32 tid);
/* 1: the target or a descendant; -1: unknown, as records may have been lost. */
int thread_in_tree(s32 pid);
/*
 * Reads the threads in /proc that are not known yet: they may have ended when an event of theirs is
 * handled.
 */
void thread_read_existing(void);
void thread_clear(void);

#endif
