/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread.c - processes and threads, as perf's records tell of them: names, who started whom. Their
 * ids are in ids.c, their address spaces in symbolize/process.c.
 *
 * State is that of the record being handled, because records come in time order. What is there
 * before the run is read from /proc once records come and before the first probe is armed, and
 * again after records were lost: it holds for hits from then on. A name that is not known for the
 * time of a hit is not read.
 */
#include "runtime/user/processes/thread.h"

#include "runtime/user/base/run_state.h"
#include "runtime/user/base/time.h"
#include "runtime/user/processes/ids.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUCKETS	4096
#define ENDED	1024		/* exited threads that are kept: the kernel runs in them for a
				 * while after their exit record */
#define ROUNDS	8
#define NEVER	(~0ULL)

struct thread {
	struct thread	*next;
	s32		tid;
	s32		starter;	/* the process that started it, or its parent when it was
					 * first read; -1: unknown */
	int		ended;
	u64		since;		/* its name is valid for this time and later; NEVER:
					 * unknown */
	char		comm[16];
};

static struct thread *threads[BUCKETS];
static s32 ended[ENDED];	/* a ring */
static u32 nended;
static u64 unsure;		/* records before that time may be missing, so their content may
				 * be outdated */
static u64 looked;		/* when /proc was read; 0: not yet */

static struct thread **find_link(s32 tid)
{
	struct thread **link = &threads[(u32)tid % BUCKETS];

	while (*link && (*link)->tid != tid)
		link = &(*link)->next;
	return link;
}

static struct thread *get(s32 tid)
{
	static struct thread nobody = { .since = NEVER };
	struct thread **link = find_link(tid);

	if (!*link) {
		*link = calloc(1, sizeof(**link));
		if (!*link)
			return &nobody;
		(*link)->tid = tid;
		(*link)->starter = -1;
		(*link)->since = NEVER;
	}
	return *link;
}

static void set_name(struct thread *t, const char *comm, u64 since)
{
	snprintf(t->comm, sizeof(t->comm), "%.15s", comm);
	t->since = since;
}

/* ---- records -------------------------------------------------------------------*/

/* /proc told of what came before it was read. */
static int is_told(const struct thread *t, u64 time)
{
	return t->since != NEVER && time < t->since;
}

/*
 * From when on what a record of that time tells is known to hold: then, or, as later records may
 * have been lost, never.
 */
static u64 holds(u64 time)
{
	return time < unsure ? NEVER : time;
}

void thread_comm(s32 tid, const char *comm, u64 time)
{
	struct thread *t = get(tid);

	if (!is_told(t, time))
		set_name(t, comm, holds(time));
}

void thread_fork(const struct thread_fork *f)
{
	struct thread *t = get(f->tid), *from = get(f->parent_tid);

	t->ended = 0;
	if (f->pid != f->parent_pid)
		t->starter = f->parent_pid;
	if (is_told(t, f->time))
		return;
	if (from->since <= f->time)
		set_name(t, from->comm, holds(f->time));
	else
		t->since = NEVER;
}

static void drop(s32 tid)
{
	struct thread **link = find_link(tid), *t = *link;

	ids_drop(tid);
	if (!t || !t->ended)		/* a process's first thread, or a reused number */
		return;
	*link = t->next;
	free(t);
}

/* The last record of a thread; its process may live on in others, and is known by its first. */
void thread_exit(s32 pid, s32 tid)
{
	struct thread *t = *find_link(tid);
	s32 *oldest = &ended[nended++ % ENDED];

	ids_exit(tid);
	if (nended > ENDED)
		drop(*oldest);
	*oldest = tid;
	if (t)
		t->ended = pid != tid;
}

/* ---- /proc ---------------------------------------------------------------------*/

/*
 * A worker of the kernel shows what it is at behind its name, "kworker/0:1-events"; the kernel's
 * own record of the name does not.
 */
static void cut_worker(char *comm)
{
	if (!strncmp(comm, "kworker/", 8) && comm[8] != 'R')
		comm[8 + strcspn(comm + 8, "-+")] = 0;
}

/* Current name and parent: 0 if there is no such thread. */
static int read_stat(s32 pid, s32 tid, char *comm, s32 *parent)
{
	char path[64], line[512], *name, *end;
	FILE *f;
	int ok;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	f = fopen(path, "re");
	ok = f && fgets(line, sizeof(line), f);
	if (f)
		fclose(f);
	name = ok ? strchr(line, '(') : NULL;
	end = name ? strrchr(line, ')') : NULL;		/* a name may contain parentheses and
							 * blanks */
	if (!end || sscanf(end, ") %*c %d", parent) != 1)
		return 0;
	*end = 0;
	cut_worker(name + 1);
	snprintf(comm, 16, "%.15s", name + 1);
	return 1;
}

/* 1: it was unknown before. */
static int read_thread(s32 pid, s32 tid)
{
	u64 since = time_mono();
	struct thread *t = *find_link(tid);
	char comm[16];
	s32 parent;

	if ((t && t->since != NEVER) || !read_stat(pid, tid, comm, &parent))
		return 0;
	t = get(tid);
	set_name(t, comm, since);
	if (t->starter < 0)
		t->starter = parent;
	if (rt_script.capture & (RT_CAP_CRED | RT_CAP_PARENT))
		ids_read(pid, tid);
	return 1;
}

static int read_process(s32 pid)
{
	int found = 0;
	struct dirent *d;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && (d = readdir(dir)))
		if (d->d_name[0] != '.')
			found += read_thread(pid, atoi(d->d_name));
	if (dir)
		closedir(dir);
	return found;
}

static int read_all(void)
{
	int found = 0;
	struct dirent *d;
	DIR *dir = opendir("/proc");

	while (dir && (d = readdir(dir)))
		if (d->d_name[0] >= '1' && d->d_name[0] <= '9')
			found += read_process(atoi(d->d_name));
	if (dir)
		closedir(dir);
	return found;
}

/*
 * Does the script ask for what only this can tell? Not of a child of ours that has run nothing yet,
 * and of what it starts.
 */
static int is_wanted(void)
{
	return run_state.names || rt_script.capture & (RT_CAP_COMM | RT_CAP_CRED | RT_CAP_PARENT) ||
	       (run_state.target.only && !run_state.target.waits);
}

/*
 * Who starts others meanwhile has not told them what was read of it later: they are read too, until
 * there are no new ones.
 */
void thread_read_existing(void)
{
	if (!is_wanted())
		return;
	ids_watch();
	for (int rounds = 0; read_all() && rounds < ROUNDS; rounds++)
		;
	looked = time_mono();
}

/* What is known may be wrong until it is read anew. */
void thread_lost(u64 time)
{
	unsure = time > unsure ? time : unsure;
	for (int i = 0; i < BUCKETS; i++)
		for (struct thread *t = threads[i]; t; t = t->next)
			if (!is_told(t, time))
				t->since = NEVER;
	ids_lost(time);
	if (looked < time)
		thread_read_existing();
}

int thread_in_tree(s32 pid)
{
	for (int up = 0; pid > 0 && up < 64; up++) {
		struct thread *t;
		char comm[16];

		if (pid == run_state.target.pid)
			return 1;
		t = get(pid);
		if (t->starter < 0 && !read_stat(pid, pid, comm, &t->starter)) {
			if (unsure)
				return -1;
			t->starter = 0;
		}
		pid = t->starter;
	}
	return 0;
}

void thread_clear(void)
{
	for (int i = 0; i < BUCKETS; i++)
		while (threads[i]) {
			struct thread *t = threads[i];

			threads[i] = t->next;
			free(t);
		}
	looked = unsure = 0;
	nended = 0;
	ids_clear();
}

/* ---- what is known -------------------------------------------------------------*/

const char *thread_name(s32 tid, u64 time)
{
	const struct thread *t = *find_link(tid);

	return t && t->since <= time ? t->comm : NULL;
}

int thread_read_name(s32 pid, char *comm)
{
	s32 parent;

	return read_stat(pid, pid, comm, &parent);
}

int thread_may_exist(s32 tid)
{
	return *find_link(tid) || !looked || run_state.target.only;
}
