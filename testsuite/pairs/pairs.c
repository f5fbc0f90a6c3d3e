/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pairs.c - makes a known number of calls of work(), whose result tells its argument: work(i) is
 * i + 1.
 *
 *	pairs THREADS ROUNDS DEPTH CHILDREN STOPS INSIDE NAMES DONE
 *
 * Each thread makes ROUNDS calls, each with DEPTH nested calls of itself, and moves to another CPU
 * every 50 rounds; so does each child, in one thread. STOPS times the parent, lapwing-run, is
 * stopped for a part of the first thread's calls and while the process changes its name NAMES
 * times; it continues while calls are still being made, so that later records find the stack of
 * open calls as the lost ones left it. INSIDE 1: a child is forked inside a call, which returns
 * twice. INSIDE 2: with the reader stopped, so many calls are made on one CPU that the entry of the
 * last one is lost there; it returns on another CPU, and the first CPU has no later event with
 * which the kernel could report the loss. At the end the number of calls is written to the file
 * DONE.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static long rounds, depth, stops, names;
static pid_t reader;
static volatile int inside;

static void go_to(long cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((int)(cpu % sysconf(_SC_NPROCESSORS_CONF)), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

__attribute__((noinline)) long work(long i, long deeper)
{
	if (deeper && work(i + 1000, deeper - 1) != i + 1001)
		abort();
	if (inside == 1) {
		inside = 0;
		if (fork())
			wait(NULL);
	} else if (inside == 2) {
		inside = 0;
		go_to(0);
	}
	__asm__ volatile("" : "+r"(i));
	return i + 1;
}

/* Before round i. Rounds are in 2 STOPS + 1 parts; the reader is stopped in every other part. */
static void stop_or_go_on(long i)
{
	long part = rounds / (2 * stops + 1);

	if (!i || i % part || i / part > 2 * stops)
		return;
	if (i / part % 2) {
		kill(reader, SIGSTOP);
		return;
	}
	for (long n = names; n--; )
		prctl(PR_SET_NAME, n ? "other" : "pairs");
	kill(reader, SIGCONT);
}

static void *call(void *number)
{
	for (long i = 0; i < rounds; i++) {
		if (!number && stops)
			stop_or_go_on(i);
		if (i % 50 == 0)
			go_to((long)number + i / 50);
		if (work(i, depth) != i + 1)
			abort();
	}
	return NULL;
}

static void run(long nthreads, long nchildren)
{
	pthread_t thread[64];

	for (long i = 1; i <= nchildren; i++)
		if (!fork()) {
			call((void *)i);
			_exit(0);
		}
	for (long i = 1; i < nthreads; i++)
		if (pthread_create(&thread[i], NULL, call, (void *)i))
			abort();
	call(NULL);
	for (long i = 1; i < nthreads; i++)
		pthread_join(thread[i], NULL);
	while (wait(NULL) > 0)
		;
}

static void must_be_reader(pid_t pid)
{
	char path[64], name[32] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	f = fopen(path, "r");
	if (!f || !fgets(name, sizeof(name), f) || strcmp(name, "lapwing-run\n"))
		abort();
	fclose(f);
}

int main(int argc, char **argv)
{
	pid_t self = getpid();
	long nthreads, nchildren, more = 0;
	int last;
	FILE *done;

	if (argc != 9)
		return 2;
	nthreads = atol(argv[1]);
	rounds = atol(argv[2]);
	depth = atol(argv[3]);
	nchildren = atol(argv[4]);
	stops = atol(argv[5]);
	last = atoi(argv[6]);
	names = atol(argv[7]);
	reader = getppid();
	must_be_reader(reader);
	run(nthreads, nchildren);
	if (last == 2) {
		go_to(1);
		kill(reader, SIGSTOP);
		while (more < 100000)
			work(more++, 0);
	}
	if (last) {
		inside = last;
		work(more++, 0);
		if (getpid() != self)
			_exit(0);
	}
	if (last == 2)
		kill(reader, SIGCONT);
	done = fopen(argv[8], "w");
	if (!done)
		return 1;
	fprintf(done, "%ld\n", (nthreads + nchildren) * rounds * (depth + 1) + more);
	return fclose(done) ? 1 : 0;
}
