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

const char *tracefs_root(void)
{
	static const char *root;
	static int looked;

	if (!looked && !(root = tracefs_find()))
		core_error(RUN_TRACEFS, tracefs_problem());
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

/*
 * Opens a file of an event; system may be "*". NULL: there is no such event, or the file cannot be
 * read.
 */
static FILE *open_of(const char *system, const char *name, const char *file)
{
	char pattern[256];
	glob_t found = { 0 };
	FILE *f = NULL;

	snprintf(pattern, sizeof(pattern), "%s/events/%s/%s/%s", tracefs_root(), system, name,
		 file);
	if (!glob(pattern, 0, NULL, &found) && found.gl_pathc)
		f = fopen(found.gl_pathv[0], "re");
	globfree(&found);
	return f;
}

/* The text of an event's format file, to be freed; NULL: it cannot be read. */
static char *read_format(const char *system, const char *name)
{
	FILE *f = open_of(system, name, "format");
	char *text = NULL;
	size_t size = 0;

	if (f && getdelim(&text, &size, 0, f) < 0) {		/* no NUL in it: reads all */
		free(text);
		text = NULL;
	}
	if (f)
		fclose(f);
	return text;
}

u32 tracefs_field(const char *system, const char *name, const char *field)
{
	char *text = read_format(system, name);
	const char *at = text;
	struct tracefs_place place;
	u32 offset = 0;

	while (at && !offset && tracefs_layout_next(&at, &place))
		if (place.size == 4 && !strcmp(place.name, field))
			offset = place.offset;
	free(text);
	return offset;
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

long tracefs_event(const char *system, const char *name)
{
	FILE *f = open_of(system, name, "id");
	long id = -1;

	if (f && fscanf(f, "%ld", &id) != 1)
		id = -1;
	if (f)
		fclose(f);
	return id;
}

u64 tracefs_records(const char *system, const char *name, struct record_layout *layout)
{
	char *text = read_format(system, name);
	u64 hash = text ? tracefs_layout(text) : 0;

	*layout = record_layout_of_call(text ? text : "");
	free(text);
	return hash;
}

/* The names by which tracefs knows event n of this run. */
struct own_name {
	char system[24], name[12];
};

static struct own_name own_name(const struct tracefs_kind *kind, u32 n)
{
	struct own_name own;

	snprintf(own.system, sizeof(own.system), GROUP "%d", getpid());
	snprintf(own.name, sizeof(own.name), "%c%u", kind->letter, n);
	return own;
}

long tracefs_id(const struct tracefs_kind *kind, u32 n)
{
	struct own_name own = own_name(kind, n);

	return tracefs_event(own.system, own.name);
}

int tracefs_own_records(const struct tracefs_kind *kind, u32 n, struct record_layout *layout)
{
	struct own_name own = own_name(kind, n);
	char *text = layout->address ? NULL : read_format(own.system, own.name);

	if (text)
		*layout = record_layout_of_probe(text);
	free(text);
	return layout->address ? 0 : -EIO;
}

void tracefs_drop(const struct tracefs_kind *kind, u32 n)
{
	char line[64];

	for (u32 i = 0; i < n; i++) {
		snprintf(line, sizeof(line), "-:" GROUP "%d/%c%u\n", getpid(), kind->letter, i);
		tell(kind, line);		/* fails for rows that were skipped */
	}
}
