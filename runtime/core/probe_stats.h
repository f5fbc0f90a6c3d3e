/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe_stats.h - the books of probes and globals: how long handlers took (-t), sums over CPUs,
 * what arrays refused.
 */
#ifndef LAPWING_CORE_PROBE_STATS_H
#define LAPWING_CORE_PROBE_STATS_H

#include "runtime/core/core.h"

/*
 * Handlers are timed from probe_stats_time_begin() (process context; 0 or -ENOMEM) until the memory
 * goes.
 */
extern int probe_stats_timing;
int probe_stats_time_begin(void);
void probe_stats_time_end(void);
/*
 * The handler of the hit c took so long. Books and histograms have one writer per part. Any
 * context.
 */
void probe_stats_time(struct wire_account *a, const struct rt_ctx *c, u64 took);
/* Fills a->took_p99 from all parts; a holds the sums. Nothing runs any more. */
void probe_stats_percentile(u32 probe, struct wire_account *a);
/* Fills a->entered from the rest, where each way a hit can go is counted. */
void probe_stats_entered(struct wire_account *a);
/*
 * The calls that ended at their entry, in the probe that keeps values there, are hits of the
 * return's probe: of its books is a.
 */
void probe_stats_serve(struct wire_account *a, const struct wire_account *keeper);
/*
 * Sends a WIRE_GLOBAL_ACCOUNT for each global. Process context, nothing runs any more; NULL:
 * nothing is locked.
 */
void probe_stats_globals(u64 (*lock_timeouts)(const struct rt_global *g));
/*
 * Adds one CPU's books; the sums of squares and times stay at the largest value rather than wrap.
 */
void probe_stats_add(struct wire_account *to, const struct wire_account *from);

#endif
