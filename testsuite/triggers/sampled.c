/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sampled.c - checks that this kernel samples each hit of a tracepoint that it counts: on every CPU
 * timer:hrtimer_expire_entry, while this program sleeps there 400 times, so that timers expire in
 * the idle task. Status 0 if each hit has a sample, 1 with a line if not, 2 if it cannot be
 * checked.
 *
 * On some virtual machines the idle task of a CPU is no longer sampled after a while, by perf and
 * others alike, though no ring is full.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGES	64
#define SLEEPS	400		/* of 1 ms */

static int event_number(void)
{
	FILE *f = fopen("/sys/kernel/tracing/events/timer/hrtimer_expire_entry/id", "r");
	int n = -1;

	if (f && fscanf(f, "%d", &n) != 1)
		n = -1;
	if (f)
		fclose(f);
	return n;
}

static long samples(const struct perf_event_mmap_page *ring)
{
	const char *records = (const char *)ring + getpagesize();
	uint64_t size = (uint64_t)PAGES * (uint64_t)getpagesize(), end = ring->data_head;
	long n = 0;

	for (uint64_t at = 0; at < end && at < size; ) {
		struct perf_event_header h;

		memcpy(&h, records + at, sizeof(h));
		n += h.type == PERF_RECORD_SAMPLE;
		at += h.size;
	}
	return n;
}

static int look(int cpu, int number)
{
	struct perf_event_attr a = { .type = PERF_TYPE_TRACEPOINT, .size = sizeof(a),
				     .config = (uint64_t)number, .sample_period = 1 };
	int fd = (int)syscall(SYS_perf_event_open, &a, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	void *ring = mmap(NULL, (size_t)((PAGES + 1) * getpagesize()), PROT_READ | PROT_WRITE,
			  MAP_SHARED, fd, 0);
	uint64_t count = 0;
	cpu_set_t only;

	CPU_ZERO(&only);
	CPU_SET(cpu, &only);
	if (fd < 0 || ring == MAP_FAILED || sched_setaffinity(0, sizeof(only), &only))
		return 2;
	for (int i = 0; i < SLEEPS; i++)
		usleep(1000);
	if (ioctl(fd, PERF_EVENT_IOC_DISABLE, 0) ||
	    read(fd, &count, sizeof(count)) != sizeof(count))
		return 2;
	if (count == (uint64_t)samples(ring))
		return 0;
	printf("CPU %d: %llu hits, %ld samples\n", cpu, (unsigned long long)count, samples(ring));
	return 1;
}

int main(void)
{
	int number = event_number(), worst = number < 0 ? 2 : 0;

	for (int cpu = 0; number >= 0 && cpu < sysconf(_SC_NPROCESSORS_ONLN); cpu++) {
		int is = look(cpu, number);

		worst = is > worst ? is : worst;
	}
	return worst;
}
