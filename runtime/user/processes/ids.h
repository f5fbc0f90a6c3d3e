/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ids.h - ids of threads: users, groups, parents, sessions, and ids in their own namespaces.
 */
#ifndef LAPWING_USER_IDS_H
#define LAPWING_USER_IDS_H

#include "runtime/rt.h"

/* A thread or process has been started. */
struct thread_fork {
	s32	pid, tid;
	/* the thread that started it; the same process: a thread */
	s32	parent_pid, parent_tid;
	u64	time;
};

/*
 * Ids that change together. IDS_OWN_GROUP: process group in the innermost pid namespace, which is
 * not inherited. IDS_SPACE: the user namespace's mapping of users.
 */
enum ids_part { IDS_USERS, IDS_GROUP, IDS_OWN_GROUP, IDS_SPACE, IDS_PARTS };

struct ids {
	s32	ppid;
	u32	uid, euid, gid, egid;
	s32	pgrp, sid;
	s32	ns_pgrp, ns_sid;
	s32	ns_pid;			/* never changes */
};

/*
 * Opens events that record changes of ids; call it before the first ids_read(). If they cannot be
 * opened, no id is known.
 */
void ids_watch(void);
/* Reads a thread's current ids, for hits from now on. */
void ids_read(s32 pid, s32 tid);
void ids_fork(const struct thread_fork *f);
/* The thread executes the program at path, which device and inode identify. */
void ids_exec(s32 pid, s32 tid, const char *path, u64 dev, u64 ino, u64 time);
/* The thread exits; its ids are kept until ids_drop(), as the kernel still runs in it. */
void ids_exit(s32 tid);
void ids_drop(s32 tid);
/* Records may have been lost before `time`. */
void ids_lost(u64 time);
void ids_clear(void);

/* True if changes are recorded; otherwise no id is known. */
int ids_are_followed(void);
/* A thread's ids at that time; NULL: that part is not known. */
const struct ids *ids_of(s32 tid, enum ids_part part, u64 time);
/* A process's own group is not inherited: after this request it is read and followed. */
void ids_want_group(s32 pid);
/* A process's current ids. 0: no such process. */
int ids_now(s32 pid, struct ids *ids);
/*
 * A thread's id in its own pid namespace, which never changes; it is read now if it was not read
 * before. -1: not known.
 */
s32 ids_own_number(s32 pid, s32 tid);
/*
 * The parent that a process had at that time; if the parent has ended, the process has another one
 * now. 0: not known.
 */
int ids_parent(s32 pid, u64 time, s32 *parent);
/* True if no record says that the process has ended. */
int ids_exists(s32 pid);
/*
 * For a process whose parent (ids_parent()) may have ended: true if /proc shows the same parent. 0:
 * the parent that /proc shows is the known one from now on.
 */
int ids_has_same_parent(s32 pid);

#endif
