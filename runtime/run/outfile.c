/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outfile.c - where the output goes: standard output, one file, with -b a file per CPU NAME_0,
 * NAME_1, ... (NAME_cpu0 in the background), and with -S a row of files NAME.0, NAME.1, ... of
 * which the last N are kept. NAME may contain strftime's conversions, of the time at which each file
 * begins. Knows nothing of records: output.c decides where one file may end and the next begin.
 */
#include "runtime/run/outfile.h"

#include "lib/option.h"
#include "runtime/run/facts.h"
#include "runtime/run/run.h"
#include "runtime/run/script_error.h"
#include "runtime/run/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ms that the reader of the output has after SIGTERM, or the second signal */
#define PATIENCE	5000
#define LOOK_MS		100

struct file {
	int		fd;		/* -1: not begun */
	int		is_terminal;
	u64		written;	/* bytes in this one */
	unsigned	number;		/* of this one in its row */
	/* the names of the last `keep` of the row, number % keep; NULL holes */
	char		**kept;
};

static const char *pattern;	/* NULL: standard output */
static struct file *files;	/* by CPU; without -b one */
static unsigned nfiles;
static const char *bulk;	/* what stands between NAME and the CPU's number; NULL: without -b */
static int failed, reader_gone;
static int stdout_is_terminal;
static u64 limit;		/* bytes per file, 0: no limit */
static unsigned keep;		/* files kept of a row, 0: all */

int outfile_name(const char *from, char *name, size_t size)
{
	time_t t = time(NULL);
	struct tm now;

	localtime_r(&t, &now);
	if (strchr(from, '%') ? strftime(name, size, from, &now) > 0
			      : (size_t)snprintf(name, size, "%s", from) < size)
		return 0;
	return option_fail(FAILURE_OPTION_VALUE,
			   "-o %s: it expands to an empty or too long file name", from);
}

static void forget_oldest(struct file *f, const char *name)
{
	char **slot = &f->kept[f->number % keep];

	if (*slot && strcmp(*slot, name) && unlink(*slot))
		warn("-S: cannot remove %s: %s", *slot, strerror(errno));
	free(*slot);
	*slot = strdup(name);
}

static int begin(struct file *f)
{
	char name[PATH_MAX];
	size_t used;

	if (outfile_name(pattern, name, sizeof(name) - 32))
		return -1;
	used = strlen(name);
	if (bulk)
		used += (size_t)snprintf(name + used, sizeof(name) - used, "%s%u", bulk,
					 (unsigned)(f - files));
	if (limit)
		snprintf(name + used, sizeof(name) - used, ".%u", f->number);
	f->fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (f->fd < 0)
		return option_fail(FAILURE_FILE_WRITE, "-o %s: %s", name, strerror(errno));
	f->is_terminal = isatty(f->fd);
	f->written = 0;
	if (keep)
		forget_oldest(f, name);
	return 0;
}

/* File i, opened on first use; NULL, reported. */
static struct file *file_of(unsigned i)
{
	struct file *more;

	if (i >= nfiles) {
		more = realloc(files, (i + 1) * sizeof(*files));
		if (!more)
			abort();
		files = more;
		for (; nfiles <= i; nfiles++)
			files[nfiles] =
				(struct file){ .fd = -1, .kept = calloc(keep + 1, sizeof(char *)) };
	}
	if (!files[i].kept)
		abort();
	if (files[i].fd < 0 && (failed || begin(&files[i]))) {
		failed = 1;
		return NULL;
	}
	return &files[i];
}

int outfile_open(const char *name, const char *per_cpu, u64 bytes, unsigned count)
{
	pattern = name;
	bulk = per_cpu;
	limit = bytes;
	keep = count;
	stdout_is_terminal = terminal_is(stdout);
	return !pattern || file_of(0) ? 0 : -1;
}

/* A reader who leaves, such as head, has what it wanted: no error, but nothing more is written. */
static void fail(void)
{
	if (errno == EPIPE)
		reader_gone = 1;
	else if (!failed)
		run_error_show(RUN_OUTPUT, strerror(errno));
	failed = 1;
}

/*
 * How many bytes may be written at once: all, until the end is requested. After that no more than a
 * pipe takes without waiting; 0: it takes nothing. After ^C a user with a pager may read for long;
 * a firm request (asked_end()) is not kept waiting.
 */
static size_t room(int fd, size_t len)
{
	struct pollfd out = { .fd = fd, .events = POLLOUT };

	if (asked_end() == ASKED_NOT)
		return len;
	for (int ms = 0; ms < PATIENCE; ms += asked_end() == ASKED_FIRMLY ? LOOK_MS : 0)
		if (poll(&out, 1, LOOK_MS) == 1)
			return len < PIPE_BUF ? len : PIPE_BUF;
	return 0;
}

/* Writes all of it; a failure is reported once, and then nothing more is written. */
void outfile_write(unsigned i, const char *p, size_t len)
{
	struct file *f = pattern && len ? file_of(i) : NULL;

	while (len && !failed) {
		int fd = f ? f->fd : 1;
		size_t most = room(fd, len);
		ssize_t n = most ? write(fd, p, most) : -1;

		if (!most) {
			run_error_show(RUN_OUTPUT_UNREAD, NULL);
			failed = 1;
		} else if (n > 0) {
			p += n;
			len -= (size_t)n;
			if (f)
				f->written += (u64)n;
		} else if (n < 0 && errno != EINTR && errno != EAGAIN) {
			fail();
		}
	}
}

int outfile_is_terminal(unsigned i)
{
	const struct file *f = pattern ? file_of(i) : NULL;

	return pattern ? f && f->is_terminal : stdout_is_terminal;
}

int outfile_full(unsigned i, u64 more)
{
	return limit && i < nfiles && files[i].written + more >= limit;
}

static void end(struct file *f)
{
	if (f->fd >= 0 && close(f->fd))
		fail();
	f->fd = -1;
}

void outfile_next(unsigned i)
{
	if (!pattern || i >= nfiles || files[i].fd < 0)
		return;
	end(&files[i]);
	files[i].number++;
	file_of(i);
}

int outfile_reader_gone(void)
{
	return reader_gone;
}

int outfile_failed(void)
{
	return failed;
}

int outfile_close(void)
{
	for (unsigned i = 0; i < nfiles; i++) {
		end(&files[i]);
		for (unsigned k = 0; k < keep; k++)
			free(files[i].kept[k]);
		free(files[i].kept);
	}
	free(files);
	return failed && !reader_gone;
}
