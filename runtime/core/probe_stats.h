/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe_stats.h - the books of probes and globals: times of handlers (-t), sums over CPUs, rows
 * that arrays refused.
 */
#ifndef LAPWING_CORE_PROBE_STATS_H
#define LAPWING_CORE_PROBE_STATS_H

#include "runtime/core/core.h"

/*
 * Handlers are timed from probe_stats_time_begin() (process context; 0 or -ENOMEM) until
 * probe_stats_time_end().
 */
extern int probe_stats_timing;
int probe_stats_time_begin(void);
void probe_stats_time_end(void);
/*
 * Books the time of the handler of hit c. Books and histograms have one writer per part. Any
 * context.
 */
void probe_stats_time(struct wire_account *a, const struct rt_ctx *c, u64 took);
/* Fills a->took_p99 from all parts; a holds the sums. Nothing runs any more. */
void probe_stats_percentile(u32 probe, struct wire_account *a);
/* Fills a->entered from the other counts, which cover every outcome of a hit. */
void probe_stats_entered(struct wire_account *a);
/*
 * Calls that ended in the keeper, at their entry, are hits of the return's probe: adds them to its
 * books a.
 */
void probe_stats_serve(struct wire_account *a, const struct wire_account *keeper);
/*
 * Sends a WIRE_GLOBAL_ACCOUNT for each global. Process context, nothing runs any more;
 * lock_timeouts NULL: there are no locks.
 */
void probe_stats_globals(u64 (*lock_timeouts)(const struct rt_global *g));
/* Adds one CPU's books; the sums of squares and times saturate instead of wrapping. */
void probe_stats_add(struct wire_account *to, const struct wire_account *from);

#endif
