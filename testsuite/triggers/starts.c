/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * starts.c - processes that live on when others that they started have ended. This one starts one; each of the two starts COUNT more, one
 * after the other, which call work(1) and end, and calls work(2) when that one has ended; then the second executes this program, which does
 * all that again alone, and calls late(). 3 * COUNT calls of work(1) and of work(2). All on one processor, which goes from one that waits
 * to the one that it waits for.
 * Usage: starts COUNT
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) void work(int who)
{
	__asm__ volatile("" : : "r"(who) : "memory");
}

__attribute__((noinline)) void late(void)
{
	__asm__ volatile("" : : : "memory");
}

static void start_others(int count)
{
	while (count--) {
		if (!fork()) {
			work(1);
			_exit(0);
		}
		wait(NULL);
		work(2);
	}
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 0, again = argc > 2;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		return 1;
	if (!again && !fork()) {
		start_others(count);
		execl("/proc/self/exe", "starts", argv[1], "again", NULL);
		_exit(1);
	}
	if (!again)
		wait(NULL);
	start_others(count);
	if (again)
		late();
	return 0;
}
