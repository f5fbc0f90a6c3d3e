/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * background.c - -F: the session continues in another process. The first process waits until the
 * probes are armed, so that earlier errors still reach the user, then prints the other's process id
 * and exits. Later messages of the session go to FILE.err, which is removed if it stays empty.
 * SIGINT or SIGTERM to that process ends the session like ^C.
 */
#include "runtime/run/background.h"

#include "lib/option.h"
#include "runtime/run/outfile.h"
#include "runtime/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int armed_pipe = -1;
static char errors[PATH_MAX];

static void wait_armed(pid_t pid, int from)
{
	int status = 0;
	char byte;
	ssize_t n;

	do
		n = read(from, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n == 1) {
		printf("%d\n", pid);
		fflush(stdout);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

int background_start(void)
{
	int ends[2], null = open("/dev/null", O_RDWR | O_CLOEXEC);
	pid_t pid;

	if (outfile_name(opt.output, errors, sizeof(errors) - 5))
		return -1;
	strcat(errors, ".err");
	if (null < 0 || pipe2(ends, O_CLOEXEC) || (pid = fork()) < 0)
		return option_fail(FAILURE_RESOURCES, "-F: %s", strerror(errno));
	if (pid) {
		close(ends[1]);
		wait_armed(pid, ends[0]);
	}
	setsid();
	close(ends[0]);
	armed_pipe = ends[1];
	dup2(null, 0);
	dup2(null, 1);
	close(null);
	return 0;
}

void background_armed(void)
{
	int fd;

	if (armed_pipe < 0)
		return;
	fd = open(errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0) {
		fprintf(stderr, "WARNING: %s: %s: messages of the session will be lost\n", errors,
			strerror(errno));
		fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
		errors[0] = 0;
	}
	fflush(stderr);
	dup2(fd, 2);
	close(fd);
	if (write(armed_pipe, "", 1) != 1)
		errors[0] = 0;		/* nobody waits: keep the messages in the file */
	close(armed_pipe);
	armed_pipe = -2;
}

void background_end(void)
{
	struct stat st;

	fflush(stderr);
	if (armed_pipe == -2 && errors[0] && !fstat(2, &st) && !st.st_size)
		unlink(errors);
}
