/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *   timer.profile  timer.profile.tick	every tick, on every CPU
 *   timer.profile.freq.hz(N)		N times a second, on every CPU
 *   kernel.time_ms(N)			every N ms, on every CPU
 *
 * Needs no debug information. Context: registers of the interrupted code.
 */
#include "translator/families/family.h"
#include "translator/families/shared.h"
#include "translator/program/program.h"

enum tag { TICK, HERTZ, MILLISECONDS };

static const struct family_pattern patterns[] = {
	{ "timer.profile", TICK, 0 },
	{ "timer.profile.tick", TICK, 0 },
	{ "timer.profile.freq.hz(n)", HERTZ, 0 },
	{ "kernel.time_ms(n)", MILLISECONDS, 0 },
	{ 0 },
};

static void resolve(struct family_call *call)
{
	struct rt_profile *row = call->alloc(call, sizeof(*row));
	const struct point_comp *last = &call->point->comps[call->point->ncomps - 1];
	int tag = call->pattern->tag;

	if (tag != TICK && (last->number < 1 || last->number > 10000)) {
		diag(call->diag, &last->arg_loc, D_POINT_VALUE,
		     tag == HERTZ ? "frequency out of range (1, 10000)"
				  : "interval value out of range (1, 10000)");
	} else {
		row->period_ns = tag == HERTZ          ? 1000000000 / last->number
				 : tag == MILLISECONDS ? 1000000 * last->number
				 : 0;
		family_add(call, row);
	}
}

static void emit_row(GString *out, const struct probe *probe)
{
	const struct rt_profile *row = probe->row;

	g_string_append_printf(out, "{ &probes[%u], .period_ns = %llu }", probe->index,
			       row->period_ns);
}

const struct family family_profile = {
	.name		= "profile",
	.patterns	= patterns,
	.resolve	= resolve,
	.row_type	= "struct rt_profile",
	.emit_row	= emit_row,
	.runtime	= "profile",
};
