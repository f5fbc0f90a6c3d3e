/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * units.c - see units.h. A child is in its parent's control group until it is moved, as services are
 * before they execute their program. So the group is read again after an exec, but only of processes
 * that are sampled: most short ones never are.
 */
#include "watch/units.h"

#include "lib/procstat.h"
#include "record/rings.h"

#include <errno.h>
#include <ftw.h>
#include <mntent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS_SPARE	256		/* so many that have ended are kept */
#define PF_KTHREAD	0x00200000	/* linux/sched.h: field 9 of /proc/PID/stat */

struct process {
	char	name[16];
	const char *cgroup;	/* as /proc has it; interned */
	guint64	sampled;	/* the ID of the group that `unit` is of */
	guint32	unit;		/* plus one; 0: unknown since the name or the group changed */
	int	is_new;		/* the group was not read since it began or executed a program */
	int	gone;		/* it has ended; 2: before the last sweep */
};

static GHashTable *processes;		/* pid to struct process */
/* those that were asked for last, by the last bits of their IDs */
static struct { gint32 pid; struct process *process; } near[256];
static GHashTable *numbers;		/* struct unit to number plus one */
static GHashTable *groups;		/* paths of control groups, each once */
static GHashTable *paths;		/* the kernel's ID of a control group to its path */
static guint groups_read;		/* so many there were when all were read */
static GArray *units;
static gsize root_length;		/* of the path of the folder of all groups */

static guint unit_hash(gconstpointer p)
{
	const struct unit *u = p;

	return g_str_hash(u->name) * 31 + g_direct_hash(u->cgroup);
}

static gboolean unit_equal(gconstpointer a, gconstpointer b)
{
	const struct unit *u = a, *v = b;

	return u->cgroup == v->cgroup && !strcmp(u->name, v->name);
}

static const char *interned(const char *path)
{
	const char *known = g_hash_table_lookup(groups, path);
	char *own;

	if (known)
		return known;
	own = g_strdup(path);
	g_hash_table_add(groups, own);
	return own;
}

/*
 * The line of the unified hierarchy, "0::/PATH", or, where that is not used, systemd's own,
 * "1:name=systemd:/PATH": cgroups(7). NULL: no such process.
 */
static const char *read_cgroup(gint32 pid)
{
	char path[32], line[4096];
	const char *found = NULL, *at;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/cgroup", pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = 0;
		at = g_str_has_prefix(line, "0::") ? line + 3 : strstr(line, ":name=systemd:");
		if (at && at != line + 3)
			at += strlen(":name=systemd:");
		if (at && (!found || strcmp(at, "/")))
			found = interned(at);
	}
	if (file)
		fclose(file);
	return found;
}

static int is_kernel_thread(const char *stat)
{
	unsigned long flags;

	/* state, ppid, pgrp, session, tty, tpgid, flags */
	return sscanf(stat, "%*c %*d %*d %*d %*d %*d %lu", &flags) == 1 && flags & PF_KTHREAD;
}

/* Reads what the records do not have. */
static void look(gint32 pid, struct process *p)
{
	char text[PROCSTAT_SIZE], *name;
	const char *rest = pid ? procstat_read(pid, 0, text, &name) : NULL, *cgroup;

	p->cgroup = interned("");
	if (!rest)
		return;
	if (!*p->name)
		g_strlcpy(p->name, name, sizeof(p->name));
	if (is_kernel_thread(rest)) {
		p->name[strcspn(p->name, "/")] = 0;
		return;
	}
	cgroup = read_cgroup(pid);
	if (cgroup)
		p->cgroup = cgroup;
}

static struct process *process_at(gint32 pid)
{
	guint slot = (guint)pid % G_N_ELEMENTS(near);
	struct process *p = near[slot].pid == pid ? near[slot].process : NULL;

	if (p)
		return p;
	p = g_hash_table_lookup(processes, GINT_TO_POINTER(pid));
	near[slot].pid = pid;
	near[slot].process = p;
	if (p)
		return p;
	p = g_new0(struct process, 1);
	p->cgroup = interned("");
	p->is_new = 1;
	if (!pid)
		strcpy(p->name, "idle");
	g_hash_table_insert(processes, GINT_TO_POINTER(pid), p);
	near[slot].process = p;
	return p;
}

/* The path of a sampled group; NULL: of none that tells more than /proc. */
static const char *path_of(guint64 cgroup)
{
	const char *path = cgroup ? g_hash_table_lookup(paths, &cgroup) : NULL;

	return path && strcmp(path, "/") != 0 ? path : NULL;
}

guint32 units_of(gint32 pid, guint64 cgroup)
{
	struct process *p = process_at(pid);
	const char *path;
	struct unit u;
	gpointer number;

	if (p->unit && p->sampled == cgroup && !p->is_new)
		return p->unit - 1;
	path = path_of(cgroup);
	if (p->is_new && (!path || !*p->name))
		look(pid, p);
	else if (p->is_new)
		p->cgroup = interned("");
	p->is_new = 0;
	p->sampled = cgroup;
	u = (struct unit){ .cgroup = path ? path : p->cgroup };
	g_strlcpy(u.name, *p->name ? p->name : "?", sizeof(u.name));
	number = g_hash_table_lookup(numbers, &u);
	if (!number) {
		g_array_append_val(units, u);
		number = GUINT_TO_POINTER(units->len);
		g_hash_table_insert(numbers, g_memdup2(&u, sizeof(u)), number);
	}
	p->unit = GPOINTER_TO_UINT(number);
	return p->unit - 1;
}

void units_look(s32 pid)
{
	units_of(pid, 0);
}

static void rename_to(struct process *p, const char *name)
{
	g_strlcpy(p->name, name, sizeof(p->name));
	p->unit = 0;
}

static void fork_of(gint32 pid, gint32 parent)
{
	const struct process *of = process_at(parent);
	struct process *p;

	g_hash_table_remove(processes, GINT_TO_POINTER(pid));
	near[(guint)pid % G_N_ELEMENTS(near)].process = NULL;
	if (of->is_new && !*of->name)
		units_of(parent, 0);
	p = process_at(pid);
	g_strlcpy(p->name, of->name, sizeof(p->name));
	p->cgroup = of->cgroup;
	p->is_new = of->is_new;
}

static void add_group(guint64 id, const char *path)
{
	g_hash_table_replace(paths, g_memdup2(&id, sizeof(id)), (gpointer)interned(path));
}

/* The groups that exist: the ID of one is the inode number of its folder. */
static int visit_group(const char *path, const struct stat *st, int type, struct FTW *at)
{
	if (type == FTW_D)
		add_group(st->st_ino, path[root_length] ? path + root_length : "/");
	return 0;
}

static void read_groups(void)
{
	struct mntent *m;
	FILE *mounts = setmntent("/proc/self/mounts", "re");

	while (mounts && (m = getmntent(mounts)))
		if (!strcmp(m->mnt_type, "cgroup2")) {
			root_length = strlen(m->mnt_dir);
			nftw(m->mnt_dir, visit_group, 16, FTW_PHYS | FTW_MOUNT);
			break;
		}
	if (mounts)
		endmntent(mounts);
	groups_read = g_hash_table_size(paths);
}

int units_process(const struct perf_event_header *h)
{
	const gint32 *w = (const gint32 *)(h + 1);
	const char *name = (const char *)(w + 2);
	struct process *p;
	int is_other = 0;

	if (h->type == PERF_RECORD_CGROUP)
		add_group(*(const guint64 *)(const void *)w, name);
	if (h->type == PERF_RECORD_FORK && w[0] != w[1]) {
		fork_of(w[0], w[1]);
	} else if (h->type == PERF_RECORD_EXIT && w[0] == w[2]) {
		p = g_hash_table_lookup(processes, GINT_TO_POINTER(w[0]));
		if (p)
			p->gone = 1;
	} else if ((h->type == PERF_RECORD_COMM || h->type == RECORD_LOOKED) && w[0] == w[1]) {
		p = process_at(w[0]);
		is_other = h->type == RECORD_LOOKED && strcmp(p->name, name) != 0;
		if (h->type == PERF_RECORD_COMM || is_other) {
			rename_to(p, name);
			p->is_new |= is_other || h->misc & PERF_RECORD_MISC_COMM_EXEC;
		}
	}
	return is_other;
}

static gboolean is_long_gone(gpointer pid, gpointer value, gpointer data)
{
	struct process *p = value;

	if (p->gone == 1) {
		p->gone = 2;
		return FALSE;
	}
	return p->gone == 2;
}

void units_sweep(void)
{
	g_hash_table_foreach_remove(processes, is_long_gone, NULL);
	memset(near, 0, sizeof(near));
}

/* used: a set of the paths that processes have. */
static void forget_unit(gpointer pid, gpointer value, gpointer used)
{
	struct process *p = value;

	p->unit = 0;
	if (!p->gone && kill(GPOINTER_TO_INT(pid), 0) && errno == ESRCH)
		p->gone = 1;		/* the record of its end was lost */
	g_hash_table_add(used, (gpointer)p->cgroup);
}

static void add_value(gpointer key, gpointer value, gpointer set)
{
	g_hash_table_add(set, value);
}

static gboolean is_unused(gpointer path, gpointer own, gpointer used)
{
	return !g_hash_table_contains(used, path);
}

void units_clear(void)
{
	GHashTable *used = g_hash_table_new(NULL, NULL);

	g_hash_table_foreach(processes, forget_unit, used);
	g_hash_table_remove_all(numbers);
	g_array_set_size(units, 0);
	if (g_hash_table_size(paths) > 2 * groups_read + GROUPS_SPARE) {
		g_hash_table_remove_all(paths);
		read_groups();
	}
	g_hash_table_foreach(paths, add_value, used);
	g_hash_table_foreach_remove(groups, is_unused, used);
	g_hash_table_unref(used);
}

guint32 units_count(void) { return units->len; }
const struct unit *units_at(guint32 i) { return &g_array_index(units, struct unit, i); }

void units_open(void)
{
	processes = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	numbers = g_hash_table_new_full(unit_hash, unit_equal, g_free, NULL);
	groups = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	units = g_array_new(FALSE, FALSE, sizeof(struct unit));
	paths = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	read_groups();
}
