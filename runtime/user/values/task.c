/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task.c - what handlers ask of the thread that was hit, and of its process.
 *
 * What is not known for the time of the hit reads as "<unknown>" or -1, and is counted.
 */
#include "runtime/core/core.h"
#include "runtime/user/base/run_state.h"
#include "runtime/user/context/enter.h"
#include "runtime/user/context/unread.h"
#include "runtime/user/events/hit.h"
#include "runtime/user/processes/ids.h"
#include "runtime/user/processes/thread.h"

#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static const struct hit *hit_of(const struct rt_ctx *c)
{
	return c->hit;
}

static const char *name_at(struct rt_ctx *c, s32 tid, const char *what)
{
	const char *name = thread_name(tid, c->now);

	if (name)
		return name;
	unread_note(
		c, what,
		"its name is unknown: records were lost, or the run does not follow "
			"the process");
	return "<unknown>";
}

void runtime_comm(struct rt_ctx *c)
{
	const struct hit *hit = c->hit;
	char own[20];
	const char *comm = own;

	if (enter_is_phase(c))
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

/* Where all were read, a process that is not among them is none. */
struct rt_str rt_pid2execname(struct rt_ctx *c, s64 pid)
{
	char now[16] = "";
	const char *comm = now;

	if (pid <= 0 || pid > 0x7fffffff)
		return RT_STR("");
	if (enter_is_phase(c))
		thread_read_name((s32)pid, now);
	else if (thread_may_exist((s32)pid))
		comm = name_at(c, (s32)pid, "pid2execname()");
	return rt_dup(c, (struct rt_str){ comm, (u16)strlen(comm) });
}

s64 rt_pid(struct rt_ctx *c) { return hit_of(c)->pid; }
s64 rt_tid(struct rt_ctx *c) { return hit_of(c)->tid; }
s64 rt_target(struct rt_ctx *c) { return run_state.target.pid; }
s64 rt_registers_valid(struct rt_ctx *c) { return hit_of(c)->regs != NULL; }
s64 rt_user_mode(struct rt_ctx *c) { return hit_of(c)->user_mode; }
s64 rt_addr(struct rt_ctx *c) { return (s64)hit_of(c)->ip; }
s64 rt_uaddr(struct rt_ctx *c) { return hit_of(c)->user_mode ? (s64)hit_of(c)->ip : 0; }

s64 rt_target_set_pid(struct rt_ctx *c, s64 pid)
{
	return run_state.target.pid && pid > 0 && thread_in_tree((s32)pid) > 0;
}

/* ---- ids -----------------------------------------------------------------------*/

static const struct ids *unknown(const struct rt_ctx *c, const char *what)
{
	static const struct ids none = { -1, ~0U, ~0U, ~0U, ~0U, -1, -1, -1, -1, -1 };

	unread_note(
		c, what,
		ids_are_followed() || !(rt_script.capture & RT_CAP_CRED)
			? "it changed, or the process started or lost its parent, less than 0.1 s "
			  "before, or records were lost; the kernel runtime reads "
			  "it (--target=vm)"
			: "changes to it are not tracked: that needs root and system call events in "
			  "tracefs; the kernel runtime reads it");
	return &none;
}

static const struct ids *now(s32 pid)
{
	static struct ids ids;

	ids_now(pid, &ids);
	return &ids;
}

static const struct ids *known_ids(struct rt_ctx *c, s32 tid, enum ids_part part, const char *what)
{
	static const struct ids idle;
	const struct ids *known;

	if (enter_is_phase(c))
		return now(getpid());
	if (!tid)
		return &idle;
	known = ids_of(tid, part, c->now);
	return known ? known : unknown(c, what);
}

static s32 own_number(struct rt_ctx *c, s32 pid, s32 tid, const char *what)
{
	s32 number;

	if (enter_is_phase(c))
		return now(pid)->ns_pid;
	if (!tid)
		return 0;
	number = ids_own_number(pid, tid);
	return number < 0 ? unknown(c, what)->ns_pid : number;
}

static const struct ids *own_group_of(struct rt_ctx *c, s32 pid, const char *what)
{
	if (!enter_is_phase(c))
		ids_want_group(pid);
	return known_ids(c, pid, IDS_OWN_GROUP, what);
}

/* Is its end told? */
static int is_followed(s32 pid)
{
	return !run_state.target.only || pid == getpid() || thread_in_tree(pid) > 0;
}

/*
 * A process has its parent until that ends. Then another one has it, which only /proc tells: that
 * it still is the first one's, or whose it is from some time on.
 */
static s64 parent_of(struct rt_ctx *c, s32 pid)
{
	s32 parent;

	if (enter_is_phase(c))
		return getppid();
	if (!pid)
		return 0;
	if (!ids_parent(pid, c->now, &parent))
		return unknown(c, "ppid()")->ppid;
	if (!parent || (ids_exists(parent) && is_followed(parent)) || ids_has_same_parent(pid))
		return parent;
	return unknown(c, "ppid()")->ppid;
}

s64 rt_ppid(struct rt_ctx *c) { return parent_of(c, hit_of(c)->pid); }
/* Users and groups may be greater than half of what there is. */
static s64 number(u32 id) { return id == ~0U ? -1 : (s64)id; }

static const struct ids *users_of(struct rt_ctx *c, const char *what)
{
	return known_ids(c, hit_of(c)->tid, IDS_USERS, what);
}

s64 rt_uid(struct rt_ctx *c) { return number(users_of(c, "uid()")->uid); }
s64 rt_gid(struct rt_ctx *c) { return number(users_of(c, "gid()")->gid); }
s64 rt_euid(struct rt_ctx *c) { return number(users_of(c, "euid()")->euid); }
s64 rt_egid(struct rt_ctx *c) { return number(users_of(c, "egid()")->egid); }
s64 rt_pgrp(struct rt_ctx *c) { return known_ids(c, hit_of(c)->pid, IDS_GROUP, "pgrp()")->pgrp; }
s64 rt_sid(struct rt_ctx *c) { return known_ids(c, hit_of(c)->pid, IDS_GROUP, "sid()")->sid; }
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
 * A number of ours as the process's user namespace has it, which is told when it changes: lines
 * "inside outside count".
 */
static s64 map_id(struct rt_ctx *c, const char *file, s64 id, const char *what)
{
	long long inside, outside, count;
	char path[64];
	s64 mapped = id;
	FILE *f;

	if (id < 0)
		return -1;
	if (!enter_is_phase(c) && known_ids(c, hit_of(c)->tid, IDS_SPACE, what)->uid == ~0U)
		return -1;
	snprintf(path, sizeof(path), "/proc/%d/%s", enter_is_phase(c) ? getpid() : hit_of(c)->pid,
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
