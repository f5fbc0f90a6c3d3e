/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs.c - see tracefs.h.
 */
#include "runtime/user/events/tracefs.h"

#include "lib/tracefs_layout.h"
#include "lib/tracefs_mount.h"
#include "runtime/user/transport/message.h"
#include "runtime/user/user.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GROUP "lapwing_"

/*
 * of a record, before the event's own fields: offsets in this runtime and in scripts depend on that
 */
#define COMMON_BYTES 8

/* 0: unknown, as a guest's tracefs may lack the event that is looked up here. */
static unsigned common_bytes(const char *root)
{
	char path[128], line[512];
	unsigned offset, found = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/events/sched/sched_switch/format", root);
	f = fopen(path, "re");
	while (f && !found && fgets(line, sizeof(line), f))
		if (sscanf(line, " field:%*[^;]; offset:%u;", &offset) == 1 &&
		    !strstr(line, " common_"))
			found = offset;
	if (f)
		fclose(f);
	return found;
}

/* Kernels with other patches, as formerly those with PREEMPT_RT, have more common fields. */
static int is_usual(const char *root)
{
	unsigned n = common_bytes(root);

	if (!n || n == COMMON_BYTES)
		return 1;
	message_error(RUN_TRACEFS_COMMON, "%u", n);
	return 0;
}

const char *tracefs_root(void)
{
	static const char *root;
	static int looked;

	if (!looked && !(root = tracefs_find()))
		core_error(RUN_TRACEFS, tracefs_problem());
	if (!looked && root && !is_usual(root))
		root = NULL;
	looked = 1;
	return root;
}

/* Writes one line to a file of tracefs. 0 or -errno. */
static int tell(const struct tracefs_kind *kind, const char *line)
{
	char path[64];
	int fd, rc = 0;

	snprintf(path, sizeof(path), "%s/%s", tracefs_root(), kind->file);
	fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, line, strlen(line)) < 0)
		rc = -errno;
	close(fd);
	return rc;
}

/* "	field:pid_t next_pid;	offset:56;	size:4;	signed:1;" */
u32 tracefs_field(const char *system, const char *name, const char *field)
{
	char path[256], line[512], found[64];
	u32 offset, size, at = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/events/%s/%s/format", tracefs_root(), system, name);
	f = fopen(path, "re");
	while (f && !at && fgets(line, sizeof(line), f))
		if (sscanf(line, " field:%*s %63[^;]; offset:%u; size:%u;", found, &offset,
			   &size) == 3 &&
		    size == 4 && !strcmp(found, field))
			at = offset;
	if (f)
		fclose(f);
	return at;
}

/* The kernel refuses to remove events in use, such as those of a run in another PID namespace. */
void tracefs_sweep(const struct tracefs_kind *kind)
{
	char path[64], line[4096], name[64];
	int pid;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", tracefs_root(), kind->file);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%*[^:]:" GROUP "%d/%31s", &pid, name) != 2 ||
		    (pid != getpid() && (!kill(pid, 0) || errno != ESRCH)))
			continue;
		snprintf(line, sizeof(line), "-:" GROUP "%d/%s\n", pid, name);
		tell(kind, line);
	}
	if (f)
		fclose(f);
}

int tracefs_add(const struct tracefs_kind *kind, u32 n, const char *how, const char *what)
{
	char line[4096];

	if ((size_t)snprintf(line, sizeof(line), "%s:" GROUP "%d/%c%u %s\n", how, getpid(),
			     kind->letter, n, what) >= sizeof(line))
		return -E2BIG;
	return tell(kind, line);
}

int tracefs_refuse(const struct tracefs_kind *kind, const struct rt_probe *p, int optional, int rc)
{
	const struct refusal refusals[] = {
		{ -ENOENT,	kind->none },
		{ -EINVAL,	kind->forbidden },
		{ -E2BIG,	RUN_FETCH },
		{ -EACCES,	RUN_TRACEFS_REFUSED },
		{ -EPERM,	RUN_TRACEFS_REFUSED },
		{ 0,		RUN_REGISTRATION },
	};
	char path[64];

	snprintf(path, sizeof(path), "%s/%s", tracefs_root(), kind->file);
	return rc == -ENOENT && access(path, F_OK)
		       ? refuse_probe(p, optional, rc, RUN_EVENTS_FILE, kind->file)
		       : refuse_errno(p, optional, rc, refusals);
}

static long read_id(const char *path)
{
	FILE *f = fopen(path, "re");
	long id = -1;

	if (f && fscanf(f, "%ld", &id) != 1)
		id = -1;
	if (f)
		fclose(f);
	return id;
}

long tracefs_id(const struct tracefs_kind *kind, u32 n)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/events/" GROUP "%d/%c%u/id", tracefs_root(), getpid(),
		 kind->letter, n);
	return read_id(path);
}

long tracefs_event(const char *system, const char *name)
{
	char pattern[256];
	glob_t found = { 0 };
	long id = -1;

	snprintf(pattern, sizeof(pattern), "%s/events/%s/%s/id", tracefs_root(), system, name);
	if (!glob(pattern, 0, NULL, &found) && found.gl_pathc)
		id = read_id(found.gl_pathv[0]);
	globfree(&found);
	return id;
}

u64 tracefs_layout_of(const char *system, const char *name)
{
	char path[256], *text = NULL;
	size_t size = 0;
	u64 layout = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/events/%s/%s/format", tracefs_root(), system, name);
	f = fopen(path, "re");
	if (f && getdelim(&text, &size, 0, f) > 0)		/* no NUL in it: reads all */
		layout = tracefs_layout(text);
	if (f)
		fclose(f);
	free(text);
	return layout;
}

void tracefs_drop(const struct tracefs_kind *kind, u32 n)
{
	char line[64];

	for (u32 i = 0; i < n; i++) {
		snprintf(line, sizeof(line), "-:" GROUP "%d/%c%u\n", getpid(), kind->letter, i);
		tell(kind, line);		/* fails for rows that were skipped */
	}
}
