/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.c - a process that reports facts about itself, by getsid(0x7700 + n, ...) with extra
 * arguments that the kernel ignores:
 *   1 NUMBER VALUE    a resource limit that it has set
 *   2                 in a user namespace where it is user 7 and group 8
 *   3 ADDRESS         of "wide" in UTF-16
 *   4 ADDRESS         of "wider" in UTF-32
 *   5 STATUS CODE     how a child ended that called exit(CODE)
 *   6 STATUS SIGNAL   how a child ended that a signal killed
 *   7 ADDRESS         of a page that it has written to
 *   8 ADDRESS         of a page that is not present yet
 *   9 ADDRESS         of a buffer to which the script may write 32 bytes; then 10 with the same
 *                     address, if it holds "written"
 * Usage: facts, as root. Prints nothing; fails if any step fails.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell(long fact, const void *a, long b)
{
	syscall(SYS_getsid, 0x7700 + fact, a, b);
}

/* Each limit gets a value of its own, low enough to be allowed and high enough to do no harm. */
static int tell_limits(void)
{
	for (int n = 0; n < 16; n++) {
		struct rlimit had, limit;
		long value = 1000000000 + n;

		if (getrlimit(n, &had))
			return 1;
		if (had.rlim_max != RLIM_INFINITY && value > (long)had.rlim_max)
			value = had.rlim_max;
		limit = (struct rlimit){ (rlim_t)value, had.rlim_max };
		if (setrlimit(n, &limit))
			return 1;
		tell(1, (void *)(long)n, value);
		if (n != RLIMIT_CPU && setrlimit(n, &had))
			return 1;
	}
	return 0;
}

static int fill(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY), failed = fd < 0 || write(fd, text, strlen(text)) < 0;

	close(fd);
	return failed;
}

static int tell_namespace(void)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (unshare(CLONE_NEWUSER) || fill("/proc/self/setgroups", "deny") ||
		    fill("/proc/self/uid_map", "7 0 1") || fill("/proc/self/gid_map", "8 0 1"))
			_exit(1);
		tell(2, NULL, 0);
		_exit(0);
	}
	return waitpid(pid, &status, 0) != pid || status;
}

static int tell_end(long fact, int code, int signal)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (signal)
			raise(signal);
		_exit(code);
	}
	if (waitpid(pid, &status, 0) != pid)
		return 1;
	tell(fact, (void *)(long)status, signal ? signal : code);
	return 0;
}

int main(void)
{
	static const unsigned short wide[] = { 'w', 'i', 'd', 'e', 0 };
	static const unsigned wider[] = { 'w', 'i', 'd', 'e', 'r', 0 };
	static char room[32];
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED || tell_limits() || tell_namespace())
		return 1;
	tell(3, wide, 0);
	tell(4, wider, 0);
	if (tell_end(5, 42, 0) || tell_end(6, 0, SIGUSR1))
		return 1;
	pages[0] = 1;
	tell(7, pages, 0);
	tell(8, pages + 4096, 0);
	room[0] = 1;
	tell(9, room, 0);
	if (!strcmp(room, "written"))
		tell(10, room, 0);
	return 0;
}
