/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * enter.h - the one way from a hit to its handler, and the books of hits that do not come so far.
 */
#ifndef LAPWING_USER_ENTER_H
#define LAPWING_USER_ENTER_H

#include "runtime/user/events/hit.h"

/* A hit of p: runs its handler, if the run wants it. */
void enter_probe(const struct rt_probe *p, struct hit *hit);
/* So many hits of p were lost on their way here. */
void enter_missed(const struct rt_probe *p, u64 n);
/* So many hits of p were counted, and the kernel made no samples of them. */
void enter_unsampled(const struct rt_probe *p, u64 n);
/* The hits of p whose samples did not come, all its sources being closed. */
struct perf_tally;
void enter_tally(const struct rt_probe *p, const struct perf_tally *tally);
/* A call whose return will not be seen. */
void enter_no_slot(const struct rt_probe *p);
/* Is it a handler of a begin, end or error probe, which runs at its hit? */
int enter_is_phase(const struct rt_ctx *c);
/* A hit of p while sampling is off, or all is. */
void enter_off(const struct rt_probe *p);
/* Calls that had begun and were not over at the end. */
void enter_in_flight(const struct rt_probe *p, u64 n);
/* A return of a call whose entry's handler failed; one whose entry is not known to be its own. */
void enter_failed(const struct rt_probe *p, const struct hit *hit);
void enter_unproven(const struct rt_probe *p, const struct hit *hit);
/*
 * Runs the handler, and keeps its books. 1: it ended by an error, which is not counted. For hits
 * that the run wants (enter_probe()), and for probes that have none (begin_end.h).
 */
int enter_run(const struct rt_probe *p, struct hit *hit);
extern struct rt_ctx enter_ctx;

#endif
