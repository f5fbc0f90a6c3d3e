/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sleepers.c - sleepers N: N threads read from a pipe at once, each one byte, which are written when all are asleep in there.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST	4000

static int fds[2];
static volatile int tids[MOST];

static void *reads(void *number)
{
	char byte;

	tids[(long)number] = (int)syscall(SYS_gettid);
	return read(fds[0], &byte, 1) == 1 ? NULL : number;
}

/* Is that thread asleep? */
static int sleeps(int tid)
{
	char name[64], state = 0;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/self/task/%d/stat", tid);
	f = fopen(name, "r");
	if (!f)
		return 0;
	if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	fclose(f);
	return state == 'S';
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	static pthread_t threads[MOST];
	pthread_attr_t small;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	if (n < 1 || n > MOST || pipe(fds))
		return 2;
	for (long i = 0; i < n; i++)
		if (pthread_create(&threads[i], &small, reads, (void *)i))
			return 1;
	for (int i = 0; i < n; i++)
		while (!tids[i] || !sleeps(tids[i]))
			usleep(1000);
	for (int i = 0; i < n; i++)
		if (write(fds[1], "x", 1) != 1)
			return 1;
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
