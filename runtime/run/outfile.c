/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outfile.c - where the output goes: standard output, one file, or with -S a row of files NAME.0, NAME.1, ... of which the last N are
 * kept. NAME may hold strftime's conversions, of the time at which each file begins. Knows nothing of records: output.c says where
 * one file may end and the next begin.
 */
#include "runtime/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *pattern;	/* NULL: standard output */
static int fd = 1, failed;
static u64 limit, written;	/* bytes per file, 0: no limit; bytes in this one */
static unsigned keep, number;	/* files kept, 0: all; number of this one */
static char **kept;		/* the names of the last `keep` files, number % keep; NULL holes */

int outfile_name(const char *from, char *name, size_t size)
{
	time_t t = time(NULL);
	struct tm now;

	localtime_r(&t, &now);
	if (strchr(from, '%') ? strftime(name, size, from, &now) > 0 : (size_t)snprintf(name, size, "%s", from) < size)
		return 0;
	fprintf(stderr, "lapwing-run: -o %s: no file name comes of it, or too long a one\n", from);
	return -1;
}

static void forget_oldest(const char *name)
{
	char **slot = &kept[number % keep];

	if (*slot && strcmp(*slot, name) && unlink(*slot))
		fprintf(stderr, "WARNING: -S: cannot remove %s: %s\n", *slot, strerror(errno));
	free(*slot);
	*slot = strdup(name);
}

static int begin(void)
{
	char name[PATH_MAX];
	size_t used;

	if (outfile_name(pattern, name, sizeof(name) - 12))
		return -1;
	used = strlen(name);
	if (limit)
		snprintf(name + used, sizeof(name) - used, ".%u", number);
	fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0) {
		fprintf(stderr, "lapwing-run: -o %s: %s\n", name, strerror(errno));
		return -1;
	}
	written = 0;
	if (keep)
		forget_oldest(name);
	return 0;
}

int outfile_open(const char *name, u64 bytes, unsigned files)
{
	pattern = name;
	limit = bytes;
	keep = files;
	kept = calloc(keep + 1, sizeof(*kept));
	if (!kept)
		abort();
	return pattern ? begin() : 0;
}

static void fail(void)
{
	if (!failed)
		fprintf(stderr, "ERROR: cannot write the output: %s\n", strerror(errno));
	failed = 1;
}

/* The whole of it, or one report and silence ever after. */
void outfile_write(const char *p, size_t len)
{
	while (len && !failed) {
		ssize_t n = write(fd, p, len);

		if (n > 0) {
			p += n;
			len -= (size_t)n;
			written += (u64)n;
		} else if (n < 0 && errno != EINTR && errno != EAGAIN) {
			fail();
		}
	}
}

int outfile_full(u64 more)
{
	return limit && written + more >= limit;
}

void outfile_next(void)
{
	if (fd != 1 && close(fd))
		fail();
	fd = 1;
	number++;
	if (!failed && begin())
		failed = 1;
}

int outfile_failed(void)
{
	return failed;
}

int outfile_close(void)
{
	if (fd != 1 && close(fd))
		fail();
	fd = 1;
	for (unsigned i = 0; i < keep; i++)
		free(kept[i]);
	free(kept);
	return failed;
}
