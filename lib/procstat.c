/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procstat.c - see procstat.h.
 */
#include "lib/procstat.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * For a kernel worker, /proc appends its current work to its name, "kworker/0:1-events"; the
 * kernel's own record of the name is without.
 */
static void cut_worker(char *name)
{
	if (!strncmp(name, "kworker/", 8) && name[8] != 'R')
		name[8 + strcspn(name + 8, "-+")] = 0;
}

/* The kernel creates the text at the first read, so it is complete. */
const char *procstat_read(int pid, int tid, char text[PROCSTAT_SIZE], char **name)
{
	char path[64], *begin, *end;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), tid ? "/proc/%d/task/%d/stat" : "/proc/%d/stat", pid, tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	n = read(fd, text, PROCSTAT_SIZE - 1);
	close(fd);
	if (n <= 0)
		return NULL;
	text[n] = 0;
	begin = strchr(text, '(');
	end = strrchr(text, ')');
	if (!begin || !end || end < begin || end[1] != ' ')
		return NULL;
	*end = 0;
	*name = begin + 1;
	cut_worker(*name);
	return end + 2;
}

static int has_ended(int pid, int tid)
{
	char text[PROCSTAT_SIZE], *name;
	const char *rest = procstat_read(pid, tid, text, &name);

	return !rest || *rest == 'Z' || *rest == 'X';
}

int procstat_alive(int pid)
{
	int found = pid, tid;
	struct dirent *d;
	char path[32];
	DIR *dir;

	if (!has_ended(pid, pid))
		return pid;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && found == pid && (d = readdir(dir))) {
		tid = atoi(d->d_name);
		if (tid > 0 && tid != pid && !has_ended(pid, tid))
			found = tid;
	}
	if (dir)
		closedir(dir);
	return found;
}

int procstat_is_over(int pid)
{
	return procstat_alive(pid) == pid && has_ended(pid, pid);
}

static void visit_threads(int pid, void (*visit)(int pid, int tid, const char *name))
{
	char path[32], text[PROCSTAT_SIZE], *name;
	struct dirent *d;
	DIR *task;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	task = opendir(path);
	while (task && (d = readdir(task))) {
		int tid = atoi(d->d_name);

		if (tid > 0 && procstat_read(pid, tid, text, &name))
			visit(pid, tid, name);
	}
	if (task)
		closedir(task);
}

void procstat_each_thread(void (*visit)(int pid, int tid, const char *name))
{
	DIR *proc = opendir("/proc");
	struct dirent *d;

	while (proc && (d = readdir(proc)))
		if (atoi(d->d_name) > 0)
			visit_threads(atoi(d->d_name), visit);
	if (proc)
		closedir(proc);
}
