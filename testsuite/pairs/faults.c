/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * faults.c - calls of fault(), each of which has a page fault, says how many it had, and leaves its CPU to others that have many: what is
 * counted for a call is wrong where a switch of threads was not seen.
 *
 *	faults CALLS DONE
 *
 * All threads are on one CPU. The second half of the calls is made while the parent, lapwing-run, stands still, and a tenth of that more
 * behind it. DONE says how many calls there were, and of how many of them something around them had faults, too: the first one has that of
 * the page in which the kernel steps instructions that are probed, others may have some where the kernel moves pages.
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
static long odd;

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
		long before = had(), inside = fault(p);

		odd += had() - before != inside;
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
	fprintf(done, "%ld %ld\n", n / 2 * 2 + n / 20, odd);
	return fclose(done) ? 1 : 0;
}
