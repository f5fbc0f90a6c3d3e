/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * holds.c - runs itself as a program that writes `written` five times, and holds it at its exec as a debugger does: makes the file `held`
 * then, and lets it go on when there is a file `go`.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "must.h"

volatile int written;

int main(int argc, char **argv)
{
	pid_t child;
	int status;

	for (int i = 0; argc > 1 && i < 5; i++)
		written = i;
	if (argc > 1)
		return 0;
	child = fork();
	must(child >= 0, "fork");
	if (!child) {
		must(!ptrace(PTRACE_TRACEME, 0, NULL, NULL) && !raise(SIGSTOP), "ptrace");
		execl("/proc/self/exe", argv[0], "write", (char *)NULL);
		_exit(1);
	}
	must(waitpid(child, &status, 0) == child && WIFSTOPPED(status), "stop");
	must(!ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)PTRACE_O_TRACEEXEC) && !ptrace(PTRACE_CONT, child, NULL, NULL), "options");
	must(waitpid(child, &status, 0) == child && status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8), "exec");
	close(open("held", O_CREAT | O_WRONLY, 0600));
	while (access("go", F_OK))
		usleep(1000);
	must(!ptrace(PTRACE_DETACH, child, NULL, NULL), "detach");
	must(waitpid(child, &status, 0) == child, "end");
	return status != 0;
}
