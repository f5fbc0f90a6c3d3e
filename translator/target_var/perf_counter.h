/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_counter.h - .startwatch("EVENT") on any probe point, and $pmu[i] in its handler: the i-th
 * event's count, of this thread or, with .system, of this CPU.
 */
#ifndef LAPWING_PERF_COUNTER_H
#define LAPWING_PERF_COUNTER_H

#include "translator/program/program.h"

/* Moves startwatch, virtual and system from a point's components to point->watches. */
void perf_counter_take(struct program *prog, struct probe_point *point);
/* Appends another point's watches. */
void perf_counter_join(struct program *prog, struct probe_point *to,
		       const struct probe_point *more);
/* Sets p->watches to the watched events of a point. Invalid ones are reported. */
void perf_counter_bind(struct program *prog, struct probe *p, const struct probe_point *point,
		       struct diag_sink *diag);
/* Encodes an event for the runtime, with its rate (0: none). 0, or -1 after a message. */
int perf_counter_event(struct program *prog, const char *text, const struct loc *loc,
		       struct rt_event *event, u64 *period, u64 *hertz, struct diag_sink *diag);
/*
 * @perf("NAME") as a call that reads the count of perf.type().config().counter("NAME"); NULL with
 * *why (what it needs; static).
 */
struct ast_node *perf_counter_perf(struct program *prog, const struct ast_node *atop,
				   const char **why);
/* pmu_quality("EVENT") as a call with the event's number; NULL after a message: invalid event. */
struct ast_node *perf_counter_quality(struct program *prog, const struct ast_node *call,
				      struct diag_sink *diag);
/* True for the target $pmu in a probe with startwatches, or that samples a PMU. */
int perf_counter_has(const struct probe *probe, const struct ast_node *target);
/* $pmu[i] as a call, or NULL with *why (static). */
struct ast_node *perf_counter_lower(struct program *prog, const struct probe *probe,
				    const struct ast_node *target, const char **why);
/* True if such a call is an address: $pmu->data_addr, branch[i], branch_to[i]. */
int perf_counter_is_address(const struct ast_node *call);
/* The event that such a call counts; NULL: it is none. */
const char *perf_counter_name(const struct program *prog, const struct ast_node *call);

#endif
