/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watched.c - watched WRITES READS [held]: known numbers of accesses of known addresses, which are
 * mapped for this:
 *   0x10000000  an int: WRITES writes and READS reads by each of two threads
 *   0x10000100  a byte: two writes by the kernel, in read(2)
 *   0x10000200  a long: WRITES writes; half as many to each half of it, as two ints
 * A child process makes the same accesses of the same addresses. held: before all this the program
 * waits for SIGUSR1. Links statically, runs in guests.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static char *const place = (char *)0x10000000;
static int writes, reads;

static void *access_int(void *unused)
{
	volatile int *number = (volatile int *)place;
	int sum = 0;

	for (int i = 0; i < writes; i++)
		*number = i;
	for (int i = 0; i < reads; i++)
		sum ^= *number;
	return sum == -1 ? NULL : unused;
}

static void access_long(void)
{
	volatile long *whole = (volatile long *)(place + 0x200);
	volatile int *half = (volatile int *)(place + 0x200);

	for (int i = 0; i < writes; i++)
		*whole = i;
	for (int i = 0; i < writes; i++)
		half[i % 2] = i;
}

static void read_byte(void)
{
	int ends[2];

	if (pipe(ends) || write(ends[1], "ab", 2) != 2)
		abort();
	for (int i = 0; i < 2; i++)
		if (read(ends[0], place + 0x100, 1) != 1)
			abort();
	close(ends[0]);
	close(ends[1]);
}

static void access_all(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, access_int, NULL))
		abort();
	access_int(NULL);
	access_long();
	read_byte();
	pthread_join(thread, NULL);
}

static void wait_for_signal(void)
{
	sigset_t go;

	sigemptyset(&go);
	sigaddset(&go, SIGUSR1);
	sigprocmask(SIG_BLOCK, &go, NULL);
	sigwait(&go, &(int){ 0 });
}

int main(int argc, char **argv)
{
	pid_t child;
	int status;

	if (argc < 3 || mmap(place, 4096, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != place)
		return 2;
	writes = atoi(argv[1]);
	reads = atoi(argv[2]);
	if (argc > 3 && !strcmp(argv[3], "held"))
		wait_for_signal();
	child = fork();
	access_all();
	if (!child)
		return 0;
	return waitpid(child, &status, 0) == child && !status ? 0 : 1;
}
