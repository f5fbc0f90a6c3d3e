/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_ring.c - one perf event and its ring; see perf_ring.h.
 */
#include "perf/perf_ring.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE	4096UL
#define LEAST	(16 * PAGE)	/* of data: records of 64 KB fit */

int perf_ring_open(struct perf_ring *r, struct perf_event_attr *attr, s32 tid, int cpu, int group,
		   u64 bytes)
{
	int rc;

	attr->size = sizeof(*attr);
	r->fd = (int)syscall(SYS_perf_event_open, attr, tid, cpu, group, PERF_FLAG_FD_CLOEXEC);
	if (r->fd < 0)
		return -errno;
	r->page = NULL;
	r->bytes = bytes;
	if (!bytes)
		return 0;
	/* Locked memory is limited per user: kernel.perf_event_mlock_kb. */
	for (; ; r->bytes /= 2) {
		r->page = mmap(NULL, PAGE + r->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
		if (r->page != MAP_FAILED || r->bytes <= LEAST ||
		    (errno != EPERM && errno != ENOMEM))
			break;
	}
	if (r->page == MAP_FAILED) {
		rc = -errno;
		close(r->fd);
		r->page = NULL;
		return rc;
	}
	return 0;
}

int perf_ring_join(const struct perf_ring *r, struct perf_event_attr *attr, s32 tid, int cpu)
{
	int fd, rc;

	attr->size = sizeof(*attr);
	fd = (int)syscall(SYS_perf_event_open, attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0 || !ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, r->fd))
		return fd < 0 ? -errno : fd;
	rc = -errno;
	close(fd);
	return rc;
}

void perf_ring_close(struct perf_ring *r)
{
	if (r->page)
		munmap(r->page, PAGE + r->bytes);
	close(r->fd);
}

u64 perf_ring_head(const struct perf_ring *r)
{
	return __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
}

/* Copies n bytes at a position; the ring wraps. */
static void copy(const struct perf_ring *r, u64 pos, void *to, size_t n)
{
	const u8 *data = (const u8 *)r->page + r->page->data_offset;
	size_t at = pos & (r->bytes - 1), first = n < r->bytes - at ? n : r->bytes - at;

	memcpy(to, data + at, first);
	memcpy((u8 *)to + first, data, n - first);
}

struct perf_event_header *perf_ring_next(struct perf_ring *r, u64 head, void *buf)
{
	struct perf_event_header *h = buf;
	u64 tail = r->page->data_tail;

	if (tail >= head || head - tail < sizeof(*h))
		return NULL;
	copy(r, tail, h, sizeof(*h));
	if (h->size < sizeof(*h) || h->size > head - tail) {
		__atomic_store_n(&r->page->data_tail, head, __ATOMIC_RELEASE);
		return NULL;
	}
	copy(r, tail, buf, h->size);
	__atomic_store_n(&r->page->data_tail, tail + h->size, __ATOMIC_RELEASE);
	return h;
}
