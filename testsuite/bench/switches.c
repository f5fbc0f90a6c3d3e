/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * switches.c - two processes that wake each other through pipes on one processor: switches FILE
 * [others|tracked]. Writes to FILE how many ns a switch takes: the least of many short rounds, in
 * which no tick fell. others: a third process has called getppid; tracked: both have.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 300
#define PAIRS 20		/* of switches, in a round */

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void pass_on(int from, int to)
{
	char byte = 0;

	if (read(from, &byte, 1) == 1 && write(to, &byte, 1) != 1)
		_exit(1);
}

static void answer(int from)
{
	char byte;

	if (read(from, &byte, 1) != 1)
		_exit(1);
}

static pid_t partner(const int *there, const int *back, int asks)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	if (asks)
		syscall(SYS_getppid);
	for (;;)
		pass_on(there[0], back[1]);
}

static pid_t other(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	syscall(SYS_getppid);
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	int there[2], back[2], tracked = argc > 2 && !strcmp(argv[2], "tracked");
	long long least = 0, took;
	pid_t pids[2];
	cpu_set_t one;
	FILE *f;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	if (argc < 2 || sched_setaffinity(0, sizeof(one), &one) || pipe(there) || pipe(back))
		return 2;
	pids[0] = partner(there, back, tracked);
	pids[1] = argc > 2 ? other() : 0;
	if (tracked)
		syscall(SYS_getppid);
	usleep(20000);
	for (int i = 0; i < ROUNDS; i++) {
		took = -now();
		for (int k = 0; k < PAIRS; k++)
			if (write(there[1], "", 1) == 1)
				answer(back[0]);
		took += now();
		if (!i || took < least)
			least = took;
	}
	for (int i = 0; i < 2; i++)
		if (pids[i] > 0)
			kill(pids[i], SIGKILL);
	while (wait(NULL) > 0)
		;
	f = fopen(argv[1], "w");
	if (!f || fprintf(f, "%.1f\n", (double)least / (2 * PAIRS)) < 0)
		return 1;
	return fclose(f) != 0;
}
