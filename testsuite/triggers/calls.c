/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.c - system calls with known arguments and results, between two marks: getsid(0x7777), which fails.
 * Usage: calls, or calls old: the calls that only older architectures have. Prints nothing. Links statically, runs in guests.
 *
 * All memory that arguments point to lies at 0x10000000 and has been touched, all descriptors are known, all sizes are fixed.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char *const m = (char *)0x10000000;	/* scratch: 64 KiB */

static char *text(int slot, const char *s) { return strcpy(m + 256 * slot, s); }

static void *words(int slot, long a, long b, long c, long d)
{
	long v[] = { a, b, c, d };

	return memcpy(m + 256 * slot, v, sizeof(v));
}

#define call syscall

static void files(void)
{
	const char *name = text(1, "calls.data"), *other = text(2, "calls.other"), *folder = text(3, "calls.dir");
	const char *linked = text(4, "calls.link");

	call(SYS_openat, AT_FDCWD, name, O_RDWR | O_CREAT | O_TRUNC, 0644);		/* 3 */
	call(SYS_write, 3, text(5, "one\ttwo\n"), 8);
	call(SYS_pwrite64, 3, text(6, "three"), 5, 100);
	call(SYS_lseek, 3, 0, SEEK_SET);
	call(SYS_read, 3, m + 0x2000, 4);
	call(SYS_pread64, 3, m + 0x2000, 5, 100);
	call(SYS_writev, 3, words(7, (long)text(5, "one"), 3, 0, 0), 1);
	call(SYS_readv, 3, words(7, (long)m + 0x2000, 3, 0, 0), 1);
	call(SYS_fstat, 3, m + 0x3000);
	call(SYS_newfstatat, AT_FDCWD, name, m + 0x3000, AT_SYMLINK_NOFOLLOW);
	call(SYS_faccessat, AT_FDCWD, name, R_OK | W_OK);
	call(SYS_fchmod, 3, 0600);
	call(SYS_fchmodat, AT_FDCWD, name, 0640);
	call(SYS_fchown, 3, 0, 0);
	call(SYS_fchownat, AT_FDCWD, name, 0, -1, 0);
	call(SYS_ftruncate, 3, 1000);
	call(SYS_fsync, 3);
	call(SYS_fdatasync, 3);
	call(SYS_fcntl, 3, F_GETFD, 0);
	call(SYS_dup, 3);								/* 4 */
	call(SYS_dup3, 3, 5, O_CLOEXEC);
	call(SYS_ioctl, 3, 0x1234, m);
	call(SYS_close, 5);
	call(SYS_close, 4);
	call(SYS_mkdirat, AT_FDCWD, folder, 0755);
	call(SYS_linkat, AT_FDCWD, name, AT_FDCWD, other, 0);
	call(SYS_symlinkat, name, AT_FDCWD, linked);
	call(SYS_readlinkat, AT_FDCWD, linked, m + 0x2000, 100);
	call(SYS_renameat2, AT_FDCWD, linked, AT_FDCWD, other, 0);
	call(SYS_unlinkat, AT_FDCWD, other, 0);
	call(SYS_unlinkat, AT_FDCWD, folder, AT_REMOVEDIR);
	call(SYS_unlinkat, AT_FDCWD, name, 0);
	call(SYS_openat, AT_FDCWD, text(2, "calls.none"), O_RDONLY);
	call(SYS_chdir, text(2, "/"));
	call(SYS_getcwd, m + 0x2000, 100);
	call(SYS_umask, 022);
	call(SYS_pipe2, words(0x20, 7L | 9L << 32, 0, 0, 0), O_NONBLOCK);		/* 4, 5 */
	call(SYS_close, 4);
	call(SYS_close, 5);
	call(SYS_close, 3);
}

static void memory(void)
{
	char *at = (char *)0x20000000;

	call(SYS_mmap, at, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	call(SYS_mprotect, at, 4096, PROT_READ);
	call(SYS_madvise, at, 4096, MADV_DONTNEED);
	call(SYS_mremap, at + 4096, 4096, 8192, 0, 0);
	call(SYS_munmap, at, 12288);
}

static void processes(void)
{
	call(SYS_getpid);
	call(SYS_gettid);
	call(SYS_getuid);
	call(SYS_getgid);
	call(SYS_geteuid);
	call(SYS_kill, 4000001, SIGUSR1);
	call(SYS_tgkill, 4000001, 4000001, SIGTERM);
	call(SYS_setpriority, PRIO_PROCESS, 0, 3);
	call(SYS_getpriority, PRIO_PROCESS, 0);
	call(SYS_sched_yield);
	call(SYS_sched_getscheduler, 0);
	call(SYS_prctl, PR_GET_DUMPABLE, 0, 0, 0, 0);
	call(SYS_prlimit64, 0, RLIMIT_CORE, words(1, 0, 0, 0, 0), 0);
	call(SYS_getrusage, RUSAGE_SELF, m + 0x2000);
	call(SYS_wait4, -1, m + 0x2000, WNOHANG, 0);
	call(SYS_uname, m + 0x2000);
	call(SYS_sysinfo, words(0x50, 1, 2, 3, 4));
	call(SYS_getrandom, text(0x20, "before"), 16, 1);
	call(SYS_execve, text(1, "./calls.none"), words(2, (long)text(3, "calls"), (long)text(4, "-x"), 0, 0),
	     words(5, (long)text(6, "A=1"), 0, 0, 0));
}

static void waiting(void)
{
	call(SYS_rt_sigaction, SIGUSR1, words(1, (long)SIG_IGN, 0x10000000, 0, 0), 0, 8);
	call(SYS_rt_sigprocmask, SIG_BLOCK, words(1, 1L << (SIGUSR2 - 1) | 1, 0, 0, 0), 0, 8);
	call(SYS_nanosleep, words(1, 0, 1000, 0, 0), 0);
	call(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, words(1, 0, 1000, 0, 0), 0);
	call(SYS_clock_gettime, CLOCK_MONOTONIC, m + 0x2000);
	call(SYS_setitimer, ITIMER_VIRTUAL, words(1, 0, 0, 100, 5), 0);
	call(SYS_getitimer, ITIMER_VIRTUAL, m + 0x2000);
	call(SYS_futex, words(1, 0, 0, 0, 0), FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 1, words(2, 1, 5, 0, 0));
	call(SYS_futex, m + 256, FUTEX_WAKE, 1);
	call(SYS_epoll_create1, EPOLL_CLOEXEC);						/* 3 */
	call(SYS_eventfd2, 7, O_NONBLOCK);						/* 4 */
	call(SYS_epoll_ctl, 3, EPOLL_CTL_ADD, 4, words(1, EPOLLIN, 0, 0, 0));
	call(SYS_epoll_pwait, 3, m + 0x2000, 10, 0, 0, 8);
	call(SYS_ppoll, words(1, 4L | (long)POLLIN << 32, 0, 0, 0), 1, words(2, 0, 1000, 0, 0), 0, 8);
	call(SYS_pselect6, 0, 0, 0, 0, words(2, 0, 1000, 0, 0), 0);
	call(SYS_close, 4);
	call(SYS_close, 3);
}

static void network(void)
{
	static const unsigned char local[16] = { 2, 0, 0x30, 0x39, 127, 0, 0, 1 };	/* 127.0.0.1, port 12345 */

	memcpy(m + 256, local, sizeof(local));
	call(SYS_socket, AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 17);			/* 3 */
	call(SYS_bind, 3, m + 256, 16);
	call(SYS_connect, 3, m + 256, 16);
	call(SYS_sendto, 3, text(2, "hello"), 5, MSG_DONTWAIT, m + 256, 16);
	call(SYS_recvfrom, 3, m + 0x2000, 100, MSG_DONTWAIT | MSG_PEEK, 0, 0);
	call(SYS_setsockopt, 3, SOL_SOCKET, SO_REUSEADDR, words(3, 1, 0, 0, 0), 4);
	call(SYS_getsockopt, 3, SOL_SOCKET, SO_TYPE, m + 0x2000, words(3, 4, 0, 0, 0));
	call(SYS_listen, 3, 5);
	call(SYS_accept4, 3, 0, 0, SOCK_NONBLOCK);
	call(SYS_shutdown, 3, SHUT_RDWR);
	call(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, m + 0x2000);			/* 4, 5 */
	call(SYS_close, 5);
	call(SYS_close, 4);
	call(SYS_close, 3);
}

#ifdef SYS_open
static void old(void)
{
	const char *name = text(1, "calls.data"), *other = text(2, "calls.other"), *folder = text(3, "calls.dir");

	call(SYS_creat, name, 0644);							/* 3 */
	call(SYS_open, name, O_WRONLY | O_APPEND);					/* 4 */
	call(SYS_dup2, 4, 5);
	call(SYS_stat, name, m + 0x3000);
	call(SYS_lstat, name, m + 0x3000);
	call(SYS_access, name, X_OK);
	call(SYS_chmod, name, 0600);
	call(SYS_chown, name, 0, 0);
	call(SYS_truncate, name, 10);
	call(SYS_mkdir, folder, 0700);
	call(SYS_rmdir, folder);
	call(SYS_link, name, other);
	call(SYS_rename, other, folder);
	call(SYS_unlink, folder);
	call(SYS_symlink, name, other);
	call(SYS_readlink, other, m + 0x2000, 64);
	call(SYS_unlink, other);
	call(SYS_unlink, name);
	call(SYS_poll, words(4, 3L, 0, 0, 0), 1, 0);
	call(SYS_select, 0, 0, 0, 0, words(4, 0, 10, 0, 0));
	call(SYS_pipe, words(0x20, 7L | 9L << 32, 0, 0, 0));
	call(SYS_alarm, 0);
	call(SYS_getpgrp);
	call(SYS_epoll_create, 1);
	call(SYS_eventfd, 3);
	call(SYS_utime, name, words(4, 1, 2, 0, 0));
}
#else
static void old(void)
{
}
#endif

int main(int argc, char **argv)
{
	if (mmap(m, 0x10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != m)
		return 1;
	memset(m, 0, 0x10000);
	for (int fd = 3; fd < 64; fd++)		/* of whoever started us */
		close(fd);
	call(SYS_getsid, 0x7777);
	if (argc > 1) {
		old();
	} else {
		files();
		memory();
		processes();
		waiting();
		network();
	}
	call(SYS_getsid, 0x7777);
	return 0;
}
