/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sampler.c - samples all CPUs by their clocks at a rate, and does nothing with it: what the interrupts
 * alone cost. Usage: sampler HZ; ends on a signal.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE,
				     .config = PERF_COUNT_SW_CPU_CLOCK,
				     .size = sizeof(a),
				     .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME };
	long cpus = sysconf(_SC_NPROCESSORS_ONLN), page = sysconf(_SC_PAGESIZE);

	if (argc != 2)
		return 2;
	a.sample_period = 1000000000ull / strtoull(argv[1], NULL, 10);
	for (long cpu = 0; cpu < cpus; cpu++) {
		int fd = (int)syscall(SYS_perf_event_open, &a, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

		/* without PROT_WRITE the oldest samples are overwritten: none is lost, and nobody is woken */
		if (fd < 0 || mmap(NULL, (size_t)(page * 65), PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED) {
			perror("sampler");
			return 1;
		}
	}
	pause();
	return 0;
}
