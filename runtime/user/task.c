/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task.c - processes, as perf's records and /proc tell of them: names, parents, address spaces.
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

struct mapping {
	u64	start, end, pgoff;
	char	*path;
};

struct task {
	struct task	*next;
	s32		tid, pid, ppid, uid;	/* ppid, uid: -1 not read yet */
	s32		euid, gid, egid;	/* read with uid */
	char		comm[16];
	int		has_comm;
	int		has_maps;		/* maps are complete; of a process's first thread only */
	struct mapping	*maps;
	size_t		nmaps;
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
	static struct task nobody = { .has_comm = 1, .has_maps = 1 };
	struct task **link = find_link(tid);

	if (!*link) {
		*link = calloc(1, sizeof(**link));
		if (!*link)
			return &nobody;
		(*link)->tid = tid;
		(*link)->ppid = (*link)->uid = -1;
	}
	return *link;
}

static void drop_maps(struct task *t)
{
	while (t->nmaps)
		free(t->maps[--t->nmaps].path);
	free(t->maps);
	t->maps = NULL;
}

static void add_map(struct task *t, u64 start, u64 end, u64 pgoff, const char *path)
{
	struct mapping *more = realloc(t->maps, (t->nmaps + 1) * sizeof(*more));

	if (!more)
		return;
	t->maps = more;
	t->maps[t->nmaps++] = (struct mapping){ start, end, pgoff, strdup(path) };
}

void task_comm(s32 tid, s32 pid, const char *comm, int exec)
{
	struct task *t = get(tid);

	strncpy(t->comm, comm, sizeof(t->comm) - 1);
	t->has_comm = 1;
	t->pid = pid;
	if (exec) {
		drop_maps(t);
		t->has_maps = 1;	/* the new image's mappings come as records */
	}
}

void task_fork(s32 pid, s32 ppid, s32 tid)
{
	struct task *t = get(tid), *parent = get(pid == ppid ? pid : ppid);

	t->pid = pid;
	if (parent->has_comm) {
		memcpy(t->comm, parent->comm, sizeof(t->comm));
		t->has_comm = 1;
	}
	if (pid == ppid)
		return;
	t->ppid = ppid;
	t->uid = parent->uid;
	t->euid = parent->euid;
	t->gid = parent->gid;
	t->egid = parent->egid;
	drop_maps(t);
	t->has_maps = parent->has_maps;
	for (size_t i = 0; i < parent->nmaps; i++)
		add_map(t, parent->maps[i].start, parent->maps[i].end, parent->maps[i].pgoff, parent->maps[i].path);
}

void task_exit(s32 pid, s32 tid)
{
	struct task **link = find_link(tid), *t = *link;

	/* The last record of a thread; its process may live on in others. */
	if (!t || pid == tid)
		return;
	*link = t->next;
	drop_maps(t);
	free(t);
}

void task_map(s32 pid, u64 start, u64 len, u64 pgoff, const char *path)
{
	struct task *t = get(pid);

	/* Records of a process that was never asked about: /proc will have them. */
	if (t->has_maps)
		add_map(t, start, start + len, pgoff, path);
}

static void read_maps(struct task *t)
{
	char path[64], *line = NULL;
	size_t room = 0;
	FILE *f;

	t->has_maps = 1;
	snprintf(path, sizeof(path), "/proc/%d/maps", t->tid);
	f = fopen(path, "re");
	while (f && getline(&line, &room, f) > 0) {
		unsigned long long start, end, pgoff;
		char prot[8];
		int at = 0;

		if (sscanf(line, "%llx-%llx %7s %llx %*s %*s %n", &start, &end, prot, &pgoff, &at) < 4 || prot[2] != 'x' || !at)
			continue;
		line[strcspn(line, "\n")] = 0;
		add_map(t, start, end, pgoff, line + at);
	}
	free(line);
	if (f)
		fclose(f);
}

int task_find_map(s32 pid, u64 addr, const char **path, u64 *offset)
{
	struct task *t = get(pid);

	if (!t->has_maps)
		read_maps(t);
	for (size_t i = t->nmaps; i-- > 0; )		/* the newest first: it replaced what it overlaps */
		if (addr >= t->maps[i].start && addr < t->maps[i].end) {
			*path = t->maps[i].path;
			*offset = addr - t->maps[i].start + t->maps[i].pgoff;
			return 1;
		}
	return 0;
}

static void read_status(struct task *t)
{
	char path[64], line[256];
	FILE *f;

	t->ppid = t->uid = t->euid = t->gid = t->egid = 0;
	snprintf(path, sizeof(path), "/proc/%d/status", t->tid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (!strncmp(line, "PPid:", 5))
			t->ppid = atoi(line + 5);
		else if (!strncmp(line, "Uid:", 4))
			sscanf(line + 4, "%d %d", &t->uid, &t->euid);
		else if (!strncmp(line, "Gid:", 4))
			sscanf(line + 4, "%d %d", &t->gid, &t->egid);
	}
	if (f)
		fclose(f);
}

int task_in_tree(s32 pid)
{
	for (int up = 0; pid > 0 && up < 64; up++) {
		struct task *t;

		if (pid == session.target.pid)
			return 1;
		t = get(pid);
		if (t->ppid < 0)
			read_status(t);
		pid = t->ppid;
	}
	return 0;
}

void task_clear(void)
{
	for (int i = 0; i < BUCKETS; i++)
		while (tasks[i]) {
			struct task *t = tasks[i];

			tasks[i] = t->next;
			drop_maps(t);
			free(t);
		}
}

/* ---- what handlers ask ---------------------------------------------------------*/

static const struct hit *hit_of(const struct rt_ctx *c)
{
	return c->hit;
}

void runtime_comm(struct rt_ctx *c)
{
	struct task *t = get(hit_of(c)->tid);
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
	c->comm_len = (u8)strlen(t->comm);
	memcpy(c->comm, t->comm, c->comm_len);
}

s64 rt_pid(struct rt_ctx *c) { return hit_of(c)->pid; }
s64 rt_tid(struct rt_ctx *c) { return hit_of(c)->tid; }
s64 rt_target(struct rt_ctx *c) { return session.target.pid; }
s64 rt_user_mode(struct rt_ctx *c) { return hit_of(c)->user_mode; }
s64 rt_addr(struct rt_ctx *c) { return (s64)hit_of(c)->ip; }
s64 rt_uaddr(struct rt_ctx *c) { return hit_of(c)->user_mode ? (s64)hit_of(c)->ip : 0; }

static const struct task *status_of(struct rt_ctx *c)
{
	struct task *t = get(hit_of(c)->pid);

	if (t->ppid < 0 || t->uid < 0)
		read_status(t);
	return t;
}

s64 rt_ppid(struct rt_ctx *c) { return status_of(c)->ppid; }
s64 rt_uid(struct rt_ctx *c) { return status_of(c)->uid; }
s64 rt_euid(struct rt_ctx *c) { return status_of(c)->euid; }
s64 rt_gid(struct rt_ctx *c) { return status_of(c)->gid; }
s64 rt_egid(struct rt_ctx *c) { return status_of(c)->egid; }
s64 rt_pgrp(struct rt_ctx *c) { return getpgid(hit_of(c)->pid); }
s64 rt_sid(struct rt_ctx *c) { return getsid(hit_of(c)->pid); }
s64 rt_target_set_pid(struct rt_ctx *c, s64 pid) { return session.target.pid && pid > 0 && task_in_tree((s32)pid); }

/* Arguments are a kernel function's or a tracepoint's, and the translator refuses both here. */
s64 rt_arg(struct rt_ctx *c, s64 n, s64 kind)
{
	ctx_fail(c, "register access fault [man error::fault]");
	return 0;
}

s64 rt_returned(struct rt_ctx *c, s64 kind)
{
	return rt_arg(c, 0, kind);
}
