/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stall.c - preloaded library that imitates a file system whose server does not answer: open() of a
 * path that contains $STALL_NAME creates $STALL.on and waits until somebody opens the named pipe
 * $STALL for writing. Signals are blocked meanwhile, unless $STALL_SOFT is set; the wait continues
 * after a signal in any case.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int open_fn(const char *path, int flags, ...);

static open_fn *next_open(void)
{
	return (open_fn *)dlsym(RTLD_NEXT, "open");
}

static void stall(const char *path)
{
	const char *name = getenv("STALL_NAME"), *pipe = getenv("STALL");
	sigset_t all, before;
	char mark[4096];
	int fd;

	if (!name || !pipe || !strstr(path, name))
		return;
	snprintf(mark, sizeof(mark), "%s.on", pipe);
	close(next_open()(mark, O_CREAT | O_WRONLY, 0600));
	sigfillset(&all);
	if (!getenv("STALL_SOFT"))
		pthread_sigmask(SIG_SETMASK, &all, &before);
	while ((fd = next_open()(pipe, O_RDONLY | O_CLOEXEC)) < 0 && errno == EINTR)
		;
	if (fd >= 0)
		close(fd);
	if (!getenv("STALL_SOFT"))
		pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int open(const char *path, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	stall(path);
	return next_open()(path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));
