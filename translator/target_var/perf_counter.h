/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_counter.h - .startwatch("EVENT") on any probe point, and $pmu[i] in its handler: the i-th
 * event's count, of this thread or, .system, CPU.
 */
#ifndef LAPWING_PERF_COUNTER_H
#define LAPWING_PERF_COUNTER_H

#include "translator/program/program.h"

/* Takes startwatch, virtual and system out of a point's components: point->watches. */
void perf_counter_take(struct program *prog, struct probe_point *point);
/* Appends another point's watches. */
void perf_counter_join(struct program *prog, struct probe_point *to,
		       const struct probe_point *more);
/* The watched events of a point, as p->watches. Invalid ones are reported. */
void perf_counter_bind(struct program *prog, struct probe *p, const struct probe_point *point,
		       struct diag_sink *diag);
/* Parses an event into the runtime's form, and its rate (0: none); 0, or -1 and reported. */
int perf_counter_event(struct program *prog, const char *text, const struct loc *loc,
		       struct rt_event *event, u64 *period, u64 *hertz, struct diag_sink *diag);
/*
 * @perf("NAME") as a call: what perf.type().config().counter("NAME") counts; NULL with *why (what
 * it needs; static).
 */
struct ast_node *perf_counter_perf(struct program *prog, const struct ast_node *atop,
				   const char **why);
/* pmu_quality("EVENT") as a call with the event's number; NULL: not a valid event, and reported. */
struct ast_node *perf_counter_quality(struct program *prog, const struct ast_node *call,
				      struct diag_sink *diag);
/* True for the target $pmu in a probe with startwatches. */
int perf_counter_has(const struct probe *probe, const struct ast_node *target);
/* $pmu[i] as a call, or NULL with *why (static). */
struct ast_node *perf_counter_lower(struct program *prog, const struct probe *probe,
				    const struct ast_node *target, const char **why);

#endif
