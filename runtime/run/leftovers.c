/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * leftovers.c - see leftovers.h. The file is FOLDER/PID.run; it contains the process ID of a
 * program and its start time, or nothing.
 */
#include "runtime/run/leftovers.h"

#include "lib/procstat.h"
#include "runtime/run/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#define SUFFIX	".run"
/*
 * 10 ms apart: for our own file, which another run's cleanup locks for a moment, and for what is
 * still in use
 */
#define TRIES	100

static int own = -1;
static char own_path[FOLDER_SIZE + 32];

/* Start time of a process, in the kernel's ticks since boot; 0: no such process. */
static unsigned long long began(pid_t pid)
{
	char text[PROCSTAT_SIZE], *name;
	const char *rest = procstat_read(pid, 0, text, &name);
	unsigned long long ticks = 0;

	if (rest)		/* field 22 */
		sscanf(rest,
		       "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
		       &ticks);
	return ticks;
}

/* ---- after a run that is gone ------------------------------------------------------*/

/* A setuid program does not get its parent-death signal, so it is sent SIGTERM. */
static void end_program(int fd)
{
	char text[64] = "";
	unsigned long long since;
	int pid;

	if (pread(fd, text, sizeof(text) - 1, 0) > 0 &&
	    sscanf(text, "%d %llu", &pid, &since) == 2 && pid > 0 && since && began(pid) == since)
		kill(pid, SIGTERM);
}

/*
 * Lines of kprobe_events and uprobe_events begin with "p:GROUP/NAME " or "r:GROUP/NAME "; -1: some
 * could not be removed.
 */
static int remove_events(const char *path, int pid)
{
	char line[4096], group[32], *end;
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC), rc = 0;
	FILE *f = fd >= 0 ? fopen(path, "re") : NULL;

	snprintf(group, sizeof(group), "lapwing_%d/", pid);
	while (f && fgets(line, sizeof(line), f)) {
		char *colon = strchr(line, ':');

		if (!colon || strncmp(colon + 1, group, strlen(group)) ||
		    !(end = strpbrk(colon, " \n")))
			continue;
		strcpy(end, "\n");
		/* -:GROUP/NAME: what is before the colon is one letter or more */
		*--colon = '-';
		colon[1] = ':';
		if (write(fd, colon, strlen(colon)) < 0)
			rc = -1;
	}
	if (f)
		fclose(f);
	if (fd >= 0)
		close(fd);
	return rc;
}

/* 0, or -1: something is still in use, and is left to the next cleanup. */
static int tidy(int folder, int fd, int pid)
{
	static const char *const files[] = {
		"/sys/kernel/tracing/kprobe_events",
		"/sys/kernel/tracing/uprobe_events",
		"/sys/kernel/debug/tracing/kprobe_events",
		"/sys/kernel/debug/tracing/uprobe_events",
	};
	static const char *const sockets[] = { "%d.ctl", "%d.notes" };
	char name[64];
	int rc = 0;

	end_program(fd);
	for (unsigned i = 0; i < sizeof(sockets) / sizeof(sockets[0]); i++) {
		snprintf(name, sizeof(name), sockets[i], pid);
		unlinkat(folder, name, 0);
	}
	if (geteuid())
		return 0;
	for (unsigned i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		rc |= remove_events(files[i], pid);
	snprintf(name, sizeof(name), "lapwing_%08x", (unsigned)pid);
	if (syscall(SYS_delete_module, name, O_NONBLOCK) && (errno == EAGAIN || errno == EBUSY))
		rc = -1;
	return rc;
}

/* A process that was just killed, and its program, still hold events for a moment. */
static int tidy_all(int folder, int fd, int pid)
{
	int rc = tidy(folder, fd, pid);

	for (int i = 0; rc && i < TRIES; i++) {
		poll(NULL, 0, 10);
		rc = tidy(folder, fd, pid);
	}
	return rc;
}

/* Locks the file that currently has the name. 0, or -1: it is locked. */
static int lock(int fd, int folder, const char *name)
{
	struct stat st, now;

	return flock(fd, LOCK_EX | LOCK_NB) || fstat(fd, &st) ||
			       fstatat(folder, name, &now, AT_SYMLINK_NOFOLLOW) ||
			       st.st_ino != now.st_ino || st.st_dev != now.st_dev
		       ? -1
		       : 0;
}

/* A socket of a run without a file: true if nobody listens there. */
static int is_deserted(int folder, const char *name)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), refused;
	struct sockaddr_un to = { .sun_family = AF_UNIX };

	snprintf(to.sun_path, sizeof(to.sun_path), "/proc/self/fd/%d/%.32s", folder, name);
	refused =
		fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof(to)) && errno == ECONNREFUSED;
	if (fd >= 0)
		close(fd);
	return refused;
}

static void look(int folder, const char *name)
{
	char *end;
	int pid = (int)strtol(name, &end, 10), fd;

	if (pid <= 0)
		return;
	if ((!strcmp(end, ".ctl") || !strcmp(end, ".notes")) && kill(pid, 0) && errno == ESRCH &&
	    is_deserted(folder, name))
		unlinkat(folder, name, 0);
	if (strcmp(end, SUFFIX))
		return;
	fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && !lock(fd, folder, name) && !tidy_all(folder, fd, pid))
		unlinkat(folder, name, 0);
	if (fd >= 0)
		close(fd);
}

static void sweep(const char *folder)
{
	struct dirent *entry;
	DIR *dir = opendir(folder);

	while (dir && (entry = readdir(dir)))
		look(dirfd(dir), entry->d_name);
	if (dir)
		closedir(dir);
}

void leftovers_sweep(void)
{
	char folder[FOLDER_SIZE];

	if (!folder_find(folder))
		sweep(folder);
}

/* ---- this run ----------------------------------------------------------------------*/

void leftovers_begin(void)
{
	char folder[FOLDER_SIZE];

	if (folder_make(folder))
		return;
	sweep(folder);
	snprintf(own_path, sizeof(own_path), "%s/%d" SUFFIX, folder, getpid());
	for (int i = 0; i < TRIES && own < 0; i++) {
		own = open(own_path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
		if (own < 0)
			return;
		if (lock(own, AT_FDCWD, own_path)) {
			close(own);
			own = -1;
			poll(NULL, 0, 10);
		}
	}
	if (own >= 0 && ftruncate(own, 0))	/* of an earlier run with our pid, whose events
						 * are still in use */
		leftovers_end();
}

void leftovers_program(pid_t pid)
{
	if (own >= 0)
		dprintf(own, "%d %llu\n", pid, began(pid));
}

void leftovers_end(void)
{
	if (own < 0)
		return;
	unlink(own_path);
	close(own);
	own = -1;
}
