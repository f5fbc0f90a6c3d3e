/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ids.c - see ids.h.
 *
 * perf's records have no users and groups. They are read from /proc before the first probe is
 * armed; children inherit those of the thread that starts them; and on an event of a system call
 * that changes them they are read again. What is read holds for hits from then on: for hits between
 * the change and the read it is unknown. Unknown is -1, and is counted.
 */
#include "runtime/user/processes/ids.h"

#include "lib/id_table.h"
#include "lib/tracefs_mount.h"
#include "runtime/user/base/time.h"
#include "runtime/user/base/unread.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/events/source.h"
#include "runtime/user/events/tracefs.h"
#include "runtime/user/processes/task.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define NEVER		(~0ULL)

/*
 * Ids that change together. OWN_GROUP: as the innermost namespace numbers it, so not inherited.
 * SPACE: the users of its namespace.
 */
enum part { USERS, GROUP, OWN_GROUP, SPACE, PARTS };
#define ALL ((1U << PARTS) - 1)

struct ids {
	s32	ppid;
	u32	uid, euid, gid, egid;
	s32	pgrp, sid;
	s32	ns_pgrp, ns_sid;
	s32	ns_pid;			/* never changes */
};

struct thread {
	struct id_entry	tid;
	s32		pid;
	int		ended;
	/* it is about to set the group of itself (0), or of any child (not 0) */
	s64		moves;
	/* the ids hold from this time on; NEVER: they are unknown */
	u64		since[PARTS];
	u64		parent_since;	/* the same for ids.ppid, until that process ends */
	struct ids	ids;
};

static struct id_table threads;
static int watched;		/* changes are followed */
static struct merge_tally tally = { .tells = 1 };
/* Offset of the result in a record of sys_exit; of the first argument in sys_enter's. */
static u32 result_at, argument_at;

static struct thread *find(s32 tid)
{
	return id_find(&threads, tid);
}

static struct thread *get(s32 pid, s32 tid)
{
	struct thread *t = find(tid);

	if (t)
		return t;
	t = id_get(&threads, tid, sizeof(*t));
	if (!t)
		return NULL;
	t->pid = pid;
	t->parent_since = NEVER;
	for (int i = 0; i < PARTS; i++)
		t->since[i] = NEVER;
	return t;
}

/* ---- /proc ---------------------------------------------------------------------*/

/* First and last number of a line "Name:\t1\t2\t3"; 0: it is another line. */
static int status_line(const char *line, const char *name, s32 *first, s32 *last)
{
	size_t len = strlen(name);
	char *end;

	if (strncmp(line, name, len) || line[len] != ':')
		return 0;
	*first = *last = (s32)strtol(line + len + 1, &end, 10);
	for (const char *p = end; (long)strtol(p, &end, 10), end != p; p = end)
		*last = (s32)strtol(p, NULL, 10);
	return 1;
}

/* Reads the ids as they are now; 0: no such thread. */
static int read_status(s32 pid, s32 tid, struct ids *ids)
{
	char path[64], line[256];
	s32 unused;
	FILE *f;

	memset(ids, 0, sizeof(*ids));
	snprintf(path, sizeof(path), "/proc/%d/task/%d/status", pid, tid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	while (fgets(line, sizeof(line), f)) {
		if (status_line(line, "PPid", &ids->ppid, &unused) ||
		    status_line(line, "NSpid", &unused, &ids->ns_pid) ||
		    status_line(line, "NSpgid", &ids->pgrp, &ids->ns_pgrp))
			continue;
		if (!strncmp(line, "Uid:", 4))
			sscanf(line, "%*s %u %u", &ids->uid, &ids->euid);
		else if (!strncmp(line, "Gid:", 4))
			sscanf(line, "%*s %u %u", &ids->gid, &ids->egid);
		else
			status_line(line, "NSsid", &ids->sid, &ids->ns_sid);
	}
	fclose(f);
	return 1;
}

/* Reads some parts again; parts has a bit for each. */
static void look(struct thread *t, u32 parts)
{
	struct ids now;
	u64 since = read_status(t->pid, t->tid.id, &now) ? time_mono() : NEVER;

	for (int i = 0; i < PARTS; i++)
		if (parts >> i & 1)
			t->since[i] = since;
	if (since == NEVER)
		return;
	if (t->parent_since == NEVER)
		t->parent_since = since;
	else
		now.ppid = t->ids.ppid;
	if (!(parts >> USERS & 1))
		memcpy(&now.uid, &t->ids.uid, 4 * sizeof(now.uid));
	if (!(parts >> GROUP & 1))
		memcpy(&now.pgrp, &t->ids.pgrp, 2 * sizeof(now.pgrp));
	if (!(parts >> OWN_GROUP & 1))
		memcpy(&now.ns_pgrp, &t->ids.ns_pgrp, 2 * sizeof(now.ns_pgrp));
	t->ids = now;
}

void ids_look(s32 pid, s32 tid)
{
	struct thread *t = get(pid, tid);

	if (t)
		look(t, ALL);
}

/* ---- changes -------------------------------------------------------------------*/

/* True if what was read from /proc includes what happened at `time`. */
static int is_told(const struct thread *t, enum part part, u64 time)
{
	return t->since[part] != NEVER && time < t->since[part];
}

static void changed(s32 pid, s32 tid, u32 parts, u64 time)
{
	struct thread *t = get(pid, tid);

	for (int i = 0; t && i < PARTS; i++)
		if (is_told(t, i, time))
			parts &= ~(1U << i);
	if (t && parts)
		look(t, parts);
}

static s64 word_at(const struct hit *hit, u32 at)
{
	s64 word = -1;

	if (at && hit->raw_bytes >= at + sizeof(word))
		memcpy(&word, hit->raw + at, sizeof(word));
	return word;
}

/* A system call that changes these parts of the thread, or of its process, has returned. */
static void hit_own(const void *row, struct hit *hit)
{
	u32 parts = *(const u32 *)row;

	if (word_at(hit, result_at) < 0)
		return;
	changed(hit->pid, hit->tid, parts, hit->time);
	if (hit->pid != hit->tid && parts & 1U << GROUP)
		changed(hit->pid, hit->pid, parts, hit->time);
}

static void forget_group(s32 pid, u64 time)
{
	struct thread *t = get(pid, pid);

	for (int i = GROUP; t && i <= OWN_GROUP; i++)
		if (!is_told(t, i, time))
			t->since[i] = NEVER;
}

/*
 * setpgid(process, group): at some time before it returns, that process, the caller or a child of
 * it, moves to another group.
 */
static void hit_group(const void *row, struct hit *hit)
{
	const u32 parts = 1U << GROUP | 1U << OWN_GROUP;
	struct thread *caller = get(hit->pid, hit->tid);
	const struct thread *t;

	if (!caller)
		return;
	if (!row)
		caller->moves = word_at(hit, argument_at);
	ID_EACH (t, &threads) {
		if (t->pid != t->tid.id ||
		    (t->pid != hit->pid && (!caller->moves || t->ids.ppid != hit->pid)))
			continue;
		if (row)
			changed(t->pid, t->pid, parts, hit->time);
		else
			forget_group(t->pid, hit->time);
	}
}

static int watch_call(const char *event, hit_fn *hit, const void *row)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT,
					.sample_period = 1,
					.sample_type = PERF_SAMPLE_RAW,
					.exclude_callchain_user = 1 };
	long id = tracefs_event("syscalls", event);

	attr.config = (u64)id;
	return id < 0 ? -1 : merge_open(&attr, "uid()", hit, row, &tally);
}

void ids_watch(void)
{
	static const u32 users = 1U << USERS, group = 1U << GROUP | 1U << OWN_GROUP,
			 space = 1U << SPACE;
	static const struct {
		const char *event;
		const u32 *parts;
	} calls[] = {
		{ "sys_exit_setuid", &users },	  { "sys_exit_setgid", &users },
		{ "sys_exit_setreuid", &users },  { "sys_exit_setregid", &users },
		{ "sys_exit_setresuid", &users }, { "sys_exit_setresgid", &users },
		{ "sys_exit_setsid", &group },	  { "sys_exit_setns", &space },
		{ "sys_exit_unshare", &space },
	};
	struct record_layout exits, entries;
	int rc = 0;

	if (watched || !(rt_script.capture & RT_CAP_CRED) || geteuid() || !tracefs_find())
		return;
	tracefs_records("syscalls", calls[0].event, &exits);
	tracefs_records("syscalls", "sys_enter_setpgid", &entries);
	result_at = exits.result;
	argument_at = entries.arguments;
	for (u32 i = 0; i < sizeof(calls) / sizeof(calls[0]) && !rc; i++)
		rc = watch_call(calls[i].event, hit_own, calls[i].parts);
	rc = rc ? rc : watch_call("sys_enter_setpgid", hit_group, NULL);
	rc = rc ? rc : watch_call("sys_exit_setpgid", hit_group, &tally);
	watched = !rc;
}

/*
 * Takes the ids that the starting thread has at that time; those that are unknown are read now, and
 * hold from now on.
 */
void ids_fork(const struct task_fork *f)
{
	const struct thread *from = find(f->parent_tid), *first = find(f->parent_pid);
	const struct thread *const of[PARTS] = { from, first, NULL, from };
	struct thread *t = from || first ? get(f->pid, f->tid) : NULL;
	u32 unknown = 0;

	if (!t)
		return;
	t->pid = f->pid;
	t->ended = 0;
	t->moves = 0;
	t->ids.ppid = f->parent_pid;		/* not used for a thread */
	t->parent_since = task_holds(f->time);
	for (int i = 0; i < PARTS; i++) {
		if (is_told(t, i, f->time))
			continue;
		t->since[i] = of[i] && of[i]->since[i] <= f->time ? task_holds(f->time) : NEVER;
		unknown |= of[i] && t->since[i] == NEVER ? 1U << i : 0;
		if (i == USERS && t->since[i] != NEVER)
			memcpy(&t->ids.uid, &from->ids.uid, 4 * sizeof(t->ids.uid));
		if (i == GROUP && t->since[i] != NEVER)
			memcpy(&t->ids.pgrp, &first->ids.pgrp, 2 * sizeof(t->ids.pgrp));
	}
	if (unknown)
		look(t, unknown);
}

/*
 * True if the file sets user or group, or may have done so: its mode is read now, and is that at
 * the hit only if nothing has changed since.
 */
static int may_give_users(const char *path, u64 dev, u64 ino, u64 time)
{
	u64 wall = time + (u64)session.wall_minus_mono;
	struct stat st;

	if (stat(path, &st) || st.st_ino != ino ||
	    ((u64)major(st.st_dev) << 20 | minor(st.st_dev)) != dev)
		return 1;
	return st.st_mode & (S_ISUID | S_ISGID) ||
	       (u64)st.st_ctim.tv_sec * 1000000000 + (u64)st.st_ctim.tv_nsec >= wall;
}

void ids_exec(s32 pid, s32 tid, const char *path, u64 dev, u64 ino, u64 time)
{
	if (find(tid) && may_give_users(path, dev, ino, time))
		changed(pid, tid, 1U << USERS, time);
}

void ids_exit(s32 tid)
{
	struct thread *t = find(tid);

	if (t)
		t->ended = 1;
}

void ids_drop(s32 tid)
{
	const struct thread *t = find(tid);

	if (t && t->ended)		/* its thread ID was not reused */
		free(id_remove(&threads, tid));
}

/* True if the process has not ended. */
static int is_there(s32 pid)
{
	const struct thread *t = find(pid);

	return t && !t->ended;
}

void ids_lost(u64 time)
{
	struct thread *t;

	ID_EACH (t, &threads)
		for (int part = 0; part < PARTS; part++)
			if (!is_told(t, part, time))
				t->since[part] = t->parent_since = NEVER;
}

void ids_clear(void)
{
	const struct thread *t;

	ID_EACH (t, &threads)
		free(id_remove(&threads, t->tid.id));
	merge_close(hit_own);
	merge_close(hit_group);
	watched = 0;
}

/* ---- what handlers read --------------------------------------------------------*/

static const struct hit *hit_of(const struct rt_ctx *c)
{
	return c->hit;
}

static const struct ids *unknown(const struct rt_ctx *c, const char *what)
{
	static const struct ids none = { -1, ~0U, ~0U, ~0U, ~0U, -1, -1, -1, -1, -1 };

	unread_note(
		c, what,
		watched || !(rt_script.capture & RT_CAP_CRED)
			? "it changed, or its process started or lost its parent, less than 0.1 s "
			  "before, or records were lost; the kernel runtime reads it (--target=vm)"
			: "its changes are not traced: that needs root and the syscall events of "
			  "tracefs; the kernel runtime reads it");
	return &none;
}

static const struct ids *now(s32 pid)
{
	static struct ids ids;

	read_status(pid, pid, &ids);
	return &ids;
}

static const struct ids *ids_of(struct rt_ctx *c, s32 tid, enum part part, const char *what)
{
	static const struct ids idle;
	const struct thread *t = find(tid);

	if (user_is_phase(c))
		return now(getpid());
	if (!tid)
		return &idle;
	return watched && t && t->since[part] <= c->now ? &t->ids : unknown(c, what);
}

/*
 * The ID of a process or thread in its own namespace never changes: if it was not read yet, it is
 * read now.
 */
static s32 own_number(struct rt_ctx *c, s32 pid, s32 tid, const char *what)
{
	struct thread *t = find(tid);
	struct ids late;

	if (user_is_phase(c))
		return now(pid)->ns_pid;
	if (!tid || (t && t->ids.ns_pid))
		return tid ? t->ids.ns_pid : 0;
	if (!read_status(pid, tid, &late))
		return unknown(c, what)->ns_pid;
	if (t)
		t->ids.ns_pid = late.ns_pid;
	return late.ns_pid;
}

/* They are not inherited: they are read at the first use, and known from then on. */
static const struct ids *own_group_of(struct rt_ctx *c, s32 pid, const char *what)
{
	struct thread *t = find(pid);

	if (!user_is_phase(c) && watched && t && t->since[OWN_GROUP] == NEVER)
		look(t, 1U << OWN_GROUP);
	return ids_of(c, pid, OWN_GROUP, what);
}

/* True if the run gets the record of its end. */
static int is_followed(s32 pid)
{
	return !session.target.only || pid == getpid() || task_in_tree(pid) > 0;
}

/*
 * A process keeps its parent until the parent ends. Then it gets another one, which only /proc
 * shows: that the parent is still the first one, or which one it is from some time on.
 */
static s64 parent_of(struct rt_ctx *c, s32 pid)
{
	struct thread *t = find(pid);
	struct ids late;
	s32 before;

	if (user_is_phase(c))
		return getppid();
	if (!pid)
		return 0;
	if (!t || t->parent_since > c->now)
		return unknown(c, "ppid()")->ppid;
	before = t->ids.ppid;
	if (!before || (is_there(before) && is_followed(before)))
		return before;
	if (read_status(pid, pid, &late) && late.ppid == before)
		return before;
	t->ids.ppid = late.ppid;
	t->parent_since = late.ppid ? time_mono() : NEVER;
	return unknown(c, "ppid()")->ppid;
}

s64 rt_ppid(struct rt_ctx *c) { return parent_of(c, hit_of(c)->pid); }
/* User and group IDs use all 32 bits. */
static s64 number(u32 id) { return id == ~0U ? -1 : (s64)id; }

s64 rt_uid(struct rt_ctx *c) { return number(ids_of(c, hit_of(c)->tid, USERS, "uid()")->uid); }
s64 rt_gid(struct rt_ctx *c) { return number(ids_of(c, hit_of(c)->tid, USERS, "gid()")->gid); }
s64 rt_euid(struct rt_ctx *c) { return number(ids_of(c, hit_of(c)->tid, USERS, "euid()")->euid); }
s64 rt_egid(struct rt_ctx *c) { return number(ids_of(c, hit_of(c)->tid, USERS, "egid()")->egid); }
s64 rt_pgrp(struct rt_ctx *c) { return ids_of(c, hit_of(c)->pid, GROUP, "pgrp()")->pgrp; }
s64 rt_sid(struct rt_ctx *c) { return ids_of(c, hit_of(c)->pid, GROUP, "sid()")->sid; }
s64 rt_ns_pid(struct rt_ctx *c)
{
	return own_number(c, hit_of(c)->pid, hit_of(c)->pid, "ns_pid()");
}
s64 rt_ns_tid(struct rt_ctx *c)
{
	return own_number(c, hit_of(c)->pid, hit_of(c)->tid, "ns_tid()");
}
s64 rt_ns_pgrp(struct rt_ctx *c) { return own_group_of(c, hit_of(c)->pid, "ns_pgrp()")->ns_pgrp; }
s64 rt_ns_sid(struct rt_ctx *c) { return own_group_of(c, hit_of(c)->pid, "ns_sid()")->ns_sid; }

s64 rt_ns_ppid(struct rt_ctx *c)
{
	s32 parent = (s32)rt_ppid(c);

	return parent > 0 ? own_number(c, parent, parent, "ns_ppid()") : parent;
}

/*
 * Maps an ID to the process's user namespace; changes of that namespace are followed. The file has
 * lines "inside outside count".
 */
static s64 map_id(struct rt_ctx *c, const char *file, s64 id, const char *what)
{
	long long inside, outside, count;
	char path[64];
	s64 mapped = id;
	FILE *f;

	if (id < 0 || (!user_is_phase(c) && ids_of(c, hit_of(c)->tid, SPACE, what)->uid == ~0U))
		return -1;
	snprintf(path, sizeof(path), "/proc/%d/%s", user_is_phase(c) ? getpid() : hit_of(c)->pid,
		 file);
	f = fopen(path, "re");
	if (!f)
		return number(unknown(c, what)->uid);
	while (fscanf(f, "%lld %lld %lld", &inside, &outside, &count) == 3)
		if (id >= outside && id < outside + count)
			mapped = inside + (id - outside);
	fclose(f);
	return mapped;
}

s64 rt_ns_uid(struct rt_ctx *c) { return map_id(c, "uid_map", rt_uid(c), "ns_uid()"); }
s64 rt_ns_gid(struct rt_ctx *c) { return map_id(c, "gid_map", rt_gid(c), "ns_gid()"); }
s64 rt_ns_euid(struct rt_ctx *c) { return map_id(c, "uid_map", rt_euid(c), "ns_euid()"); }
s64 rt_ns_egid(struct rt_ctx *c) { return map_id(c, "gid_map", rt_egid(c), "ns_egid()"); }
