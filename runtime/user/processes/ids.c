/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ids.c - see ids.h.
 *
 * perf's records have no users and groups. They are read from /proc before the first probe is
 * armed, children have those of who starts them, and the events of the system calls that change
 * them tell when they are to be read anew. What is read holds for hits from then on: for those
 * between the change and the reading nothing is known.
 */
#include "runtime/user/processes/ids.h"

#include "runtime/user/base/run_state.h"
#include "runtime/user/base/time.h"
#include "runtime/user/events/hit.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/events/perf_open.h"
#include "runtime/user/events/perf_source.h"
#include "runtime/user/events/tracefs.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define BUCKETS		4096
#define NEVER		(~0ULL)
#define RESULT_AT 16 /* bytes: of a record of sys_exit; of sys_enter the first argument */

#define ALL ((1U << IDS_PARTS) - 1)

struct thread_ids {
	struct thread_ids *next;
	s32		pid, tid;
	int		ended;
	/* it is about to set a group: of itself (0), or of any child */
	s64		moves;
	/* known for this time and later; NEVER: not known */
	u64		since[IDS_PARTS];
	u64		parent_since;	/* so does ids.ppid, until that process ends */
	struct ids	ids;
};

static struct thread_ids *threads[BUCKETS];
static int watched;		/* changes are told */
/* records of before that time may be missing: what one tells may not hold */
static u64 unsure;
static struct perf_tally tally = { .with_processes = 1 };

static struct thread_ids **find_link(s32 tid)
{
	struct thread_ids **link = &threads[(u32)tid % BUCKETS];

	while (*link && (*link)->tid != tid)
		link = &(*link)->next;
	return link;
}

static struct thread_ids *get(s32 pid, s32 tid)
{
	struct thread_ids **link = find_link(tid);

	if (!*link) {
		*link = calloc(1, sizeof(**link));
		if (!*link)
			return NULL;
		**link = (struct thread_ids){ .pid = pid, .tid = tid, .parent_since = NEVER,
					      .since = { NEVER, NEVER, NEVER, NEVER } };
	}
	return *link;
}

/* ---- /proc ---------------------------------------------------------------------*/

/* First and last number of a line "Name:\t1\t2\t3"; 0 where the line is another one. */
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

/* As they are now; 0: there is no such thread. */
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

/* Reads some parts anew, a bit each. */
static void read_ids(struct thread_ids *t, u32 parts)
{
	struct ids now;
	u64 since = read_status(t->pid, t->tid, &now) ? time_mono() : NEVER;

	for (int i = 0; i < IDS_PARTS; i++)
		if (parts >> i & 1)
			t->since[i] = since;
	if (since == NEVER)
		return;
	if (t->parent_since == NEVER)
		t->parent_since = since;
	else
		now.ppid = t->ids.ppid;
	if (!(parts >> IDS_USERS & 1))
		memcpy(&now.uid, &t->ids.uid, 4 * sizeof(now.uid));
	if (!(parts >> IDS_GROUP & 1))
		memcpy(&now.pgrp, &t->ids.pgrp, 2 * sizeof(now.pgrp));
	if (!(parts >> IDS_OWN_GROUP & 1))
		memcpy(&now.ns_pgrp, &t->ids.ns_pgrp, 2 * sizeof(now.ns_pgrp));
	t->ids = now;
}

void ids_read(s32 pid, s32 tid)
{
	struct thread_ids *t = get(pid, tid);

	if (t)
		read_ids(t, ALL);
}

/* ---- changes -------------------------------------------------------------------*/

/* /proc told of what came before it was read. */
static int is_told(const struct thread_ids *t, enum ids_part part, u64 time)
{
	return t->since[part] != NEVER && time < t->since[part];
}

static void changed(s32 pid, s32 tid, u32 parts, u64 time)
{
	struct thread_ids *t = get(pid, tid);

	for (int i = 0; t && i < IDS_PARTS; i++)
		if (is_told(t, i, time))
			parts &= ~(1U << i);
	if (t && parts)
		read_ids(t, parts);
}

static s64 word_of(const struct hit *hit)
{
	s64 word = -1;

	if (hit->raw_bytes >= RESULT_AT + sizeof(word))
		memcpy(&word, hit->raw + RESULT_AT, sizeof(word));
	return word;
}

/* A system call that changes these parts of the thread, or of its process, has returned. */
static void hit_own(const void *row, struct hit *hit)
{
	u32 parts = *(const u32 *)row;

	if (word_of(hit) < 0)
		return;
	changed(hit->pid, hit->tid, parts, hit->time);
	if (hit->pid != hit->tid && parts & 1U << IDS_GROUP)
		changed(hit->pid, hit->pid, parts, hit->time);
}

static void forget_group(s32 pid, u64 time)
{
	struct thread_ids *t = get(pid, pid);

	for (int i = IDS_GROUP; t && i <= IDS_OWN_GROUP; i++)
		if (!is_told(t, i, time))
			t->since[i] = NEVER;
}

/*
 * setpgid(process, group): some time before it returns that process, itself or a child, is of
 * another group.
 */
static void hit_group(const void *row, struct hit *hit)
{
	const u32 parts = 1U << IDS_GROUP | 1U << IDS_OWN_GROUP;
	struct thread_ids *caller = get(hit->pid, hit->tid);

	if (!caller)
		return;
	if (!row)
		caller->moves = word_of(hit);
	for (int i = 0; i < BUCKETS; i++)
		for (const struct thread_ids *t = threads[i]; t; t = t->next) {
			if (t->pid != t->tid ||
			    (t->pid != hit->pid && (!caller->moves || t->ids.ppid != hit->pid)))
				continue;
			if (row)
				changed(t->pid, t->tid, parts, hit->time);
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
	return id < 0 ? -1 : perf_open(&attr, "uid()", hit, row, &tally);
}

void ids_watch(void)
{
	static const u32 users = 1U << IDS_USERS, group = 1U << IDS_GROUP | 1U << IDS_OWN_GROUP;
	static const u32 space = 1U << IDS_SPACE;
	static const struct { const char *event; const u32 *parts;
	} calls[] = {
		{ "sys_exit_setuid", &users },    { "sys_exit_setgid", &users },
		{ "sys_exit_setreuid", &users },  { "sys_exit_setregid", &users },
		{ "sys_exit_setresuid", &users }, { "sys_exit_setresgid", &users },
		{ "sys_exit_setsid", &group },    { "sys_exit_setns", &space },
		{ "sys_exit_unshare", &space },
	};
	int rc = 0;

	if (watched || !(rt_script.capture & RT_CAP_CRED) || geteuid() || !tracefs_is_mounted())
		return;
	for (u32 i = 0; i < sizeof(calls) / sizeof(calls[0]) && !rc; i++)
		rc = watch_call(calls[i].event, hit_own, calls[i].parts);
	rc = rc ? rc : watch_call("sys_enter_setpgid", hit_group, NULL);
	rc = rc ? rc : watch_call("sys_exit_setpgid", hit_group, &tally);
	watched = !rc;
}

/*
 * From when on what a record of that time tells is known to hold: NEVER, where later ones may have
 * been lost.
 */
static u64 holds(u64 time) { return time < unsure ? NEVER : time; }

/*
 * What its starter has at that time; what is not known of that is read now, and holds from now on.
 */
void ids_fork(const struct thread_fork *f)
{
	const struct thread_ids *from = *find_link(f->parent_tid);
	const struct thread_ids *first = *find_link(f->parent_pid);
	const struct thread_ids *const of[IDS_PARTS] = { from, first, NULL, from };
	struct thread_ids *t = from || first ? get(f->pid, f->tid) : NULL;
	u32 unknown = 0;

	if (!t)
		return;
	t->pid = f->pid;
	t->ended = 0;
	t->moves = 0;
	t->ids.ppid = f->parent_pid;		/* of a thread nobody asks for it */
	t->parent_since = holds(f->time);
	for (int i = 0; i < IDS_PARTS; i++) {
		if (is_told(t, i, f->time))
			continue;
		t->since[i] = of[i] && of[i]->since[i] <= f->time ? holds(f->time) : NEVER;
		unknown |= of[i] && t->since[i] == NEVER ? 1U << i : 0;
		if (i == IDS_USERS && t->since[i] != NEVER)
			memcpy(&t->ids.uid, &from->ids.uid, 4 * sizeof(t->ids.uid));
		if (i == IDS_GROUP && t->since[i] != NEVER)
			memcpy(&t->ids.pgrp, &first->ids.pgrp, 2 * sizeof(t->ids.pgrp));
	}
	if (unknown)
		read_ids(t, unknown);
}

/*
 * A file that gives its users, or may have: its mode is read now, and no older than the hit only
 * where nothing has changed since.
 */
static int may_give_users(const char *path, u64 dev, u64 ino, u64 time)
{
	u64 wall = time + (u64)run_state.wall_minus_mono;
	struct stat st;

	if (stat(path, &st) || st.st_ino != ino ||
	    ((u64)major(st.st_dev) << 20 | minor(st.st_dev)) != dev)
		return 1;
	return st.st_mode & (S_ISUID | S_ISGID) ||
	       (u64)st.st_ctim.tv_sec * 1000000000 + (u64)st.st_ctim.tv_nsec >= wall;
}

void ids_exec(s32 pid, s32 tid, const char *path, u64 dev, u64 ino, u64 time)
{
	if (*find_link(tid) && may_give_users(path, dev, ino, time))
		changed(pid, tid, 1U << IDS_USERS, time);
}

void ids_exit(s32 tid)
{
	struct thread_ids *t = *find_link(tid);

	if (t)
		t->ended = 1;
}

static void drop(struct thread_ids **link)
{
	struct thread_ids *t = *link;

	*link = t->next;
	free(t);
}

void ids_drop(s32 tid)
{
	struct thread_ids **link = find_link(tid);

	if (*link && (*link)->ended)		/* no other one has the number now */
		drop(link);
}

int ids_exists(s32 pid)
{
	const struct thread_ids *t = *find_link(pid);

	return t && !t->ended;
}

void ids_lost(u64 time)
{
	unsure = time > unsure ? time : unsure;
	for (int i = 0; i < BUCKETS; i++)
		for (struct thread_ids *t = threads[i]; t; t = t->next)
			for (int part = 0; part < IDS_PARTS; part++)
				if (!is_told(t, part, time))
					t->since[part] = t->parent_since = NEVER;
}

void ids_clear(void)
{
	for (int i = 0; i < BUCKETS; i++)
		while (threads[i])
			drop(&threads[i]);
	merge_close(hit_own);
	merge_close(hit_group);
	watched = 0;
	unsure = 0;
}

/* ---- what is known -------------------------------------------------------------*/

int ids_are_followed(void) { return watched; }
int ids_now(s32 pid, struct ids *ids) { return read_status(pid, pid, ids); }

const struct ids *ids_of(s32 tid, enum ids_part part, u64 time)
{
	const struct thread_ids *t = *find_link(tid);

	return watched && t && t->since[part] <= time ? &t->ids : NULL;
}

void ids_want_group(s32 pid)
{
	struct thread_ids *t = *find_link(pid);

	if (watched && t && t->since[IDS_OWN_GROUP] == NEVER)
		read_ids(t, 1U << IDS_OWN_GROUP);
}

s32 ids_own_number(s32 pid, s32 tid)
{
	struct thread_ids *t = *find_link(tid);
	struct ids late;

	if (t && t->ids.ns_pid)
		return t->ids.ns_pid;
	if (!read_status(pid, tid, &late))
		return -1;
	if (t)
		t->ids.ns_pid = late.ns_pid;
	return late.ns_pid;
}

int ids_parent(s32 pid, u64 time, s32 *parent)
{
	const struct thread_ids *t = *find_link(pid);

	if (!t || t->parent_since > time)
		return 0;
	*parent = t->ids.ppid;
	return 1;
}

int ids_has_same_parent(s32 pid)
{
	struct thread_ids *t = *find_link(pid);
	struct ids late;

	if (!t)
		return 0;
	if (read_status(pid, pid, &late) && late.ppid == t->ids.ppid)
		return 1;
	t->ids.ppid = late.ppid;
	t->parent_since = late.ppid ? time_mono() : NEVER;
	return 0;
}
