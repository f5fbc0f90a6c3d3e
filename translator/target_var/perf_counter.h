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
/* Gives to the watches those of another point behind its own. */
void perf_counter_join(struct program *prog, struct probe_point *to, const struct probe_point *more);
/* The events a point watches, as p->watches. Wrong ones are reported. */
void perf_counter_bind(struct program *prog, struct probe *p, const struct probe_point *point, struct diag_sink *diag);
/* The text of an event as the runtime takes it, and the rate it names (0: none); 0, or -1 and reported. */
int perf_counter_event(struct program *prog, const char *text, const struct loc *loc, struct rt_event *event, u64 *period, u64 *hertz,
		struct diag_sink *diag);
/* @perf("NAME") as a call: what perf.type().config().counter("NAME") counts; NULL with *why (what it needs; static). */
struct ast_node *perf_counter_perf(struct program *prog, const struct ast_node *atop, const char **why);
/* pmu_quality("EVENT") as a call that takes the event's number; NULL: it is no event's text, and reported. */
struct ast_node *perf_counter_quality(struct program *prog, const struct ast_node *call, struct diag_sink *diag);
/* Is the target $pmu, in a probe that watches something? */
int perf_counter_has(const struct probe *probe, const struct ast_node *target);
/* $pmu[i] as a call, or NULL with *why (static). */
struct ast_node *perf_counter_lower(struct program *prog, const struct probe *probe, const struct ast_node *target, const char **why);

#endif
