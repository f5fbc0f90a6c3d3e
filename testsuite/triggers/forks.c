// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * forks.c - forks COUNT children, one after the other; each executes this program again, which
 * exits at once. Usage: forks COUNT
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0;

	for (long i = 0; i < n; i++) {
		pid_t pid = fork();

		if (!pid) {
			execl("/proc/self/exe", "forks", (char *)NULL);
			_exit(1);
		}
		waitpid(pid, NULL, 0);
	}
	return 0;
}
