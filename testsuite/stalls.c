/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stalls.c - how still the machine stood while tests ran: a thread that sleeps 1 ms again and again, until SIGTERM, and prints how much
 * longer than that the longest sleep took, in ms, and how much of the CPUs' time the host took ("steal" of /proc/stat), in percent of what
 * there was. With SCHED_FIFO, where it may: what delays it then is the machine, not the tests beside it.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

static volatile sig_atomic_t ended;

static void end(int signal)
{
	(void)signal;
	ended = 1;
}

static long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* The first line of /proc/stat: user nice system idle iowait irq softirq steal, in ticks; proc(5). */
static int read_ticks(long long *all, long long *stolen)
{
	long long tick[8];
	FILE *file = fopen("/proc/stat", "r");
	int n = file ? fscanf(file, "cpu %lld %lld %lld %lld %lld %lld %lld %lld", tick, tick + 1, tick + 2, tick + 3, tick + 4, tick + 5,
		tick + 6, tick + 7) : 0;

	if (file)
		fclose(file);
	*all = 0;
	for (int i = 0; i < n; i++)
		*all += tick[i];
	*stolen = n == 8 ? tick[7] : 0;
	return n == 8;
}

int main(void)
{
	long long all[2], stolen[2], longest = 0;
	int known;

	sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 1 });
	sigaction(SIGTERM, &(struct sigaction){ .sa_handler = end }, NULL);
	known = read_ticks(all, stolen);
	while (!ended) {
		long long began = now_ns(), took;

		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
		took = now_ns() - began - 1000000;
		longest = took > longest ? took : longest;
	}
	known &= read_ticks(all + 1, stolen + 1);
	printf("longest stall %.1f ms", (double)longest / 1e6);
	if (known && all[1] > all[0])
		printf(", %.2f %% stolen", 100.0 * (double)(stolen[1] - stolen[0]) / (double)(all[1] - all[0]));
	putchar('\n');
	return 0;
}
