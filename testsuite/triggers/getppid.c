/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * getppid.c - a known sequence of events: THREADS threads make CALLS getppid system calls each.
 * Usage: getppid THREADS CALLS. Prints nothing. Links statically, runs in guests.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static long calls;

static void *call(void *unused)
{
	for (long i = 0; i < calls; i++)
		syscall(SYS_getppid);
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 4;
	pthread_t *t = calloc(threads, sizeof(*t));

	calls = argc > 2 ? atol(argv[2]) : 10000;
	for (int i = 0; i < threads; i++)
		if (pthread_create(&t[i], NULL, call, NULL))
			return 1;
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	free(t);
	return 0;
}
