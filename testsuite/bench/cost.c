/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cost.c - runs a command and adds a line to FILE: the microseconds of CPU time that it and what it
 * waited for took. Usage: cost FILE COMMAND [ARGUMENT...]
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long long us(struct timeval t)
{
	return t.tv_sec * 1000000LL + t.tv_usec;
}

int main(int argc, char **argv)
{
	pid_t child = argc > 2 ? fork() : -1;
	struct rusage u;
	int status;
	FILE *f;

	if (!child) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &u) != child)
		return 2;
	f = fopen(argv[1], "a");
	if (!f)
		return 2;
	fprintf(f, "%lld\n", us(u.ru_utime) + us(u.ru_stime));
	return fclose(f) || !WIFEXITED(status) ? 2 : WEXITSTATUS(status);
}
