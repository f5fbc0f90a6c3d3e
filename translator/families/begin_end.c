/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *   begin  begin(N)  end  end(N)  error  error(N)	once, at the start or the end, lower N first, then script order
 *   never						compiled and checked, never run
 *
 * Needs no debug information. Context: none; process context, may print at length.
 */
#include "translator/families/family.h"
#include "translator/program/program.h"

static const struct family_pattern patterns[] = {
	{ "begin", RT_BEGIN, 0 }, { "begin(n)", RT_BEGIN, 0 },
	{ "end", RT_END, 0 }, { "end(n)", RT_END, 0 },
	{ "error", RT_ERROR, 0 }, { "error(n)", RT_ERROR, 0 },
	{ 0 },
};

static void resolve(struct family_call *call)
{
	gint64 *priority = call->alloc(call, sizeof(*priority));
	char *point = point_string(call->point);
	struct family_probe probe = { .point = point,
				      .phase = call->pattern->tag,
				      .row = priority };

	*priority = call->point->comps[0].number;
	call->add(call, &probe);
	g_free(point);
}

static void emit_row(GString *out, const struct probe *probe)
{
	gint64 n = *(const gint64 *)probe->row;

	if (n == G_MININT64)
		g_string_append_printf(out, "{ &probes[%u], -9223372036854775807LL - 1 }",
				       probe->index);
	else
		g_string_append_printf(out, "{ &probes[%u], %lld }", probe->index, (long long)n);
}

static int compare(const struct probe *a, const struct probe *b)
{
	gint64 p = *(const gint64 *)a->row, q = *(const gint64 *)b->row;

	return (p > q) - (p < q);
}

const struct family family_begin_end = {
	.name		= "begin_end",
	.patterns	= patterns,
	.resolve	= resolve,
	.unprivileged	= 1,
	.row_type	= "struct rt_begin_end",
	.emit_row	= emit_row,
	.compare	= compare,
	.runtime	= "begin_end",
};

static const struct family_pattern never_patterns[] = { { "never", 0, 0 }, { 0 } };

static void resolve_never(struct family_call *call)
{
	struct family_probe probe = { .point = "never", .phase = RT_RUNNING };

	call->add(call, &probe);
}

const struct family family_never = {
	.name		= "never",
	.patterns	= never_patterns,
	.resolve	= resolve_never,
	.unprivileged	= 1,
};
