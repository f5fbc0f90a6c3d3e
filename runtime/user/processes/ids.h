/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ids.h - users, groups, parents and sessions of threads, and IDs in their own namespaces. For
 * task.c and dispatch.c.
 */
#ifndef LAPWING_IDS_H
#define LAPWING_IDS_H

#include "runtime/user/processes/task.h"
#include "runtime/user/user.h"

/*
 * Starts records of what changes ids; call it before the first ids_look(). Without them users,
 * groups and sessions are unknown.
 */
void ids_watch(void);
/* Reads a thread's ids as they are now, for hits from now on. */
void ids_look(s32 pid, s32 tid);
void ids_fork(const struct task_fork *f);
/* The thread executes the program at path, which device and inode identify. */
void ids_exec(s32 pid, s32 tid, const char *path, u64 dev, u64 ino, u64 time);
/* The thread exits; its ids are kept until ids_drop(), as the kernel still runs in it. */
void ids_exit(s32 tid);
void ids_drop(s32 tid);
/* Records may have been lost before `time`. */
void ids_lost(u64 time);
void ids_clear(void);

#endif
