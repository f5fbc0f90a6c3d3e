/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *   timer.s(N)  timer.ms(N)  timer.us(N)  timer.ns(N)  timer.hz(N)	every N, on one CPU
 *   timer.sec .msec .usec .nsec					the same under other names
 *   ... .randomize(M)							plus or minus up to M, uniform
 *   timer.jiffies(N)							every N ticks of the kernel
 *
 * Needs no debug information. Context: registers of the interrupted code.
 */
#include "translator/families/family.h"
#include "translator/families/shared.h"
#include "translator/program/program.h"

enum tag { PERIOD, HERTZ, JIFFIES };

#define UNIT(name, ns)	{ "timer." name "(n)", PERIOD, ns }, { "timer." name "(n).randomize(n)", PERIOD, ns }

static const struct family_pattern patterns[] = {
	UNIT("s", 1000000000), UNIT("sec", 1000000000), UNIT("ms", 1000000), UNIT("msec", 1000000),
	UNIT("us", 1000), UNIT("usec", 1000), UNIT("ns", 1), UNIT("nsec", 1),
	{ "timer.hz(n)", HERTZ, 0 },
	{ "timer.jiffies(n)", JIFFIES, 0 }, { "timer.jiffies(n).randomize(n)", JIFFIES, 0 },
	{ 0 },
};

#define SHORTEST_NS	100000LL		/* as in SystemTap: 100 us ... 24 h */
#define LONGEST_NS	(86400LL * 1000000000)

static int bad(struct family_call *call, const struct point_comp *comp, const char *format,
	       long long a, long long b)
{
	char *text = g_strdup_printf(format, a, b);

	diag(call->diag, &comp->arg_loc, D_POINT_VALUE, text);
	g_free(text);
	return -1;
}

static int fill_period(struct family_call *call, struct rt_timer *row)
{
	const struct point_comp *period = &call->point->comps[1];
	gint64 unit = call->pattern->scale, low = MAX(SHORTEST_NS / unit, 1),
	       high = LONGEST_NS / unit;

	if (period->number < low || period->number > high)
		return bad(call, period, "interval value out of range (%lld, %lld)", low, high);
	row->period_ns = period->number * unit;
	if (call->point->ncomps > 2) {
		if (period[1].number < 0 || period[1].number > period->number)
			return bad(call, &period[1],
				   "randomization value out of range (%lld, %lld)", 0,
				   period->number);
		row->random_ns = period[1].number * unit;
	}
	return 0;
}

static int fill(struct family_call *call, struct rt_timer *row)
{
	const struct point_comp *period = &call->point->comps[1];

	if (call->pattern->tag == PERIOD)
		return fill_period(call, row);
	if (call->pattern->tag == HERTZ) {
		if (period->number < 1 || period->number > 1000000000 / SHORTEST_NS)
			return bad(call, period, "frequency out of range (%lld, %lld)", 1,
				   1000000000 / SHORTEST_NS);
		row->period_ns = 1000000000 / period->number;
		return 0;
	}
	if (period->number < 1 || period->number > 1000000)
		return bad(call, period, "invalid interval for jiffies timer (%lld, %lld)", 1,
			   1000000);
	row->jiffies = period->number;
	if (call->point->ncomps > 2) {
		if (period[1].number < 0 || period[1].number > period->number)
			return bad(call, &period[1],
				   "randomization value out of range (%lld, %lld)", 0,
				   period->number);
		row->random_jiffies = period[1].number;
	}
	return 0;
}

static void resolve(struct family_call *call)
{
	struct rt_timer *row = call->alloc(call, sizeof(*row));

	if (!fill(call, row))
		family_add(call, row);
}

static void emit_row(GString *out, const struct probe *probe)
{
	const struct rt_timer *row = probe->row;

	g_string_append_printf(out, "{ &probes[%u]", probe->index);
	if (row->period_ns)
		g_string_append_printf(out, ", .period_ns = %llu", row->period_ns);
	if (row->random_ns)
		g_string_append_printf(out, ", .random_ns = %llu", row->random_ns);
	if (row->jiffies)
		g_string_append_printf(out, ", .jiffies = %u", row->jiffies);
	if (row->random_jiffies)
		g_string_append_printf(out, ", .random_jiffies = %u", row->random_jiffies);
	g_string_append(out, " }");
}

const struct family family_timer = {
	.name		= "timer",
	.made_by_us	= 1,
	.patterns	= patterns,
	.resolve	= resolve,
	.unprivileged	= 1,
	.row_type	= "struct rt_timer",
	.emit_row	= emit_row,
	.runtime	= "timer",
};
