/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs.c - see tracefs.h.
 */
#include "runtime/user/events/tracefs.h"

#include "lib/limits.h"
#include "lib/tracefs_folder.h"
#include "runtime/user/transport/message.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GROUP "lapwing_"

static const char *find_root(void)
{
	const char *root = tracefs_folder(), *mode;

	if (root)
		return root;
	mode = limits_lockdown();
	message_text(
		WIRE_ERROR,
		"probes of functions, tracepoints and system calls, and counters of threads, need tracefs%s",
		mode && !strcmp(mode, "confidentiality")
			? ", which kernel lockdown (confidentiality) keeps empty: boot with "
			  "lockdown=integrity or none; timers and perf's own events can be probed"
		: geteuid() ? ", which only root can read: run as root"
			    : ": mount -t tracefs tracefs /sys/kernel/tracing");
	return NULL;
}

const char *tracefs_root(void)
{
	static const char *root;
	static int looked;

	if (!looked)
		root = find_root();
	looked = 1;
	return root;
}

int tracefs_is_mounted(void) { return tracefs_folder() != NULL; }

/* Writes one line to a file of tracefs. 0 or -errno. */
static int write_line(const struct tracefs_kind *kind, const char *line)
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

/* The kernel refuses to remove events in use, such as those of another pid namespace. */
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
		write_line(kind, line);
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
	return write_line(kind, line);
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

/* True of the last word: "unsigned long args[6]", "__data_loc char[] name". */
static int declares(const char *declaration, const char *field)
{
	const char *name = strrchr(declaration, ' ');
	size_t n = strlen(field);

	return name && !strncmp(name + 1, field, n) && (!name[1 + n] || name[1 + n] == '[');
}

const struct rt_record_field *tracefs_find_fields(const struct rt_tracepoint *t, u32 *offsets)
{
	const u32 missing = ~0u;
	char path[256], line[512], declaration[512];
	unsigned offset, size;
	FILE *f;

	for (u32 i = 0; i < t->nfields; i++)
		offsets[i] = missing;
	snprintf(path, sizeof(path), "%s/events/%s/%s/format", tracefs_root(), t->system, t->name);
	f = t->nfields ? fopen(path, "re") : NULL;
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, " field:%511[^;]; offset:%u; size:%u;", declaration, &offset,
			   &size) != 3)
			continue;
		for (u32 i = 0; i < t->nfields; i++)
			if (declares(declaration, t->fields[i].name) && size == t->fields[i].bytes)
				offsets[i] = offset;
	}
	if (f)
		fclose(f);
	for (u32 i = 0; i < t->nfields; i++)
		if (offsets[i] == missing)
			return &t->fields[i];
	return NULL;
}

static u32 read_head_more(void)
{
	char path[96], line[256];
	unsigned offset = 8;
	const char *root = tracefs_folder();
	FILE *f = NULL;

	if (root) {
		snprintf(path, sizeof(path), "%s/events/raw_syscalls/sys_enter/format", root);
		f = fopen(path, "re");
	}
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, " field:long id; offset:%u;", &offset) == 1)
			break;
	if (f)
		fclose(f);
	return offset > 8 ? offset - 8 : 0;
}

u32 tracefs_head_more(void)
{
	static u32 more;
	static int asked;

	if (!asked)
		more = read_head_more();
	asked = 1;
	return more;
}

void tracefs_drop(const struct tracefs_kind *kind, u32 n)
{
	char line[64];

	for (u32 i = 0; i < n; i++) {
		snprintf(line, sizeof(line), "-:" GROUP "%d/%c%u\n", getpid(), kind->letter, i);
		write_line(kind, line);		/* skipped rows have none */
	}
}
