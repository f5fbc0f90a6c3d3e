/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foreign_test.c - lib/foreign.c: only regular files are opened, and a mapped file that becomes
 * shorter reads as zeros.
 */
#include "lib/foreign.h"
#include "testsuite/unit/check.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static sigjmp_buf back;

static void on_bus(int number, siginfo_t *info, void *context)
{
	siglongjmp(back, 1);
}

static int opens(const char *path)
{
	int fd = foreign_open(path);

	if (fd < 0)
		return errno;
	CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	CHECK(fcntl(fd, F_GETFL) & O_NONBLOCK);
	close(fd);
	return 0;
}

static int file_of(const char *path, off_t bytes)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

	for (off_t at = 0; at < bytes; at += 4096)
		CHECK(pwrite(fd, "x", 1, at) == 1);
	CHECK(!ftruncate(fd, bytes));
	return fd;
}

static void test_open(void)
{
	close(file_of("regular", 4096));
	CHECK(!mkfifo("pipe", 0600) && !mkdir("folder", 0700) && !symlink("/dev/zero", "zero") &&
	      !symlink("regular", "link") && !symlink("pipe", "to_pipe") &&
	      !symlink("loop", "loop"));
	CHECK(opens("regular") == 0);
	CHECK(opens("link") == 0);
	CHECK(opens("pipe") == EINVAL);
	CHECK(opens("to_pipe") == EINVAL);
	CHECK(opens("zero") == EINVAL);
	CHECK(opens("folder") == EISDIR);
	CHECK(opens("loop") == ELOOP);
	CHECK(opens("nothing") == ENOENT);
}

static void test_map(void)
{
	int fd = file_of("mapped", 3 * 4096), other = file_of("other", 4096);
	size_t size = 0, other_size = 0;
	const char *p = foreign_map(fd, 0, &size), *q = foreign_map(other, 1, &other_size);

	CHECK(p && q && size == 3 * 4096 && other_size == 4096 && p[4096] == 'x');
	CHECK(!ftruncate(fd, 4096));
	CHECK(!foreign_cut(p));			/* not read beyond the end yet */
	CHECK(p[0] == 'x' && !p[4096] && !p[2 * 4096]);
	CHECK(foreign_cut(p) && !foreign_cut(q));
	foreign_unmap(p);
	CHECK(q[0] == 'x');
	foreign_unmap(q);
	CHECK(!foreign_map(file_of("empty", 0), 0, &size));
	CHECK(!foreign_map(open(".", O_RDONLY), 0, &size));
	CHECK(!ftruncate(fd, (off_t)FOREIGN_MAX + 1) && !foreign_map(fd, 0, &size));
}

/* Faults in other mappings go to the handler that was there before. */
static void test_others(void)
{
	const struct sigaction own = { .sa_sigaction = on_bus, .sa_flags = SA_SIGINFO };
	int fd = file_of("mapped", 4096), other = file_of("other", 4096);
	struct sigaction now;
	size_t size = 0;
	const char *p, *q = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, other, 0);
	volatile int caught = 0;

	CHECK(!sigaction(SIGBUS, &own, NULL));
	p = foreign_map(fd, 0, &size);
	CHECK(p && !ftruncate(other, 0));
	if (sigsetjmp(back, 1))
		caught = 1;
	else
		CHECK(*(volatile const char *)q == 0);
	CHECK(caught && !foreign_cut(p));
	foreign_unmap(p);
	CHECK(!sigaction(SIGBUS, NULL, &now) && now.sa_sigaction == on_bus);
}

int main(void)
{
	static const char *const made[] = { "regular", "pipe",   "zero",  "link", "to_pipe",
					    "loop",    "mapped", "other", "empty" };
	char folder[] = "/tmp/foreign-XXXXXX";

	CHECK(mkdtemp(folder) && !chdir(folder));
	alarm(60);			/* an open that waits ends the test */
	test_open();
	test_map();
	test_others();
	for (unsigned i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		unlink(made[i]);
	CHECK(!rmdir("folder") && !rmdir(folder));
	return failures != 0;
}
