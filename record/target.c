/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target.c - the profiled target, and its end: a command, started so that events can be opened for
 * it before it runs its first instruction, or existing processes.
 */
#include "record/target.h"

#include "lib/failure_error.h"
#include "lib/option.h"
#include "record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;
static int go_fd = -1, ended, status;
static GArray *watched;		/* struct pollfd of pidfds; fd -1: no pidfd_open() */

/* Waits for a byte, then becomes the command. If that fails, the exit status is a shell's. */
static G_GNUC_NORETURN void become(char **command, int wait_fd)
{
	char byte;
	int error;

	if (read(wait_fd, &byte, 1) != 1)
		_exit(127);
	execvp(command[0], command);
	error = errno;
	option_fail(FAILURE_COMMAND_START, "'%s' cannot be run: %s", command[0],
		    strerror(error));
	_exit(error == ENOENT ? 127 : 126);
}

int target_start(char **command, GError **error)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) || (child = fork()) < 0) {
		g_set_error(error, FAILURE_ERROR, FAILURE_RESOURCES,
			    "no process for the command: %s", g_strerror(errno));
		return -1;
	}
	if (!child) {
		close(fds[1]);
		become(command, fds[0]);
	}
	close(fds[0]);
	go_fd = fds[1];
	return 0;
}

pid_t target_pid(void)
{
	return child;
}

pid_t target_left(void)
{
	return ended ? 0 : child;
}

void target_go(void)
{
	if (go_fd >= 0 && write(go_fd, "", 1) != 1)
		ended = 1;
	if (go_fd >= 0)
		close(go_fd);
	go_fd = -1;
}

static void reap(int flags)
{
	int how;

	if (!child || ended || waitpid(child, &how, flags) != child)
		return;
	ended = 1;
	status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
}

void target_watch(const GArray *pids)
{
	watched = g_array_new(FALSE, FALSE, sizeof(struct pollfd));
	for (guint i = 0; i < pids->len; i++) {
		struct pollfd fd = { .events = POLLIN,
				     .fd = (int)syscall(SYS_pidfd_open,
							g_array_index(pids, pid_t, i), 0) };

		g_array_append_val(watched, fd);
	}
}

/* 1: all processes with a pidfd have exited. */
static int watched_ended(void)
{
	int left = 0, n = 0;

	if (!watched)
		return 0;
	poll((struct pollfd *)(void *)watched->data, watched->len, 0);
	for (guint i = 0; i < watched->len; i++) {
		const struct pollfd *fd = &g_array_index(watched, struct pollfd, i);

		n += fd->fd >= 0;
		left += fd->fd >= 0 && !fd->revents;
	}
	return n && !left;
}

int target_ended(void)
{
	reap(WNOHANG);
	return ended || watched_ended();
}

int target_status(void)
{
	reap(0);
	return status;
}
