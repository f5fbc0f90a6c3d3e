/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task.c - processes and threads, from perf's records: names, and which process started which.
 * Their ids are in ids.c, their address spaces in symbolize/process.c.
 *
 * State is that of the record being handled, because records come in time order. What exists before
 * the run is read from /proc once records arrive and before the first probe is armed, and again
 * after records were lost: it holds for hits from then on. A name that is unknown for the time of a
 * hit is unread.
 */
#include "runtime/user/processes/task.h"

#include "lib/id_table.h"
#include "lib/procstat.h"
#include "runtime/user/base/time.h"
#include "runtime/user/base/unread.h"
#include "runtime/user/processes/ids.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/*
 * exited threads that are still known: the kernel runs in them for a while after their exit record
 */
#define ENDED	1024
#define ROUNDS	8
#define DEEPEST	4096	/* generations below the target */
#define NEVER	(~0ULL)

struct task {
	struct id_entry	tid;
	/*
	 * the process that started it, or its parent when it was first read; -1: unknown. Once it
	 * is known whether it is in the tree: the target, or 0.
	 */
	s32		starter;
	int		ended;
	/* its name is known from this time on; NEVER: unknown */
	u64		since;
	char		comm[16];
};

static struct id_table tasks;
static s32 ended[ENDED];	/* a ring */
static u32 nended;
/* records before that time may be missing, so what one of them says may not hold */
static u64 unsure;
static u64 looked;		/* when /proc was read; 0: not yet */

static struct task *find(s32 tid)
{
	return id_find(&tasks, tid);
}

static struct task *get(s32 tid)
{
	static struct task nobody = { .since = NEVER };
	struct task *t = find(tid);

	if (t)
		return t;
	t = id_get(&tasks, tid, sizeof(*t));
	if (!t)
		return &nobody;
	t->starter = -1;
	t->since = NEVER;
	return t;
}

static void set_name(struct task *t, const char *comm, u64 since)
{
	snprintf(t->comm, sizeof(t->comm), "%.15s", comm);
	t->since = since;
}

/* ---- records -------------------------------------------------------------------*/

/* True if what was read from /proc includes what happened at `time`. */
static int is_told(const struct task *t, u64 time)
{
	return t->since != NEVER && time < t->since;
}

u64 task_holds(u64 time)
{
	return time < unsure ? NEVER : time;
}

void task_comm(s32 tid, const char *comm, u64 time)
{
	struct task *t = get(tid);

	if (!is_told(t, time))
		set_name(t, comm, task_holds(time));
}

void task_fork(const struct task_fork *f)
{
	struct task *t = get(f->tid), *from = get(f->parent_tid);

	t->ended = 0;
	if (f->pid != f->parent_pid) {
		t->starter = f->parent_pid;
		if (session.target.pid)
			task_in_tree(f->pid);
	}
	if (is_told(t, f->time))
		return;
	if (from->since <= f->time)
		set_name(t, from->comm, task_holds(f->time));
	else
		t->since = NEVER;
}

static void drop(s32 tid)
{
	const struct task *t = find(tid);

	ids_drop(tid);
	/* else it is a process's first thread, or its thread ID was reused */
	if (t && t->ended)
		free(id_remove(&tasks, tid));
}

/* The last record of a thread; its process may live on in others, and has the first one's ID. */
void task_exit(s32 pid, s32 tid)
{
	struct task *t = find(tid);
	s32 *oldest = &ended[nended++ % ENDED];

	ids_exit(tid);
	if (nended > ENDED)
		drop(*oldest);
	*oldest = tid;
	if (t)
		t->ended = pid != tid;
}

/* ---- /proc ---------------------------------------------------------------------*/

/* Reads name and parent as they are now. 0: no such thread. */
static int read_stat(s32 pid, s32 tid, char *comm, s32 *parent)
{
	char text[PROCSTAT_SIZE], *name;
	const char *rest = procstat_read(pid, tid, text, &name);

	if (!rest || sscanf(rest, "%*c %d", parent) != 1)
		return 0;
	snprintf(comm, 16, "%.15s", name);
	return 1;
}

/* 1: it was not known before. */
static int look_at(s32 pid, s32 tid)
{
	u64 since = time_mono();
	struct task *t = find(tid);
	char comm[16];
	s32 parent;

	if ((t && t->since != NEVER) || !read_stat(pid, tid, comm, &parent))
		return 0;
	t = get(tid);
	set_name(t, comm, since);
	if (t->starter < 0)
		t->starter = parent;
	if (rt_script.capture & (RT_CAP_CRED | RT_CAP_PARENT))
		ids_look(pid, tid);
	return 1;
}

static int look_at_process(s32 pid)
{
	int found = 0;
	struct dirent *d;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && (d = readdir(dir)))
		if (d->d_name[0] != '.')
			found += look_at(pid, atoi(d->d_name));
	if (dir)
		closedir(dir);
	return found;
}

static int look_at_all(void)
{
	int found = 0;
	struct dirent *d;
	DIR *dir = opendir("/proc");

	while (dir && (d = readdir(dir)))
		if (d->d_name[0] >= '1' && d->d_name[0] <= '9')
			found += look_at_process(atoi(d->d_name));
	if (dir)
		closedir(dir);
	return found;
}

/*
 * True if the script uses what only /proc can tell. That is not needed for a child of ours that has
 * not run anything yet, and for what it starts.
 */
static int is_wanted(void)
{
	return session.names || rt_script.capture & (RT_CAP_COMM | RT_CAP_CRED | RT_CAP_PARENT) ||
	       (session.target.only && !session.target.waits);
}

/*
 * Threads that were started meanwhile did not inherit what was read later of those that started
 * them: they are read too, until there are no new ones.
 */
void task_look_around(void)
{
	if (!is_wanted())
		return;
	ids_watch();
	for (int rounds = 0; look_at_all() && rounds < ROUNDS; rounds++)
		;
	looked = time_mono();
}

/* What is known may be wrong until it is read again. */
void task_lost(u64 time)
{
	struct task *t;

	unsure = time > unsure ? time : unsure;
	ID_EACH (t, &tasks)
		if (!is_told(t, time))
			t->since = NEVER;
	ids_lost(time);
	if (looked < time)
		task_look_around();
}

/*
 * The answer stays with the process: IDs of those that started it may be given again, and of the
 * end of one outside of the tree there may be no record.
 */
int task_in_tree(s32 pid)
{
	struct task *first = NULL;

	for (int up = 0; pid > 0 && up < DEEPEST; up++) {
		struct task *t;
		char comm[16];

		if (pid == session.target.pid) {
			if (first)
				first->starter = pid;
			return 1;
		}
		t = get(pid);
		first = first ? first : t;
		if (t->starter < 0 && !read_stat(pid, pid, comm, &t->starter)) {
			if (unsure)
				return -1;
			t->starter = 0;
		}
		pid = t->starter;
	}
	if (first)
		first->starter = 0;
	return 0;
}

void task_clear(void)
{
	const struct task *t;

	ID_EACH (t, &tasks)
		free(id_remove(&tasks, t->tid.id));
	looked = unsure = 0;
	nended = 0;
	ids_clear();
}

/* ---- what handlers read --------------------------------------------------------*/

static const struct hit *hit_of(const struct rt_ctx *c)
{
	return c->hit;
}

const char *task_name(s32 tid, u64 time)
{
	const struct task *t = find(tid);

	return t && t->since <= time ? t->comm : NULL;
}

static const char *name_at(struct rt_ctx *c, s32 tid, const char *what)
{
	const char *name = task_name(tid, c->now);

	if (name)
		return name;
	unread_note(
		c, what,
		"its name is unknown: records were lost, or the run does not follow it");
	return "<unknown>";
}

void runtime_comm(struct rt_ctx *c)
{
	const struct hit *hit = c->hit;
	char own[20];
	const char *comm = own;

	if (user_is_phase(c))
		prctl(PR_GET_NAME, own);
	else if (!hit->tid)
		snprintf(own, sizeof(own), "swapper/%u", hit->cpu);
	else
		comm = name_at(c, hit->tid, "execname()");
	c->comm_len = (u8)strnlen(comm, sizeof(c->comm) - 1);
	memcpy(c->comm, comm, c->comm_len);
}

void rt_item_execname(struct rt_ctx *c, s64 *to)
{
	struct rt_str name = rt_execname(c);

	memset(to, 0, RT_EXECNAME_WORDS * sizeof(*to));
	*(u32 *)to = sizeof(c->comm) - 1;
	memcpy((char *)to + sizeof(u32), name.p, name.len);
}

/* If all processes were read, one that is not among them does not exist. */
struct rt_str rt_pid2execname(struct rt_ctx *c, s64 pid)
{
	char now[16] = "";
	const char *comm = now;
	s32 parent;

	if (pid <= 0 || pid > 0x7fffffff)
		return RT_STR("");
	if (user_is_phase(c))
		read_stat((s32)pid, (s32)pid, now, &parent);
	else if (find((s32)pid) || !looked || session.target.only)
		comm = name_at(c, (s32)pid, "pid2execname()");
	return rt_dup(c, (struct rt_str){ comm, (u16)strlen(comm) });
}

s64 rt_pid(struct rt_ctx *c) { return hit_of(c)->pid; }
s64 rt_tid(struct rt_ctx *c) { return hit_of(c)->tid; }
s64 rt_thread(struct rt_ctx *c) { return (s64)hit_of(c)->pid << 32 | (u32)hit_of(c)->tid; }
s64 rt_target(struct rt_ctx *c) { return session.target.pid; }
s64 rt_registers_valid(struct rt_ctx *c) { return hit_of(c)->regs != NULL; }
s64 rt_user_mode(struct rt_ctx *c) { return hit_of(c)->user_mode; }
s64 rt_addr(struct rt_ctx *c) { return (s64)hit_of(c)->ip; }
s64 rt_uaddr(struct rt_ctx *c) { return hit_of(c)->user_mode ? (s64)hit_of(c)->ip : 0; }
s64 rt_target_set_pid(struct rt_ctx *c, s64 pid)
{
	return session.target.pid && pid > 0 && task_in_tree((s32)pid) > 0;
}
