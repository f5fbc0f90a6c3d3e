/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * asks.c - system calls whose arguments' texts are looked at, between two marks, getsid(0x7777), which fail. Most of them fail too.
 * Usage: asks numbers: what they are asked is in numbers alone; or asks memory: what pointers point to, at 0x10000000, which has been
 * touched. Prints nothing. Links statically, runs in guests as in the user runtime.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY	4000001		/* no process has this number */
#define call	syscall

static char *const m = (char *)0x10000000;	/* scratch: 64 KiB */

static void numbers(void)
{
	call(SYS_close, -5);
	call(SYS_lseek, -1, -3L, SEEK_END);
	call(SYS_preadv, -1, 0, 2, 0x1234567890L, 0);
	call(SYS_fallocate, -1, FALLOC_FL_KEEP_SIZE, -16L, 4096L);
	call(SYS_mmap, 0, -1L, PROT_NONE, MAP_SHARED, -1, -4096L);
	call(SYS_mmap, 0, 4096, PROT_READ, MAP_PRIVATE | MAP_HUGETLB | MAP_FIXED_NOREPLACE | 21 << 26, -1, 8192L);
	call(SYS_mremap, 0, -1L, -2L, MREMAP_MAYMOVE, 0);
	call(SYS_munlock, 0x20000000, -1L);
	call(SYS_getcwd, 0, -1L);
	call(SYS_wait4, NOBODY, 0, WUNTRACED | WNOHANG, 0);
	call(SYS_setpriority, -1, 0, -20);
	call(SYS_getrusage, -2, 0);
	call(SYS_sched_setscheduler, NOBODY, SCHED_RR | SCHED_RESET_ON_FORK, 0);
	call(SYS_ioprio_set, -1, NOBODY, 2 << 13 | 7);
	call(SYS_kill, NOBODY, 0);
	call(SYS_kill, NOBODY, SIGPOLL);
	call(SYS_kill, NOBODY, 34);
	call(SYS_socket, AF_INET6, SOCK_SEQPACKET | SOCK_NONBLOCK, 4);
	call(SYS_socket, 99, 7 | SOCK_CLOEXEC, 777);
	call(SYS_socket, AF_NETLINK, 0, 15);
	call(SYS_socket, AF_VSOCK, SOCK_RAW, -1);
	call(SYS_setsockopt, -1, 285, SO_TIMESTAMPNS, 0, -4);
	call(SYS_setsockopt, -1, -1, 77, 0, 4);
	call(SYS_setsockopt, -1, SOL_NETLINK, 62, 0, 4);
	call(SYS_eventfd2, 0x80000000, 1 | O_NONBLOCK | O_CLOEXEC | 0x10000000);
	call(SYS_flock, -1, 8);
	call(SYS_futex, m, FUTEX_WAKE_PRIVATE, 3);
	call(SYS_futex, m, FUTEX_WAKE_BITSET, 3, 0, 0, 0x18);
	call(SYS_futex, m, FUTEX_CMP_REQUEUE, 1, 2, m + 8, -1);
	call(SYS_futex, m, FUTEX_WAKE_OP, 1, 2, m + 8, 0xb5003ffeL);
	call(SYS_prctl, PR_SET_PDEATHSIG, 99, 2, 3, 4);
	call(SYS_prctl, PR_SET_KEEPCAPS, 7, 2, 3, 4);
	call(SYS_prctl, PR_CAPBSET_READ, 21, 2, 3, 4);
	call(SYS_prctl, PR_SET_SECUREBITS, 0x80 | 0x11, 2, 3, 4);
	call(SYS_prctl, PR_MCE_KILL, PR_MCE_KILL_SET, 9, 3, 4);
	call(SYS_prctl, PR_SET_SECCOMP, 9, 5, 3, 4);
	call(SYS_prctl, PR_SET_MM, PR_SET_MM_BRK, 5, 3, 4);
	call(SYS_prctl, PR_GET_NO_NEW_PRIVS, 1, 2, 3, 4);
	call(SYS_prctl, 12345, 1, 2, 3, 4);
	call(SYS_ptrace, PTRACE_CONT, NOBODY, 1, SIGHUP);
	call(SYS_ptrace, PTRACE_PEEKDATA, NOBODY, 0x1000, 0x2000);
	call(SYS_ptrace, PTRACE_SETOPTIONS, NOBODY, 0, PTRACE_O_TRACEFORK | PTRACE_O_EXITKILL);
	call(SYS_ptrace, PTRACE_SEIZE, NOBODY, 0, 0x10);
	call(SYS_keyctl, KEYCTL_REVOKE, 0x7fffff01, 1, 2, 3);
	call(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING - 100, 0, 2, 3);
	call(SYS_keyctl, KEYCTL_SETPERM, 0x7fffff01, 0x21000042, 2, 3);
	call(SYS_keyctl, KEYCTL_CHOWN, 0x7fffff01, -1L, -1L, 3);
	call(SYS_keyctl, 99, 1, 2, 3, -4L);
	call(SYS_semget, 0x7fff7ff1, 3, 0);
	call(SYS_semget, 0x7fff7ff1, 3, 0640 | 04000);
	call(SYS_shmget, 0x7fff7ff1, 4096, 0600);
	call(SYS_msgctl, -1, 0x100 | 2, 0);
	call(SYS_shmctl, -1, 11, 0);
	call(SYS_semctl, -1, 2, 16, 5);
	call(SYS_reboot, 0xfee1dead, 5, 0x4321fedc, 0);
	call(SYS_mbind, 0, 0, 0x8000 | 3, 0, 0, 0x100);
	call(SYS_unshare, 0x80000000 | CLONE_NEWNET | 0x7f);
}

static void *words(int slot, long a, long b, long c, long d)
{
	long v[] = { a, b, c, d };

	return memcpy(m + 256 * slot, v, sizeof(v));
}

static void *at(int slot, const void *p, size_t n) { return memcpy(m + 256 * slot, p, n); }
static void *text(int slot, const char *s) { return at(slot, s, strlen(s) + 1); }

static void times(void)
{
	long timex[26] = { 0x11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };

	call(SYS_setitimer, 9, words(1, 0, 500000, 1, 0), 0);
	call(SYS_timerfd_settime, -1, 1, words(1, 0, 500000000, 1, 5), 0);
	call(SYS_utimensat, AT_FDCWD, text(2, "/asks.none"), words(1, 7, 0x3fffffff, 1, 5), 0);
	call(SYS_utimensat, AT_FDCWD, 0, words(1, 7, 0x3ffffffe, -1, 5), 0);
	call(SYS_clock_settime, 99, words(1, -2, 30, 0, 0));
	call(SYS_clock_settime, 1, 16);
	call(SYS_nanosleep, 0, 0);
	call(SYS_clock_adjtime, 99, at(1, timex, sizeof(timex)));
	call(SYS_times, words(1, 1, 2, 3, -4));
}

static void strings(void)
{
	char long_text[101], **many = (char **)(m + 0x6000);

	memset(long_text, 'x', 100);
	long_text[100] = 0;
	call(SYS_write, -1, text(1, long_text), 100);
	call(SYS_write, -1, text(1, "0123456789012345678901234567890123456789\t\r23456789"), 50);
	call(SYS_write, -1, m + 256, 48);
	call(SYS_write, -1, at(1, "a\0b\001\377", 5), 5);
	call(SYS_write, -1, 8, 5);
	call(SYS_pipe2, words(1, 7L | 9L << 32, 0, 0, 0), 0x1000);
	call(SYS_pipe2, 0, 0x1000);
	call(SYS_setxattr, text(2, "/asks.none"), text(3, "user.a"), at(1, "one\1", 5), 5, 1);
	call(SYS_mount, text(1, "none"), text(2, "/asks.none"), text(3, "nofs"), 1 | 0x1000000, text(4, long_text));
	call(SYS_mknodat, AT_FDCWD, text(1, "/asks.none/x"), 0640, 5);
	call(SYS_mknodat, AT_FDCWD, text(1, "/asks.none/x"), 010600, 5);
	call(SYS_execve, text(1, "/asks.none"), 0, words(2, (long)text(3, "A=1"), (long)text(4, "B=2"), 0, 0));
	call(SYS_execve, text(1, "/asks.none"), words(2, (long)text(3, "one"), 0, 0, 0), 24);
	for (int i = 0; i < 300; i++)
		many[i] = text(3, "a");
	call(SYS_execve, text(1, "/asks.none"), many, 0);
	call(SYS_getrandom, text(1, "before"), 0, 1);
	call(SYS_add_key, text(1, "nokey"), text(2, "what"), text(3, "secret"), 6, -1);
	call(SYS_mq_open, text(1, "asks.none"), O_WRONLY, 0, 0);
	call(SYS_mq_open, text(1, ""), O_CREAT | O_WRONLY, 0600, 0);
}

static void addresses(void)
{
	static const unsigned char inet[16] = { AF_INET, 0, 0x30, 0x39, 127, 0, 0, 1 };
	static const unsigned char inet6[28] = { AF_INET6, 0, 0x30, 0x39, [22] = 0xa, 0xb, [24] = 5 };
	static const unsigned char netlink[12] = { AF_NETLINK, 0, [4] = 77, [8] = 0x12 };

	call(SYS_bind, -1, at(1, inet, 16), 16);
	call(SYS_bind, -1, at(1, inet6, 28), 28);
	call(SYS_bind, -1, at(1, netlink, 12), 12);
	call(SYS_bind, -1, at(1, "\1\0/run/x", 9), 9);
	call(SYS_bind, -1, at(1, "\1\0\0hidden", 9), 9);
	call(SYS_connect, -1, at(1, inet, 16), 8);
	call(SYS_connect, -1, at(1, inet6, 28), 1);
	call(SYS_connect, -1, 0, -1);
	call(SYS_sendto, -1, text(1, "hi"), 2, MSG_OOB | MSG_MORE, at(2, inet, 16), 16);
}

static void processes(void)
{
	unsigned sched[12] = { 48, 6, 1, 0, -3, 4, 5, 0, 6, 0, 7, 0 };
	int info[32] = { SIGCHLD, 0, -1, 0, 12, 34 };
	long action[4] = { 0x401000, 0x14000000, 0x402000, 1L << (SIGPIPE - 1) | 1L << (SIGUSR2 - 1) };
	int child = fork();

	if (!child)
		_exit(3);
	call(SYS_wait4, child, m + 0x2000, 0, 0);
	call(SYS_sched_setattr, NOBODY, at(1, sched, sizeof(sched)), 0);
	call(SYS_prlimit64, NOBODY, RLIMIT_CORE, words(1, 7, -1, 0, 0), 0);
	call(SYS_rt_sigaction, SIGUSR1, at(1, action, sizeof(action)), 0, 7);
	call(SYS_rt_sigaction, SIGUSR1, 0, 0, 7);
	call(SYS_rt_sigprocmask, 7, words(1, 0, 0, 0, 0), 0, 8);
	call(SYS_rt_sigqueueinfo, NOBODY, SIGCHLD, at(1, info, sizeof(info)));
	info[2] = -2;
	call(SYS_rt_sigqueueinfo, NOBODY, SIGALRM, at(1, info, sizeof(info)));
	info[2] = 1;
	call(SYS_rt_tgsigqueueinfo, NOBODY, NOBODY, SIGCHLD, at(1, info, sizeof(info)));
	call(SYS_sigaltstack, words(1, 0x5000, 2, 4096, 0), 0x2000);
	call(SYS_keyctl, KEYCTL_SEARCH, 0x7fffff01, text(1, "user"), text(2, "name"), 0);
	call(SYS_quotactl, 0x800005 << 8 | 1, text(1, "/asks.none"), 5, words(2, 1, 2, 3L | 4L << 32, 0));
	call(SYS_ptrace, 0x4204, NOBODY, 1, words(1, 0x6000, 64, 0, 0));
}

int main(int argc, char **argv)
{
	if (argc < 2 || mmap(m, 0x10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != m)
		return 1;
	memset(m, 0, 0x10000);
	call(SYS_getsid, 0x7777);
	if (argv[1][0] == 'n') {
		numbers();
	} else {
		times();
		strings();
		addresses();
		processes();
	}
	call(SYS_getsid, 0x7777);
	return 0;
}
