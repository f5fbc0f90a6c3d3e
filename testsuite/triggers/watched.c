/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watched.c - two threads write `watched` so many times, and read `looked` so many times and write it once; then a child writes
 * `watched` 3 times, and the program, exec'ed again in another child, 5 times: 2 * WRITES + 8 writes of `watched`, 2 * READS + 2
 * accesses of `looked`. The kernel writes `given`, by read(2), once. Each process calls tell() with the addresses of the first two
 * before that.
 * Usage: watched WRITES READS
 * Linked: -static-pie
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

volatile int watched, looked;
int given;
static long writes, reads;

static __attribute__((noinline)) void tell(volatile int *first, volatile int *second)
{
	__asm__ volatile("" :: "r"(first), "r"(second) : "memory");
}

static __attribute__((noinline)) void write_it(long n)
{
	for (long i = 1; i <= n; i++)
		watched = (int)i;
}

static void *work(void *unused)
{
	write_it(writes);
	for (long i = 0; i < reads; i++)
		(void)looked;
	looked = 1;
	return unused;
}

static int wait_for(pid_t child)
{
	int status = 1;

	return waitpid(child, &status, 0) != child || status;
}

static int be_given(void)
{
	int ends[2], value = 7;

	return pipe(ends) || write(ends[1], &value, sizeof(value)) != sizeof(value) ||
	       read(ends[0], &given, sizeof(given)) != sizeof(given);
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	pid_t child;

	tell(&watched, &looked);
	if (argc == 2) {
		write_it(atol(argv[1]));
		return 0;
	}
	writes = argc > 1 ? atol(argv[1]) : 10;
	reads = argc > 2 ? atol(argv[2]) : 10;
	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, work, NULL))
			return 1;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	child = fork();
	if (!child) {
		tell(&watched, &looked);
		write_it(3);
		_exit(0);
	}
	if (wait_for(child))
		return 1;
	child = fork();
	if (!child) {
		execl("/proc/self/exe", argv[0], "5", (char *)NULL);
		_exit(1);
	}
	return wait_for(child) || be_given();
}
