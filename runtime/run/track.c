/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * track.c - what processes run, while a session runs: perf's records of new programs and mappings
 * on every CPU, applied in order of time when output of that time is printed. New images are opened
 * at once.
 *
 * Without permission to open perf events there is only /proc, read when an address is looked up.
 */
#include "runtime/run/track.h"

#include "lib/id_table.h"
#include "lib/procstat.h"
#include "perf/perf_ring.h"
#include "perf/queue.h"
#include "perf/records.h"
#include "runtime/run/facts.h"
#include "runtime/run/run.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define RING_BYTES (512 * 1024ULL)

struct program {
	struct id_entry	pid;
	u32		run;
	u64		start;
	int		was_read;		/* its name, in /proc; perhaps in vain */
	char		name[16];		/* "": not known */
};

static struct id_table programs;		/* only for captures */
static struct perf_ring *rings;
static unsigned nrings;
static struct queue pending = { .item_bytes = sizeof(struct queued) };
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
			.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
			.sample_id_all = 1,
			.use_clockid = 1,
			.clockid = CLOCK_MONOTONIC,
			.wakeup_events = 1,
		};

		records_ask(&attr);
		if (!perf_ring_open(&rings[nrings], &attr, -1, cpu, -1, RING_BYTES))
			nrings++;
	}
	if (!nrings)
		say("lapwing-run: no perf events here: programs are known from /proc alone, and not after their end\n");
}

static void keep(const struct perf_event_header *h, u64 time)
{
	const struct queued *item = queue_add_record(&pending, time, h);

	if (!item)
		books.lost++;
	else if (item->image && on_image)
		on_image(item->image);
}

void track_take(const void *told, u32 len)
{
	const struct perf_event_header *h = (const void *)((const u8 *)told + sizeof(u64));
	u64 time;

	if (len < sizeof(time) + sizeof(*h) + 16 || h->size < sizeof(*h) + 16 ||
	    h->size > len - sizeof(time))
		return;
	memcpy(&time, told, sizeof(time));
	keep(h, time);
}

void track_note(const struct wire_note *note, u32 len)
{
	queue_add_note(&pending, note, len);
}

void track_read(void)
{
	static u8 buf[65536] __attribute__((aligned(8)));
	struct perf_event_header *h;
	u64 time;

	for (unsigned i = 0; i < nrings; i++)
		for (u64 head = perf_ring_head(&rings[i]);
		     (h = perf_ring_next(&rings[i], head, buf));)
			if (h->type == PERF_RECORD_LOST) {
				books.lost += ((const u64 *)(h + 1))[1];
			} else if (h->size >= sizeof(*h) + 32) {
				books.records++;
				/* each record ends with: pid, tid; time; cpu */
				memcpy(&time, (const u8 *)h + h->size - 16, 8);
				keep(h, time);
			}
}

/* ---- programs ------------------------------------------------------------------*/

static struct program *program_get(s32 pid)
{
	return id_get(&programs, pid, sizeof(struct program));
}

static void name_set(struct program *p, const char *name, size_t n)
{
	n = strnlen(name, n < sizeof(p->name) ? n : sizeof(p->name) - 1);
	memcpy(p->name, name, n);
	p->name[n] = 0;
}

static void name_read(struct program *p)
{
	char stat[PROCSTAT_SIZE], *name;

	if (!*p->name && !p->was_read && procstat_read(p->pid.id, 0, stat, &name))
		name_set(p, name, sizeof(p->name));
	p->was_read = 1;
}

static void program_begin(struct program *p, u64 time)
{
	p->run++;
	p->start = time;
}

static void program_comm(const struct perf_event_header *h, u64 time)
{
	const u32 *w = (const u32 *)(h + 1);		/* pid, tid; the name */
	struct program *p = w[0] == w[1] ? program_get((s32)w[0]) : NULL;

	if (!p)
		return;
	if (h->misc & PERF_RECORD_MISC_COMM_EXEC)
		program_begin(p, time);
	name_set(p, (const char *)(w + 2), h->size - sizeof(*h) - 8);
}

static void program_fork(const struct perf_event_header *h, u64 time)
{
	const s32 *w = (const s32 *)(h + 1);		/* pid, ppid */
	struct program *p = w[0] != w[1] ? program_get(w[0]) : NULL, *parent;

	if (!p)
		return;
	parent = program_get(w[1]);
	program_begin(p, time);
	p->was_read = *p->name = 0;
	if (!parent)
		return;
	name_read(parent);
	memcpy(p->name, parent->name, sizeof(p->name));
}

struct track_program track_program(s32 pid)
{
	struct program *p = program_get(pid);

	if (!p)
		return (struct track_program){ .name = "" };
	name_read(p);
	return (struct track_program){ p->run, p->start, p->name };
}

void track_look(s32 pid)
{
	process_look(pid);
	if (opt.capture)
		track_program(pid);
}

/* ---- in order of time ----------------------------------------------------------*/

static void apply(void *item)
{
	const struct queued *p = item;

	if (opt.capture && p->record->type == PERF_RECORD_COMM)
		program_comm(p->record, p->time);
	else if (opt.capture && p->record->type == PERF_RECORD_FORK)
		program_fork(p->record, p->time);
	records_apply(p->record, p->image);
}

void track_until(u64 time)
{
	queue_handle(&pending, time, apply);
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
	struct program *program;

	while (nrings)
		perf_ring_close(&rings[--nrings]);
	free(rings);
	track_until(~0ULL);
	queue_clear(&pending);
	ID_EACH (program, &programs)
		free(id_remove(&programs, program->pid.id));
	process_clear();
}
