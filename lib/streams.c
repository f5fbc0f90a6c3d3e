/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * streams.c - see streams.h.
 */
#include "lib/streams.h"

#include "lib/exit_status.h"
#include "lib/failure.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(EXIT_NO_READER == 128 + SIGPIPE, "the status of SIGPIPE");

static const char *program;

/* Where SIGPIPE is ignored, the first write that failed may have been long ago. */
static int reader_has_gone(void)
{
	struct pollfd out = { .fd = 1 };

	return poll(&out, 1, 0) == 1 && out.revents & POLLERR;
}

static void at_exit(void)
{
	int error = fflush(stdout) ? errno : 0;

	if (!error && !ferror(stdout))
		return;
	if (reader_has_gone())
		_exit(exit_status(EXIT_NO_READER));
	failure_print(program, FAILURE_FILE_WRITE, "cannot write standard output: %s",
		      error ? strerror(error) : "a part of it is missing");
	_exit(1);
}

int streams_begin(const char *who)
{
	if (program)
		return 0;
	program = who;
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		if (fd == 1) {
			failure_print(who, FAILURE_FILE_WRITE,
				      "standard output is closed: redirect it to a file, or to /dev/null");
			return -1;
		}
		if (open("/dev/null", O_RDWR) != fd)
			return -1;
	}
	atexit(at_exit);
	return 0;
}
