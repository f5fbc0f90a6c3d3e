/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * switches.c - gives up the CPU at least COUNT times between two reads of a file called
 * switches.data: the first of 1 byte, the last of as many bytes as the kernel counted context
 * switches for it in between (/proc/self/status, both kinds). Usage: switches COUNT
 *
 * It is a real-time task, so that only its naps switch it away between a mark and its count.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long switches(void)
{
	char line[256];
	long sum = 0, n;
	FILE *f = fopen("/proc/self/status", "r");

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "voluntary_ctxt_switches: %ld", &n) == 1 ||
		    sscanf(line, "nonvoluntary_ctxt_switches: %ld", &n) == 1)
			sum += n;
	if (f)
		fclose(f);
	return sum;
}

int main(int argc, char **argv)
{
	static char bytes[100000];
	struct sched_param first = { .sched_priority = 50 };
	struct timespec nap = { 0, 1000000 };
	long before, count, naps = argc > 1 ? atol(argv[1]) : 100;
	int fd = open("switches.data", O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || sched_setscheduler(0, SCHED_FIFO, &first))
		return 1;
	before = switches();
	if (pread(fd, bytes, 1, 0) < 0)
		return 1;
	while ((count = switches() - before) < naps)
		nanosleep(&nap, NULL);	/* does not switch if the time is over before it sleeps */
	return count > (long)sizeof(bytes) || pread(fd, bytes, (size_t)count, 0) < 0;
}
