// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * touched.c - threads that touch new pages, PAGES of them between two calls of getppid: touched
 * THREADS CALLS PAGES. They run at the same time and migrate between CPUs meanwhile, if there is
 * more than one. Each calls getppid 2 * CALLS times. Prints nothing.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096

static long calls, pages, processors;

static void move(long n)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(n % processors, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void touch(long call)
{
	char *p = mmap(NULL, (size_t)pages * PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(p, (size_t)pages * PAGE, MADV_NOHUGEPAGE);
	syscall(SYS_getppid);
	for (long i = 0; i < pages; i++) {
		p[i * PAGE] = 1;
		if (i == pages / 2)
			move(call);
	}
	syscall(SYS_getppid);
	munmap(p, (size_t)pages * PAGE);
}

static void *run(void *unused)
{
	move(0);			/* faults in the pages it needs */
	for (long n = 0; n < calls; n++)
		touch(n);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread[64];
	long n = argc == 4 ? atol(argv[1]) : 0;

	calls = n ? atol(argv[2]) : 0;
	processors = sysconf(_SC_NPROCESSORS_ONLN);
	pages = n ? atol(argv[3]) : 0;
	for (long i = 0; i < n; i++)
		pthread_create(&thread[i], NULL, run, NULL);
	for (long i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	return n < 1 || n > 64;
}
