/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records.c - see records.h.
 */
#include "perf/records.h"

struct mmap2 {
	struct perf_event_header h;
	u32	pid, tid;
	u64	addr, len, pgoff;
	u32	major, minor;
	u64	ino, generation;
	u32	prot, flags;
	char	path[];
};

struct comm_or_fork {
	struct perf_event_header h;
	u32	pid, second, tid;	/* COMM: pid, tid; FORK and EXIT: pid, ppid, tid, ptid */
};

void records_ask(struct perf_event_attr *attr)
{
	attr->mmap = attr->mmap2 = attr->comm = attr->comm_exec = attr->task = 1;
}

int records_map(const struct perf_event_header *h, struct image_map *map)
{
	const struct mmap2 *m = (const struct mmap2 *)h;

	if (h->type != PERF_RECORD_MMAP2 || h->size <= sizeof(*m))
		return 0;
	*map = (struct image_map){ .start = m->addr, .len = m->len, .pgoff = m->pgoff, .dev = (u64)m->major << 20 | m->minor,
				   .ino = m->ino, .path = m->path };
	return 1;
}

struct image *records_image(const struct perf_event_header *h)
{
	struct image_map map;

	return records_map(h, &map) ? image_get((s32)((const struct mmap2 *)h)->pid, &map) : 0;
}

int records_is_note(const struct wire_note *note, u64 len)
{
	return len > sizeof(*note) && len <= 4096 && !((const char *)note)[len - 1];
}

void records_apply(const struct perf_event_header *h, struct image *image)
{
	const struct comm_or_fork *r = (const struct comm_or_fork *)h;
	struct image_map map;

	if (h->type == RECORDS_NOTE)
		process_note((const struct wire_note *)(h + 1));
	else if (h->type == PERF_RECORD_COMM && h->misc & PERF_RECORD_MISC_COMM_EXEC)
		process_exec((s32)r->pid);
	else if (h->type == PERF_RECORD_FORK && r->pid != r->second)
		process_fork((s32)r->pid, (s32)r->second);
	else if (h->type == PERF_RECORD_EXIT && r->pid == r->tid)
		process_exit((s32)r->pid);
	else if (records_map(h, &map))
		process_map((s32)r->pid, &map, image);
}
