/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source.h - open perf events: which ring has their records, which event a record is of, and how
 * many there have been.
 *
 * The events of one family on one CPU (and thread) share a ring, that of the first, so memory does
 * not grow with the number of probes. Every record begins, or ends, with the ID of its event.
 * Software events other than clocks have a ring each: if several occur at once, kernels since 6.3
 * give all their records the ID of the first.
 */
#ifndef LAPWING_SOURCE_H
#define LAPWING_SOURCE_H

#include "perf/perf_ring.h"
#include "runtime/user/user.h"

/* One perf event on one CPU, of one thread or of all. */
struct event_source {
	struct event_source	*next, *next_id;
	/* page is NULL if the records go to another source's ring, or there are none */
	struct perf_ring ring;
	hit_fn		*hit;		/* NULL: only process records */
	const void	*row;
	struct merge_tally *tally;
	s32		tid;		/* -1: all */
	int		cpu;
	int		alone;			/* all samples in its ring are its own */
	u64		id;		/* as in records */
	/* regs: perf's mask of the user registers in samples */
	u64		sample_type, regs;
	/* Its books: */
	u64		period;			/* 0: each sample has its own, or it only counts */
	u64		counted;		/* its count when it was last read */
	/*
	 * its own count when the period was set; for a source of process records, its time enabled,
	 * ns
	 */
	u64		since;
	/* the part of its count from exited threads that inherited it */
	u64		exited;
	u64		expected;		/* samples due by both counts, as of then */
	u64		taken, covered;		/* samples read, and the sum of their periods */
	/* samples without room: of the ring that it owns; once its books are closed, its own */
	u64		lost;
	/* of those read, of its CPU's idle task; the CPU's idle time when it was opened, ns */
	u64		idle, idle_since;
	int		clock;			/* it samples its CPU's time, whatever runs */
	int		tells_lost;		/* source_lost() has an answer */
	/* Of a ring, and so of its owner (loss.h): */
	/* owner of the ring that its records go to; NULL: it has no records */
	const struct event_source *owner;
	int		joins;			/* a lost record may be one end of a call */
	/* lost records that the kernel reported in records of losses */
	u64		told;
	u64		last;			/* time of the last record */
	/* it may have been full: what had happened by then, and when that was */
	int		asked;
	u64		asked_count, asked_at;
	/* lost records not yet reported by the kernel, and the time until which they were lost */
	u64		admitted, admitted_at;
};

struct event_source *source_first(void);
/* The event with that ID, as records have it; NULL: already closed. */
struct event_source *source_of(u64 id);
/* Where sample_id_all puts these fields: bytes before the record's end. */
#define SOURCE_TIME	24
#define SOURCE_CPU	16
/* Stores how often the event has happened. 0, or -1: it is not counted. */
int source_count(const struct event_source *s, u64 *count);
/* A thread that inherited the event has exited, with that count. */
void source_exited(struct event_source *s, u64 count);
/*
 * Once a second, closes the sources of CPUs that went offline and opens those of CPUs that came
 * online. Rings have been read.
 */
void source_follow(u64 now);
/* Stores how many process records were lost. 0, or -1: the kernel does not say (before 6.0). */
int source_lost(const struct event_source *s, u64 *lost);
/*
 * Gives a row's events new random periods, which keep the rate of `period` in the long run. Returns
 * the number of events.
 */
struct vary;
u32 source_vary(const void *row, u64 period, struct vary *random);
/* Stops, or resumes, events that only count. */
void source_switch(int on);
/* All rings have been read to their end: stores in the tallies what was counted and expected. */
void source_settle(void);
/* Closes the sources of hit; NULL: all. */
void source_close(hit_fn *hit);

/* merge.c: perf rings in, hits in time order out. */
/* What became of the samples of some sources, besides hits. */
struct merge_tally {
	/* own: of this process, which are not hits; lost: no room in the ring, or no memory */
	u64	own, lost;
	u64	taken;		/* samples read, own ones included */
	/*
	 * Of closed sources, and of all after merge_pause(): their counts; the samples that should
	 * have come of these, by their periods; how many of those are missing since the CPU was
	 * idle.
	 */
	u64	counted, expected, asleep;
	u32	sources;
	/*
	 * several clocks share the rate, so that what is in step with one is seen by the others
	 * (vary.h)
	 */
	int	spread;
	int	partly;		/* some sources sample user code only */
	/* samples are ends of calls, or needed by what is kept at one end (loss.h) */
	int	joins;
	int	with_own_hits;	/* hits of this process count as hits */
	/*
	 * samples report on threads, as process records do: they share one ring, so that a loss
	 * there is a loss of both
	 */
	int	tells;
	/* the caller knows that this process has no such hits: the kernel need not filter */
	int	elsewhere;
};

struct perf_event_attr;
int merge_open(const struct perf_event_attr *attr, const char *what, hit_fn *hit, const void *row,
	       struct merge_tally *tally);
/*
 * The same for one process and what it starts (0: all); attr NULL: only process records.
 */
int merge_open_process(s32 pid, const struct perf_event_attr *attr, const char *what, hit_fn *hit,
		       const void *row, struct merge_tally *tally);
/*
 * True if perf may free events of a process and of what it started although the process lives: it
 * swaps the contexts of two processes that have copies of the same events, and those of the one
 * that ends first are freed, whose they were before. An uprobe that is for processes, not for CPUs,
 * is then lost by those that live. Linux 6.12 does not swap inherited events that read counts, as
 * those of process records are then.
 */
int merge_may_swap(void);
/* Stops sampling; samples already taken can still be read, by a last merge_round(). */
void merge_pause(void);
/*
 * For events that sample every hit: the number of hits without a sample. Counted per event, though
 * the rings are shared.
 */
u64 merge_lost(const struct merge_tally *tally);
/* Returns the number of lost process records; *all: of all process records. */
u64 merge_untold(u64 *all);
/* The same as merge_open() on one CPU, whichever threads run there. */
int merge_open_one(const struct perf_event_attr *attr, const char *what, hit_fn *hit,
		   const void *row, struct merge_tally *tally);

#endif
