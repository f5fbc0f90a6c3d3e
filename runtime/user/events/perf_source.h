/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_source.h - perf events that are open: which ring their records come in, whose they are, and
 * how many there have been.
 *
 * The events of one family on one CPU (and thread) share a ring, that of the first: so the memory
 * does not grow with the number of probes. Every record begins, or ends, with the number of its
 * event. Software events, but for clocks, have a ring each: of those that happen at once kernels
 * since 6.3 give all records the number of the first.
 */
#ifndef LAPWING_USER_PERF_SOURCE_H
#define LAPWING_USER_PERF_SOURCE_H

#include "perf/perf_ring.h"
#include "runtime/user/events/hit.h"

/* The account of a probe's sources, or of other sources: what became of their samples. */
struct perf_tally {
	u64	own;		/* samples of this process, which are no hits */
	u64	lost;		/* samples that the kernel or this process had no memory for */
	u64	taken;		/* samples read, own ones included */
	/*
	 * Lost samples of these sources that had no room: as the kernel reports for each source
	 * when it is closed, and those that this process had no memory for. unreported: the
	 * kernel does not report it for some sources.
	 */
	u64	no_room;
	int	unreported;
	/*
	 * Of closed sources, and after perf_source_pause() of all: the sum of their counts, the
	 * number of samples expected from counts and periods, and how many expected samples of
	 * idle CPUs were not taken.
	 */
	u64	counted, expected, asleep;
	u32	sources;
	int	spread;		/* several clocks share the rate: a program in step with one clock
				 * is sampled by the others (vary.h) */
	int	user_only;	/* some sources sample user mode only */
	int	joins;		/* these are ends of calls, or values saved at one end are used at
				 * the other (loss.h) */
	int	described;	/* the offsets of fields are from tracefs; otherwise this runtime
				 * knows them, behind 8 bytes of common fields */
	int	includes_own;	/* hits caused by this process count */
	int	with_processes;	/* samples go to the ring of process records, so that a loss there
				 * affects both */
	int	never_own;	/* this process cannot cause such hits: no filter is needed */
};
/*
 * Of events that sample every hit: how many hits there were without a sample. Each event's own,
 * though the rings are shared.
 */
u64 perf_tally_lost(const struct perf_tally *tally);
/*
 * How many of these had room: the kernel counted the hit and wrote no sample. 0 where it does not
 * tell what had no room.
 */
u64 perf_tally_unsampled(const struct perf_tally *tally);

/* Of records of processes, which are no hits. */
extern struct perf_tally perf_process_tally;
/* The number of lost ones, and of all. */
u64 perf_process_lost(u64 *all);

/* One perf event on one CPU, of one thread or of all. */
struct perf_source {
	struct perf_source	*next, *next_id;
	struct perf_ring ring;		/* page is NULL if records go to another source's ring,
					 * or if it only counts */
	hit_fn		*hit;		/* NULL: only process records */
	const void	*row;
	struct perf_tally *tally;
	s32		tid;		/* -1: all */
	int		cpu;
	int		alone;			/* all samples in its ring are its own */
	u64		id;		/* id in its records */
	u64		sample_type, regs;	/* regs: user registers in samples, by perf's
						 * numbers */
	/* Its accounting: */
	u64		period;			/* 0: recorded in each sample, or count only */
	u64		counted;		/* as of the last read */
	u64		since;			/* its count when the period was set; for process
						 * records, its time enabled, ns */
	u64		exited;			/* the part of its count from exited threads that
						 * inherited it */
	u64		expected;		/* expected samples up to `counted` */
	u64		taken, lost, covered;	/* read; lost in the ring that it owns; the sum
						 * of periods of those read */
	u64		idle, idle_since;	/* of those read, samples of its CPU's idle task;
						 * the CPU's idle time at opening, ns */
	int		clock;			/* it samples the time of its CPU, idle or not */
	int		reports_lost;		/* perf_source_lost() is supported */
	/* For a ring's owner (loss.h): */
	const struct perf_source *owner;		/* owner of the ring that its records go
							 * to; NULL: none */
	int		joins;			/* a loss here may affect one end of a call */
	u64		reported;		/* lost records, by the kernel's lost records */
	u64		last;			/* time of the last record */
	int		pending;		/* the ring may have been full: the event count
						 * then, and the time of that */
	u64		pending_count, pending_at;
	u64		inferred, inferred_at;	/* lost ones without a record so far, and the end
						 * of their loss */
};

struct perf_source *perf_source_first(void);
/* Adds an open source at the front; it is freed when it is closed. */
void perf_source_add(struct perf_source *s);
/* The source of a record, by its id; NULL: closed already. */
struct perf_source *perf_source_of(u64 id);
/* Its count. 0, or -1: not counted. */
int perf_source_count(const struct perf_source *s, u64 *count);
/* A thread that inherited the event exited with that count. */
void perf_source_exited(struct perf_source *s, u64 count);
/*
 * The number of its records that had no room in a ring. 0, or -1: the kernel does not report it
 * (before 6.0, and for members of a group).
 */
int perf_source_lost(const struct perf_source *s, u64 *lost);
/*
 * Gives the events of a row new random periods, whose mean is `period`. Returns the number of
 * events.
 */
struct vary;
u32 perf_source_vary(const void *row, u64 period, struct vary *random);
/* Stops or resumes counting events. */
void perf_source_switch(int on);
/* All rings have been read to the end: adds counts and expected samples to the tallies. */
void perf_source_settle(void);
/* Disables all events; samples in the rings can still be read. */
void perf_source_pause(void);
/* Closes those of hit; NULL: all. */
void perf_source_close(hit_fn *hit);
/* Closes the events of a CPU that went offline. */
void perf_source_close_cpu(int cpu);

#endif
