/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_procfs.c - procfs probes without a kernel module: named pipes below FOLDER/MODULE/; the
 * consumer gives the folder of this user.
 *
 * They are checked every 10 ms. A pipe that can be opened for writing without waiting has a reader:
 * the handler runs, its text is written, and a new pipe takes the name, so that this reader gets
 * end of file and the next one another pipe. Writers find a pipe that is open for reading; each
 * line is a hit. A pipe of both kinds is opened for reading only to check whether a writer waits.
 */
#include "runtime/user/probes/family_procfs.h"

#include "runtime/core/procfs.h"
#include "runtime/user/base/time.h"
#include "runtime/user/context/enter.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/transport/message.h"
#include "runtime/user/user.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOOK_NS 10000000ULL
#define PIPE_BYTES 65536U	/* default capacity of a pipe */

static struct procfs_text *running;
static struct procfs_file *files;
static u32 nfiles;
static char folder[256];

struct own {
	int	in;		/* open for reading, or -1 */
};

struct procfs_text **procfs_now(void)
{
	return &running;
}

static void run(const struct rt_procfs *row, struct procfs_text *text, struct hit *hit)
{
	running = text;
	enter_probe(row->probe, hit);
	running = NULL;
}

static void path_of(const struct procfs_file *f, const char *suffix, char *path, size_t size)
{
	snprintf(path, size, "%s/%s%s", folder, f->path, suffix);
}

/* Puts a new pipe under the file's name. */
static int make_pipe(const struct procfs_file *f)
{
	mode_t mode = (f->read ? f->read->mode : 0) | (f->write ? f->write->mode : 0);
	char path[512], fresh[520];

	path_of(f, "", path, sizeof(path));
	path_of(f, ".new", fresh, sizeof(fresh));
	/* We write what others read, which only root may do regardless of the mode. */
	if (mkfifo(fresh, 0600) || chmod(fresh, geteuid() ? mode | 0600 : mode) ||
	    rename(fresh, path))
		return -errno;
	return 0;
}

/*
 * A line is a hit: writes since the last check arrive here as one piece, but each is a command of
 * its own to its writer.
 */
static void take_lines(const struct procfs_file *f, char *p, u32 n, struct hit *hit)
{
	struct procfs_text text;
	char *end;

	for (n = (u32)strnlen(p, n); n; n -= text.used, p += text.used) {
		end = memchr(p, '\n', n);
		text = (struct procfs_text){ .p = p, .used = end ? (u32)(end - p) + 1 : n };
		run(f->write, &text, hit);
	}
}

static void take_writer(const struct procfs_file *f, struct hit *hit)
{
	struct own *own = f->own;
	char path[512];
	char *p;
	ssize_t n;

	path_of(f, "", path, sizeof(path));
	if (own->in < 0)
		own->in = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	p = own->in < 0 ? NULL : malloc(procfs_size(f->write));
	if (!p)
		return;
	while ((n = read(own->in, p, procfs_size(f->write))) > 0)
		take_lines(f, p, (u32)n, hit);
	free(p);
	if (!n && f->read) {		/* no writer: close it, to detect readers again */
		close(own->in);
		own->in = -1;
	}
}

/* For all files except one that has a reader: opening its pipe here would add another reader. */
static void take_writers(const struct procfs_file *but, struct hit *hit)
{
	for (u32 i = 0; i < nfiles; i++)
		if (files[i].write && &files[i] != but)
			take_writer(&files[i], hit);
}

static void serve_reader(const struct procfs_file *f, struct hit *hit)
{
	struct procfs_text text = { .size = procfs_size(f->read) };
	char path[512];
	ssize_t n = 0;
	int fd;

	path_of(f, "", path, sizeof(path));
	fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	take_writers(f, hit);	/* a process that writes, then reads, sees the effect */
	make_pipe(f);
	text.p = malloc(text.size);
	if (text.p)
		run(f->read, &text, hit);
	if (text.used > PIPE_BYTES)
		fcntl(fd, F_SETPIPE_SZ, (int)text.size);
	for (u32 done = 0; done < text.used && n >= 0; done += (u32)n)
		n = write(fd, text.p + done, text.used - done);
	free(text.p);
	close(fd);
}

static u64 look(const void *row, struct hit *hit)
{
	hit->pid = hit->tid = getpid();
	take_writers(NULL, hit);
	for (u32 i = 0; i < nfiles; i++) {
		const struct own *own = files[i].own;

		if (files[i].read && own->in < 0)
			serve_reader(&files[i], hit);
	}
	return hit->time + LOOK_NS;
}

/* Creates the directories above the path's last component. */
static int make_folders(char *path)
{
	for (char *end = strchr(path + 1, '/'); end; end = strchr(end + 1, '/')) {
		*end = 0;
		if (mkdir(path, 0755) && errno != EEXIST)
			return -errno;
		*end = '/';
	}
	return 0;
}

static int make_files(void)
{
	char path[512];
	int rc = *session.how.folder ? 0 : -ENOENT;

	snprintf(folder, sizeof(folder), "%s/%s", session.how.folder, runtime_name());
	for (u32 i = 0; i < nfiles && !rc; i++) {
		struct own *own = calloc(1, sizeof(*own));

		files[i].own = own;
		path_of(&files[i], "", path, sizeof(path));
		rc = own ? make_folders(path) : -ENOMEM;
		if (own)
			own->in = -1;
		if (!rc)
			rc = make_pipe(&files[i]);
		if (!rc && files[i].write && !files[i].read)
			own->in = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	}
	if (rc)
		message_error(RUN_PIPES, "'%s': %s", folder, strerror(-rc));
	return rc;
}

static void stop(const void *rows, u32 n)
{
	char path[512], *slash;

	for (u32 i = 0; i < nfiles; i++) {
		struct own *own = files[i].own;

		if (!own)
			continue;
		path_of(&files[i], "", path, sizeof(path));
		if (own->in >= 0)
			close(own->in);
		free(own);
		unlink(path);
		/* Folders that others still use are not empty. */
		for (slash = strrchr(path, '/'); slash && (size_t)(slash - path) >= strlen(folder);
		     slash = strrchr(path, '/')) {
			*slash = 0;
			rmdir(path);
		}
	}
	free(files);
	files = NULL;
	nfiles = 0;
	merge_drop_timers();
}

static int start(const void *rows, u32 n)
{
	int rc;

	files = calloc(n, sizeof(*files));
	if (!files)
		return -ENOMEM;
	nfiles = procfs_files(rows, n, files);
	rc = make_files();
	if (rc)
		stop(rows, n);
	else if (nfiles)
		merge_timer(rows, time_mono() + LOOK_NS, look);
	return rc;
}

int procfs_input(const char *p, u32 n)
{
	const struct rt_procfs *row;
	u32 at = 0;
	struct hit hit = { .time = time_mono(), .pid = getpid(), .tid = getpid() };
	struct procfs_text text = { .p = (char *)p, .used = (u32)strnlen(p, n), .size = n };

	while ((row = procfs_stdin(&at)))
		run(row, &text, &hit);
	return at ? 0 : -ENOENT;
}

const struct rt_family rt_family_procfs = {
	.name	= "procfs",
	.start	= start,
	.stop	= stop,
};
