/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source.h - perf events that are open: which ring their records come in, whose they are, and how
 * many there have been.
 *
 * The events of one family on one CPU (and thread) share a ring, that of the first: so the memory
 * does not grow with the number of probes. Every record begins, or ends, with the number of its
 * event. Software events, but for clocks, have a ring each: of those that happen at once kernels
 * since 6.3 give all records the number of the first.
 */
#ifndef LAPWING_SOURCE_H
#define LAPWING_SOURCE_H

#include "perf/perf_ring.h"
#include "runtime/user/user.h"

/* One perf event on one CPU, of one thread or of all. */
struct event_source {
	struct event_source	*next, *next_id;
	/* page is NULL where the records go to another's ring, or there are none */
	struct perf_ring ring;
	hit_fn		*hit;		/* NULL: only tells of processes */
	const void	*row;
	struct merge_tally *tally;
	s32		tid;		/* -1: all */
	int		cpu;
	int		alone;			/* all samples in its ring are its own */
	u64		id;		/* as records have it */
	/* regs: perf's numbers of the user registers that samples have */
	u64		sample_type, regs;
	/* Its books: */
	u64		period;			/* 0: each sample has its own, or it only counts */
	u64		counted;		/* when it was last read */
	/*
	 * its own count when the period was set; of what only tells of processes, how long it was
	 * on, ns
	 */
	u64		since;
	/* of its count, that of threads it was inherited by that have ended */
	u64		exited;
	u64		expected;		/* samples of both, as of then */
	u64		taken, covered;		/* read, and the periods of those */
	/* without room, in the ring that it owns; its own, once its books are closed */
	u64		lost;
	/* of those read, of its CPU's idle task; the CPU's idle time when it was opened, ns */
	u64		idle, idle_since;
	int		clock;			/* it samples its CPU's time, whoever runs */
	int		tells_lost;		/* source_lost() has an answer */
	/* Of a ring, so of the one that owns it (loss.h): */
	/* of the ring that its records go to; NULL: there are none */
	const struct event_source *owner;
	int		joins;			/* what is lost here may be one end of a call */
	/* lost records, by the kernel's records of losses */
	u64		told;
	u64		last;			/* time of the last record */
	/* it may have been full: what had happened by then, and when that was */
	int		asked;
	u64		asked_count, asked_at;
	/* lost ones that no record has told of yet, and until when they were */
	u64		admitted, admitted_at;
};

struct event_source *source_first(void);
/* The event that a record is of; NULL: closed already. */
struct event_source *source_of(u64 id);
/* Where sample_id_all puts what, counted from a record's end. */
#define SOURCE_TIME	24
#define SOURCE_CPU	16
/* How often it has happened. 0, or -1: it is not counted. */
int source_count(const struct event_source *s, u64 *count);
/* A thread that it was inherited by has ended, with that count. */
void source_exited(struct event_source *s, u64 count);
/*
 * Once a second: sources of CPUs that are gone are closed, those of CPUs that have come are opened.
 * Rings have been read.
 */
void source_follow(u64 now);
/* How many records of processes were lost. 0, or -1: the kernel does not tell (before 6.0). */
int source_lost(const struct event_source *s, u64 *lost);
/*
 * A row's events sample with other periods from here on, at random, and keep the rate of `period`
 * in the long run. How many they are.
 */
struct vary;
u32 source_vary(const void *row, u64 period, struct vary *random);
/* Events that only count do so no more, or go on. */
void source_switch(int on);
/* All have been read to their end: tallies have what was counted and expected. */
void source_settle(void);
/* Closes those of hit; NULL: all. */
void source_close(hit_fn *hit);

/* merge.c: perf rings in, hits in time order out. */
/* What became of the samples of some sources, besides hits. */
struct merge_tally {
	/* of this process: no hits; lost, as the kernel or memory had no room */
	u64	own, lost;
	u64	taken;		/* samples read, own ones among them */
	/*
	 * Of sources that are closed, and of all after merge_pause(): their counts; the samples
	 * that should have come of them, by their periods; of these, those of idle CPUs that did
	 * not.
	 */
	u64	counted, expected, asleep;
	u32	sources;
	/*
	 * several clocks share the rate, so that what keeps step with one is seen by the others
	 * (vary.h)
	 */
	int	spread;
	int	partly;		/* some sample user code only */
	/* they are ends of calls, or what is kept at one end needs them (loss.h) */
	int	joins;
	int	with_own_hits;	/* what happens to this process is among the hits */
	/*
	 * of threads, as records of processes do: in their ring, so that a loss there is one of
	 * both
	 */
	int	tells;
	/* the caller knows that this process has no such hits: the kernel need not look */
	int	elsewhere;
};

struct perf_event_attr;
int merge_open(const struct perf_event_attr *attr, const char *what, hit_fn *hit, const void *row,
	       struct merge_tally *tally);
/*
 * The same for one process and what it starts (0: all); attr NULL: only the records of processes.
 */
int merge_open_process(s32 pid, const struct perf_event_attr *attr, const char *what, hit_fn *hit,
		       const void *row, struct merge_tally *tally);
/* No more samples from now on; those that were taken can still be read, by a last merge_round(). */
void merge_pause(void);
/*
 * Of events that sample every hit: how many hits there were without a sample. Each event's own,
 * though the rings are shared.
 */
u64 merge_lost(const struct merge_tally *tally);
/* Records of processes that were lost, and all that there were. */
u64 merge_untold(u64 *all);
/* The same as merge_open() on one CPU, whoever is on it. */
int merge_open_one(const struct perf_event_attr *attr, const char *what, hit_fn *hit,
		   const void *row, struct merge_tally *tally);

#endif
