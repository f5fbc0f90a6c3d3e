/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_ring.h - one perf event and its ring.
 */
#ifndef LAPWING_PERF_RING_H
#define LAPWING_PERF_RING_H

#include "runtime/rt.h"

#include <linux/perf_event.h>

struct perf_ring {
	int	fd;
	struct perf_event_mmap_page *page;	/* NULL: none was requested */
	u64	bytes;		/* of data, a power of two */
};

/*
 * Opens an event for a task (-1: all) on a CPU, in the group of another event (-1: none), and maps
 * its ring of `bytes` (a power of two; fewer where the kernel allows no more; 0: no ring).
 * 0 or -errno.
 */
int perf_ring_open(struct perf_ring *r, struct perf_event_attr *attr, s32 tid, int cpu, int group,
		   u64 bytes);
/* Opens another event on the same CPU that writes to r's ring. Its descriptor, or -errno. */
int perf_ring_join(const struct perf_ring *r, struct perf_event_attr *attr, s32 tid, int cpu);
void perf_ring_close(struct perf_ring *r);
/* The end of complete records (data_head). */
u64 perf_ring_head(const struct perf_ring *r);
/*
 * Copies the next record before head into buf (64 KiB, the largest record); NULL: none is left. Its
 * space is returned to the kernel.
 */
struct perf_event_header *perf_ring_next(struct perf_ring *r, u64 head, void *buf);

#endif
