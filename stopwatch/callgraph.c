/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * callgraph.c - expands a callgraph declaration to a script: probes at the entries and the returns
 * of its functions, and at those of empty functions, whose handlers call tapsets/arcs.stp.
 */
#include "stopwatch/callgraph.h"

#include "stopwatch/script.h"

static unsigned counts_of(const struct words *w)
{
	return w->statement->events.len;
}

/* In reverse order: the first value that a handler reads is the last one that it finishes with. */
static void put_end(GString *out, const struct words *w)
{
	for (unsigned i = counts_of(w); i; i--)
		g_string_append_printf(out, "	__arc_go(%u, $pmu[%u])\n", i, i - 1);
	g_string_append(out, "	__arc_go(0, ktime_get_ns())\n}\n");
}

/* The time is that before the handler waits for others' handlers; events are read after it. */
static void put_begin(GString *out, const struct words *w)
{
	g_string_append(out, "	__v0 = __hit_ns()\n");
	for (unsigned i = 0; i < counts_of(w); i++)
		g_string_append_printf(out, "	__v%u = $pmu[%u]\n", i + 1, i);
	words_put(out, w, "	__way = __is_slow(~W) + 2 * __instructions(~W)\n");
}

static void put_calibration(GString *out, const struct words *w, int is_return)
{
	words_put(out, w, "	if (__calibrating(~W)) {\n");
	for (unsigned i = 0; i <= counts_of(w); i++)
		g_string_append_printf(
			out, "		__arc_calibrate(4 * %u + __way, %d, %u, __v%u, %u)\n",
			w->number, is_return, i, i, w->floor);
	g_string_append_printf(out, "		__arc_calibrated(4 * %u + __way, %d)\n", w->number,
			       is_return);
}

static void put_call(GString *out, const struct words *w, int is_return)
{
	for (unsigned i = 0; i <= counts_of(w); i++)
		if (is_return)
			g_string_append_printf(
				out,
				"		__arc_take(%u, __v%u, __floor(%u, 1, __way & 1, __way >> 1))\n",
				i, i, w->floor + 2 * i);
		else
			g_string_append_printf(out, "		__arc_take(%u, __v%u, 0)\n", i, i);
	if (is_return)
		g_string_append_printf(out, "		__arc_leave(%u, %u, __way)\n", counts_of(w),
				       w->floor);
	else
		g_string_append_printf(out, "		__arc_enter(%u)\n", counts_of(w));
}

static void put_probe(GString *out, const struct words *w, int of_program, int is_return)
{
	const char *of = of_program ? "process" : "kernel", *ending = is_return ? ".return" : "";
	char *watches = watches_text(&w->statement->events, NULL);

	g_string_append(out, "probe ");
	points_put(out, &w->statement->points, of_program, is_return ? ".return" : ".call",
		   watches);
	g_string_append_printf(out, "%s.calibration%s%s? {\n", of, ending, watches);
	g_free(watches);
	put_begin(out, w);
	put_calibration(out, w, is_return);
	g_string_append(out, "	} else {\n");
	put_call(out, w, is_return);
	g_string_append(out, "	}\n");
	put_end(out, w);
}

static void put_print(GString *out, const struct words *w)
{
	g_string_append(out, "probe end {\n");
	for (unsigned i = 0; i < counts_of(w); i++) {
		char *name = event_name(w->statement->events.text[i]),
		     *quoted = g_strescape(name, NULL);

		g_string_append_printf(out, "	__arc_names_of[%u] = \"%s\"\n", i + 1, quoted);
		g_free(quoted);
		g_free(name);
	}
	g_string_append(out, "	arcs_print()\n}\n");
}

/* Returns first: if they are probed by instructions, the entries must know. */
char *callgraph_text(const struct statement *s, int of_program, unsigned number, unsigned floor,
		     int prints)
{
	struct words w = { .statement = s, .floor = floor, .number = number };
	GString *out = g_string_new(NULL);

	put_probe(out, &w, of_program, 1);
	put_probe(out, &w, of_program, 0);
	if (prints)
		put_print(out, &w);
	return g_string_free(out, FALSE);
}
