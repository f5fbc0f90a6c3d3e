/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * faults.c - makes calls of fault(). Each call has a page fault, returns how many it had, and
 * yields the CPU to another thread that has many: a count of faults per call is wrong where the
 * record of a context switch was lost.
 *
 *	faults CALLS DONE
 *
 * All threads are on one CPU. The first half of the calls is made while the parent, lapwing-run,
 * runs; the second half while it is stopped; then another CALLS / 20 after it has continued. The
 * number of calls is written to the file DONE.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define PAGE 4096

static volatile int over;

static char *page(void)
{
	char *p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		abort();
	return p;
}

static long had(void)
{
	struct rusage r;

	if (getrusage(RUSAGE_THREAD, &r))
		abort();
	return r.ru_minflt + r.ru_majflt;
}

__attribute__((noinline)) long fault(char *p)
{
	long before = had();

	sched_yield();
	*(volatile char *)p = 1;
	sched_yield();
	return had() - before;
}

static void *others(void *unused)
{
	while (!over) {
		char *p = page();

		*(volatile char *)p = 1;
		munmap(p, PAGE);
		sched_yield();
	}
	return unused;
}

static void call(long n)
{
	while (n--) {
		char *p = page();

		fault(p);
		munmap(p, PAGE);
	}
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
	pid_t reader = getppid();
	pthread_t other;
	cpu_set_t set;
	FILE *done;
	long n;

	if (argc != 3)
		return 2;
	n = atol(argv[1]);
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	must_be_reader(reader);
	if (sched_setaffinity(0, sizeof(set), &set) || pthread_create(&other, NULL, others, NULL))
		return 1;
	call(n / 2);
	kill(reader, SIGSTOP);
	call(n / 2);
	kill(reader, SIGCONT);
	call(n / 20);
	over = 1;
	pthread_join(other, NULL);
	done = fopen(argv[2], "w");
	if (!done)
		return 1;
	fprintf(done, "%ld\n", n / 2 * 2 + n / 20);
	return fclose(done) ? 1 : 0;
}
