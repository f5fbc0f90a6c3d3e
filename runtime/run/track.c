/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * track.c - processes and their images during a kernel module's session: perf's records of new
 * programs and mappings on every CPU, applied in time order when output of that time is printed.
 * New images are opened at once.
 *
 * Without permission for perf events only /proc is used, read when an address is looked up.
 */
#include "runtime/run/track.h"

#include "perf/perf_merge.h"
#include "perf/perf_ring.h"
#include "perf/records.h"
#include "runtime/run/messages.h"
#include "runtime/run/run.h"

#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define RING_BYTES (512 * 1024ULL)

struct mapping_record {
	struct perf_merge_item item;
	struct image	*image;		/* of a new mapping, or NULL */
};

static struct perf_ring *rings;
static unsigned nrings;
static struct perf_merge merge = PERF_MERGE_OF(struct mapping_record);
static void (*on_image)(struct image *im);
static struct track_books books;

struct track_books track_account(void)
{
	return books;
}

void track_open(void (*image)(struct image *im))
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	on_image = image;
	rings = calloc((size_t)cpus, sizeof(*rings));
	for (int cpu = 0; rings && cpu < cpus; cpu++) {
		struct perf_event_attr attr = {
			.type = PERF_TYPE_SOFTWARE,
			.config = PERF_COUNT_SW_DUMMY,
			.sample_type = RECORDS_SAMPLE_TYPE,
			.sample_id_all = 1,
			.use_clockid = 1,
			.clockid = CLOCK_MONOTONIC,
			.wakeup_events = 1,
		};

		records_request(&attr);
		if (!perf_ring_open(&rings[nrings], &attr, -1, cpu, -1, RING_BYTES))
			nrings++;
	}
	if (!nrings)
		say("lapwing-run: no perf events: programs are known only from /proc, while they "
			"run\n");
}

static void handle(void *data, const struct perf_event_header *h)
{
	const struct records_trailer *trailer = records_trailer(h);
	struct mapping_record *m;
	struct image *image;

	books.lost += records_lost(h);
	if (records_lost(h) || !trailer)
		return;
	books.records++;
	image = records_image(h);
	if (image && on_image)
		on_image(image);
	m = perf_merge_add(&merge, trailer->time, h);
	if (m)
		m->image = image;
	else
		books.lost++;
}

void track_note(const struct wire_note *note, u32 len)
{
	struct perf_event_header *h = records_note(note, len);

	if (h)
		perf_merge_add(&merge, note->time, h);
	free(h);
}

void track_read(void)
{
	for (unsigned i = 0; i < nrings; i++)
		perf_ring_read(&rings[i], handle, NULL);
}

static void apply(struct perf_merge_item *item)
{
	records_apply(item->record, ((const struct mapping_record *)item)->image);
}

void track_until(u64 time)
{
	perf_merge_handle(&merge, time, apply);
}

int track_fds(struct pollfd *fds, int max)
{
	int n = 0;

	for (; n < max && n < (int)nrings; n++)
		fds[n] = (struct pollfd){ .fd = rings[n].fd, .events = POLLIN };
	return n;
}

void track_close(void)
{
	while (nrings)
		perf_ring_close(&rings[--nrings]);
	free(rings);
	track_until(~0ULL);
	perf_merge_clear(&merge);
	process_clear();
}
