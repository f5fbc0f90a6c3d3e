/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counted.c - runs a loop of a known number of instructions between two calls of getppid, RUNS
 * times.
 * Usage: counted RUNS MILLIONS [HOGS [MIGRATIONS-PER-S]]    HOGS processes spin on the same CPU;
 *                     with MIGRATIONS-PER-S the loop and the hogs change the CPU
 *        counted RUNS kernel MILLIONS [HOGS]    the loop runs in the kernel (kernel/counted.c)
 * Prints nothing. Links statically, runs in guests.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Two instructions per iteration, and one before the loop. */
static __attribute__((noinline)) void spin(unsigned long turns)
{
#ifdef __aarch64__
	__asm__ volatile("nop\n1: subs %0, %0, #1\n b.ne 1b" : "+r"(turns) :: "cc");
#else
	__asm__ volatile("nop\n1: dec %0\n jnz 1b" : "+r"(turns) :: "cc");
#endif
}

static void stay_on(pid_t pid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(pid, sizeof(set), &set);
}

static pid_t hog(void)
{
	pid_t pid = fork();

	while (!pid)
		__asm__ volatile("");
	return pid;
}

/* Moves all processes back and forth between two CPUs. */
static pid_t mover(const pid_t *pids, int n, int per_second)
{
	struct sched_param first = { .sched_priority = 1 };
	pid_t pid = fork();

	if (pid)
		return pid;
	sched_setscheduler(0, SCHED_FIFO, &first);
	for (int cpu = 1; ; cpu ^= 1) {
		usleep(1000000 / per_second);
		for (int i = 0; i < n; i++)
			stay_on(pids[i], cpu);
		stay_on(0, cpu);
	}
}

static void in_kernel(const char *turns)
{
	int fd = open("/proc/counted", O_WRONLY);

	if (fd < 0 || write(fd, turns, strlen(turns)) < 0)
		exit(3);
	close(fd);
}

int main(int argc, char **argv)
{
	int kernel = argc > 3 && !strcmp(argv[2], "kernel");
	int hogs = argc > 3 + kernel ? atoi(argv[3 + kernel]) : 0;
	int rate = argc > 4 + kernel ? atoi(argv[4 + kernel]) : 0;
	unsigned long millions = argc > 2 + kernel ? strtoul(argv[2 + kernel], NULL, 10) : 20;
	pid_t pids[16] = { getpid() };
	int n = 1;

	stay_on(0, 0);
	while (n <= hogs && n < 15)
		pids[n++] = hog();
	if (rate) {
		pids[n] = mover(pids, n, rate);
		n++;
	}
	for (int i = 0; i < atoi(argv[1]); i++) {
		syscall(SYS_getppid);
		if (kernel)
			in_kernel(argv[3]);
		else
			spin(millions * 500000);
		syscall(SYS_getppid);
	}
	while (n > 1)
		kill(pids[--n], SIGKILL);
	while (wait(NULL) > 0)
		;
	return 0;
}
