/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load_cost.c - what a load costs, step by step, in a guest whose clock counts instructions (1 ns each).
 *
 *	load_cost lapwing-run MODULE...
 *
 * For each module, prints a line: before init_module (exec included), in it, from there to the first output (which begin prints: the
 * probes are armed), and from there to the end. A seccomp filter stops the program at init_module only, so that nothing else is slowed.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void be_traced(char **argv, int out)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_init_module, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };

	dup2(out, 1);
	if (ptrace(PTRACE_TRACEME, 0, 0, 0) || raise(SIGSTOP) ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(126);
	execv(argv[0], argv);
	_exit(127);
}

/* Runs the child until init_module returns. 0, or its wait status when it ended instead. */
static int follow(pid_t child, long long *entered, long long *left)
{
	int status;

	waitpid(child, &status, 0);
	ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_TRACESECCOMP);
	ptrace(PTRACE_CONT, child, 0, 0);
	for (;;) {
		if (waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status))
			return status ? status : -1;
		if (status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8))
			break;
		/* SIGTRAP: exec */
		ptrace(PTRACE_CONT, child, 0, WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status));
	}
	*entered = now();
	ptrace(PTRACE_SYSCALL, child, 0, 0);		/* its exit is the next stop */
	waitpid(child, &status, 0);
	*left = now();
	ptrace(PTRACE_DETACH, child, 0, 0);
	return 0;
}

static int measure(char *runner, char *module)
{
	char *argv[] = { runner, module, NULL };
	long long began, entered = 0, left = 0, output, ended;
	int out[2], status;
	char byte;
	pid_t child;

	if (pipe(out))
		return -1;
	began = now();
	child = fork();
	if (!child)
		be_traced(argv, out[1]);
	close(out[1]);
	status = follow(child, &entered, &left);
	if (status) {
		fprintf(stderr, "load_cost: %s: ended before init_module, wait status %x\n", module,
			status);
		return -1;
	}
	if (read(out[0], &byte, 1) != 1)
		fprintf(stderr, "load_cost: %s prints nothing\n", module);
	output = now();
	while (read(out[0], &byte, 1) == 1)
		;
	waitpid(child, &status, 0);
	ended = now();
	close(out[0]);
	printf("%s\t%lld\t%lld\t%lld\t%lld\n", module, entered - began, left - entered,
	       output - left, ended - output);
	return 0;
}

int main(int argc, char **argv)
{
	int failed = 0;

	for (int i = 2; i < argc; i++)
		failed |= measure(argv[1], argv[i]);
	return failed ? 1 : 0;
}
