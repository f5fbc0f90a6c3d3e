/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task.c - processes, as perf's records and /proc tell of them: names, parents. Their address spaces are in runtime/elf/process.c.
 *
 * State is that of the record being handled, because records come in time order. What existed before the run is read from /proc when it is
 * first seen.
 */
#include "runtime/user/user.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUCKETS 4096

/* What only /proc tells, read when first asked for: as it is then. ns_: as the innermost namespace has it. */
struct ids {
	s32	uid, euid, gid, egid;
	s32	pgrp, sid, ns_pid, ns_pgrp, ns_sid;
};

struct task {
	struct task	*next;
	s32		tid, pid, ppid;		/* ppid: -1 not read yet */
	struct ids	*ids;			/* NULL: not read yet */
	char		comm[16];
	int		has_comm, doubted;	/* doubted: /proc is to be asked again */
};

static struct task *tasks[BUCKETS];

static struct task **find_link(s32 tid)
{
	struct task **link = &tasks[(u32)tid % BUCKETS];

	while (*link && (*link)->tid != tid)
		link = &(*link)->next;
	return link;
}

static struct task *get(s32 tid)
{
	static struct task nobody = { .has_comm = 1 };
	struct task **link = find_link(tid);

	if (!*link) {
		*link = calloc(1, sizeof(**link));
		if (!*link)
			return &nobody;
		(*link)->tid = tid;
		(*link)->ppid = -1;
	}
	return *link;
}

void task_comm(s32 tid, s32 pid, const char *comm)
{
	struct task *t = get(tid);

	strncpy(t->comm, comm, sizeof(t->comm) - 1);
	t->has_comm = 1;
	t->pid = pid;
}

void task_fork(s32 pid, s32 ppid, s32 tid)
{
	struct task *t = get(tid);
	const char *parent = task_name(pid == ppid ? pid : ppid);

	t->pid = pid;
	if (*parent) {
		strcpy(t->comm, parent);
		t->has_comm = 1;
	}
	if (pid == ppid)
		return;
	t->ppid = ppid;
	free(t->ids);
	t->ids = NULL;
}

void task_exit(s32 pid, s32 tid)
{
	struct task **link = find_link(tid), *t = *link;

	/* The last record of a thread; its process may live on in others. */
	if (!t || pid == tid)
		return;
	*link = t->next;
	free(t->ids);
	free(t);
}

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

static void read_status(struct task *t)
{
	struct ids none, *ids = t->ids ? t->ids : calloc(1, sizeof(*ids));
	char path[64], line[256];
	s32 first, last;
	FILE *f;

	t->ids = ids;
	t->doubted = 0;
	if (!ids)
		ids = &none;
	snprintf(path, sizeof(path), "/proc/%d/status", t->tid);
	f = fopen(path, "re");
	if (!f && t->ppid > 0 && get(t->ppid)->ids)	/* gone already: most are what their parents are */
		*ids = *get(t->ppid)->ids;
	if (f || t->ppid < 0)
		t->ppid = 0;
	while (f && fgets(line, sizeof(line), f)) {
		if (status_line(line, "PPid", &first, &last))
			t->ppid = first;
		else if (status_line(line, "Uid", &first, &last))
			sscanf(line, "%*s %d %d", &ids->uid, &ids->euid);
		else if (status_line(line, "Gid", &first, &last))
			sscanf(line, "%*s %d %d", &ids->gid, &ids->egid);
		else if (status_line(line, "NSpid", &first, &last))
			ids->ns_pid = last;
		else if (status_line(line, "NSpgid", &ids->pgrp, &ids->ns_pgrp))
			;
		else
			status_line(line, "NSsid", &ids->sid, &ids->ns_sid);
	}
	if (f)
		fclose(f);
}

void task_look(s32 pid)
{
	read_status(get(pid));
	task_name(pid);
}

int task_in_tree(s32 pid)
{
	for (int up = 0; pid > 0 && up < 64; up++) {
		struct task *t;

		if (pid == session.target.pid)
			return 1;
		t = get(pid);
		if (t->ppid < 0 || t->doubted)
			read_status(t);
		pid = t->ppid;
	}
	return 0;
}

/* Names stay where /proc tells no other ones: of what is gone. */
void task_doubt(void)
{
	for (int i = 0; i < BUCKETS; i++)
		for (struct task *t = tasks[i]; t; t = t->next) {
			t->has_comm = 0;
			t->doubted = 1;
		}
}

void task_clear(void)
{
	for (int i = 0; i < BUCKETS; i++)
		while (tasks[i]) {
			struct task *t = tasks[i];

			tasks[i] = t->next;
			free(t->ids);
			free(t);
		}
}

/* ---- what handlers ask ---------------------------------------------------------*/

static const struct hit *hit_of(const struct rt_ctx *c)
{
	return c->hit;
}

/* The name a thread has had since its last record that told of it. */
const char *task_name(s32 tid)
{
	struct task *t = get(tid);
	char path[64];
	FILE *f;

	if (!t->has_comm) {
		t->has_comm = 1;
		snprintf(path, sizeof(path), "/proc/%d/comm", t->tid);
		f = fopen(path, "re");
		if (f) {
			if (fgets(t->comm, sizeof(t->comm), f))
				t->comm[strcspn(t->comm, "\n")] = 0;
			fclose(f);
		} else if (!t->tid) {
			strcpy(t->comm, "swapper");
		}
	}
	return t->comm;
}

void runtime_comm(struct rt_ctx *c)
{
	const char *comm = task_name(hit_of(c)->tid);

	c->comm_len = (u8)strlen(comm);
	memcpy(c->comm, comm, c->comm_len);
}

void rt_item_execname(struct rt_ctx *c, s64 *to)
{
	struct rt_str name = rt_execname(c);

	memset(to, 0, RT_EXECNAME_WORDS * sizeof(*to));
	*(u32 *)to = sizeof(c->comm) - 1;
	memcpy((char *)to + sizeof(u32), name.p, name.len);
}

struct rt_str rt_pid2execname(struct rt_ctx *c, s64 pid)
{
	const char *comm = pid > 0 && pid <= 0x7fffffff ? task_name((s32)pid) : "";

	return rt_dup(c, (struct rt_str){ comm, (u16)strlen(comm) });
}

s64 rt_pid(struct rt_ctx *c) { return hit_of(c)->pid; }
s64 rt_tid(struct rt_ctx *c) { return hit_of(c)->tid; }
s64 rt_target(struct rt_ctx *c) { return session.target.pid; }
s64 rt_registers_valid(struct rt_ctx *c) { return hit_of(c)->regs != NULL; }
s64 rt_user_mode(struct rt_ctx *c) { return hit_of(c)->user_mode; }
s64 rt_addr(struct rt_ctx *c) { return (s64)hit_of(c)->ip; }
s64 rt_uaddr(struct rt_ctx *c) { return hit_of(c)->user_mode ? (s64)hit_of(c)->ip : 0; }

static const struct ids *ids_of(struct rt_ctx *c, s32 tid)
{
	static const struct ids none;
	struct task *t = get(tid);

	if (!t->ids || t->doubted)
		read_status(t);
	return t->ids ? t->ids : &none;
}

s64 rt_ppid(struct rt_ctx *c)
{
	struct task *t = get(hit_of(c)->pid);

	if (t->ppid < 0 || t->doubted)
		read_status(t);
	return t->ppid;
}

s64 rt_uid(struct rt_ctx *c) { return ids_of(c, hit_of(c)->pid)->uid; }
s64 rt_gid(struct rt_ctx *c) { return ids_of(c, hit_of(c)->pid)->gid; }
s64 rt_euid(struct rt_ctx *c) { return ids_of(c, hit_of(c)->pid)->euid; }
s64 rt_egid(struct rt_ctx *c) { return ids_of(c, hit_of(c)->pid)->egid; }
s64 rt_pgrp(struct rt_ctx *c) { return ids_of(c, hit_of(c)->pid)->pgrp; }
s64 rt_sid(struct rt_ctx *c) { return ids_of(c, hit_of(c)->pid)->sid; }
s64 rt_ns_pid(struct rt_ctx *c) { return ids_of(c, hit_of(c)->pid)->ns_pid; }
s64 rt_ns_tid(struct rt_ctx *c) { return ids_of(c, hit_of(c)->tid)->ns_pid; }
s64 rt_ns_ppid(struct rt_ctx *c) { return ids_of(c, (s32)rt_ppid(c))->ns_pid; }
s64 rt_ns_pgrp(struct rt_ctx *c) { return ids_of(c, hit_of(c)->pid)->ns_pgrp; }
s64 rt_ns_sid(struct rt_ctx *c) { return ids_of(c, hit_of(c)->pid)->ns_sid; }
s64 rt_target_set_pid(struct rt_ctx *c, s64 pid) { return session.target.pid && pid > 0 && task_in_tree((s32)pid); }

/* A number of ours as the process's user namespace has it: lines "inside outside count". */
static s64 map_id(struct rt_ctx *c, const char *file, s64 id)
{
	long long inside, outside, count;
	char path[64];
	s64 mapped = id;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/%s", hit_of(c)->pid, file);
	f = fopen(path, "re");
	while (f && fscanf(f, "%lld %lld %lld", &inside, &outside, &count) == 3)
		if (id >= outside && id < outside + count)
			mapped = inside + (id - outside);
	if (f)
		fclose(f);
	return mapped;
}

s64 rt_ns_uid(struct rt_ctx *c) { return map_id(c, "uid_map", rt_uid(c)); }
s64 rt_ns_gid(struct rt_ctx *c) { return map_id(c, "gid_map", rt_gid(c)); }
s64 rt_ns_euid(struct rt_ctx *c) { return map_id(c, "uid_map", rt_euid(c)); }
s64 rt_ns_egid(struct rt_ctx *c) { return map_id(c, "gid_map", rt_egid(c)); }
