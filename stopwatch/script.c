/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script.c - expands the declarations of parser/ast_make_stopwatch.c to scripts.
 *
 * A stopwatch is a probe at the return of each function, and at the return of an empty one: the
 * same handler reads both, so what it reads for the empty function is its floor. Counters are read
 * within the time; an end probe prints the table. Does not parse, and does not know what a point
 * means beyond its first word.
 */
#include "stopwatch/script.h"

#include "stopwatch/table.h"

#include <glib.h>
#include <string.h>

void words_put(GString *out, const struct words *w, const char *text)
{
	for (; *text; text++) {
		if (*text != '~') {
			g_string_append_c(out, *text);
			continue;
		}
		switch (*++text) {	/* flat switch */
		case 'I': g_string_append(out, w->id); break;
		case 'K': g_string_append(out, w->keys); break;
		case 'N': g_string_append(out, w->names); break;
		case 'S': g_string_append(out, w->shown); break;
		case 'T': g_string_append(out, w->title); break;
		case '0': g_string_append_printf(out, "%u", w->floor); break;
		case '1': g_string_append_printf(out, "%u", w->floor + 1); break;
		case 'R': g_string_append(out, w->statement->by.text[0]); break;
		case 'W': g_string_append_printf(out, "%u", w->number); break;
		}
	}
}

static char *joined(const struct parts *parts)
{
	GString *out = g_string_new(NULL);

	for (unsigned i = 0; i < parts->len; i++)
		g_string_append_printf(out, "%s%s", i ? ", " : "", parts->text[i]);
	return g_string_free(out, FALSE);
}

static char *key_names(unsigned n)
{
	GString *out = g_string_new(NULL);

	for (unsigned i = 0; i < n; i++)
		g_string_append_printf(out, "%s__k%u", i ? ", " : "", i);
	return g_string_free(out, FALSE);
}

/* The keys are by[first ...], or the default if there are none. */
static void set_keys(struct words *w, unsigned first, struct parts otherwise, const char *title)
{
	const struct parts *by = &w->statement->by;

	w->by = otherwise;
	w->is_default = by->len <= first;
	if (!w->is_default)
		w->by.len = 0;
	for (unsigned i = first; i < by->len; i++)
		w->by.text[w->by.len++] = by->text[i];
	w->keys = joined(&w->by);
	w->names = key_names(w->by.len);
	w->shown = g_strdup_printf(w->by.len > 1 ? "sprintd(\" \", %s)" : "sprint(%s)", w->names);
	w->title = w->is_default ? g_strdup(title) : g_strescape(w->keys, NULL);
}

static void clear_keys(struct words *w)
{
	g_free(w->keys);
	g_free(w->names);
	g_free(w->shown);
	g_free(w->title);
}

/* ---- stopwatch: probes ---------------------------------------------------------------*/

char *event_name(const char *text)
{
	char *name = g_strdup(*text == '"' ? text + 1 : text);

	name[strcspn(name, "\"")] = 0;
	return name;
}

/* A row has percentiles and takes 17 kB, which the kernel runtime allocates before the run. */
#define ROWS	"512"

char *watches_text(const struct parts *events, const char *first)
{
	GString *out = g_string_new(first);

	for (unsigned i = 0; i < events->len; i++) {
		char *name = event_name(events->text[i]);

		g_string_append_printf(out, ".startwatch(\"%s\")", name);
		g_free(name);
	}
	return g_string_free(out, FALSE);
}

static int is_of_program(const char *point)
{
	return g_str_has_prefix(point, "process");
}

static void cut_ending(char *point, const char *ending)
{
	if (g_str_has_suffix(point, ending))
		point[strlen(point) - strlen(ending)] = 0;
}

/* Optional points stay optional. */
void points_put(GString *out, const struct parts *points, int of_program, const char *ending,
		const char *watches)
{
	for (unsigned i = 0; i < points->len; i++) {
		char *point = g_strdup(points->text[i]), mark[2] = { 0 };
		size_t len = strlen(point);

		if (len && strchr("?!", point[len - 1])) {
			mark[0] = point[len - 1];
			point[len - 1] = 0;
		}
		g_strchomp(point);
		cut_ending(point, ".return");
		cut_ending(point, ".call");
		if (is_of_program(point) == of_program)
			g_string_append_printf(out, "%s%s%s%s,\n      ", point, ending, watches,
					       mark);
		g_free(point);
	}
}

static int is_time(const char *event)
{
	return strstr(event, "task-clock") || strstr(event, "cpu-clock");
}

/*
 * Counts a row's calls that the kernel reached slowly, and those whose return was probed by
 * instructions.
 */
static void put_ways(GString *out, const struct words *w)
{
	words_put(
		out, w,
		"		if (__is_slow(~W)) __slow_~I[~K] <<< 1\n		if (__instructions(~W)) __instructions_~I[~K] <<< 1\n");
}

static void put_readings(GString *out, const struct words *w)
{
	unsigned n = w->statement->events.len;

	g_string_append(out, "{\n	__ns = @entry(ktime_get_ns())\n	__cpu = @entry($pmu[0])\n");
	for (unsigned i = 0; i < n; i++)
		g_string_append_printf(out, "	__e%u = @entry($pmu[%u])\n", i, i + 1);
	for (unsigned i = n; i--; )
		g_string_append_printf(out, "	__e%u = $pmu[%u] - __e%u\n", i, i + 1, i);
	words_put(
		out, w,
		"	__cpu = $pmu[0] - __cpu\n	__ns = ktime_get_ns() - __ns\n"
		"	if (__calibrating(~W)) {\n		__floor_take(~0, __ns)\n		__floor_take(~1, __cpu)\n");
	for (unsigned i = 0; i < n; i++)
		g_string_append_printf(out, "		__floor_take(%u, __e%u)\n",
				       w->floor + 2 + i, i);
	words_put(
		out, w,
		"	} else {\n		__ns_~I[~K] <<< __ns\n		__mixed = __mixed(~W)\n"
		"		if (!(__mixed & 1)) __cpu_~I[~K] <<< __cpu\n");
	for (unsigned i = 0; i < n; i++) {
		g_string_append_printf(out, "		if (!(__mixed & %d)) __e%u",
				       is_time(w->statement->events.text[i]) ? 1 : 2, i);
		words_put(out, w, "_~I[~K] <<< ");
		g_string_append_printf(out, "__e%u\n", i);
	}
	put_ways(out, w);
	g_string_append(out, "	}\n}\n");
}

static void put_calls(GString *out, const struct words *w, int of_program)
{
	char *watches = watches_text(&w->statement->events, ".startwatch(\"task-clock\")");

	words_put(out, w, "global __cpu_~I?[" ROWS "]\n");
	for (unsigned i = 0; i < w->statement->events.len; i++) {
		g_string_append_printf(out, "global __e%u", i);
		words_put(out, w, "_~I?[" ROWS "]\n");
	}
	g_string_append(out, "probe ");
	points_put(out, &w->statement->points, of_program, ".return", watches);
	g_string_append_printf(out, "%s.calibration.return%s?\n", of_program ? "process" : "kernel",
			       watches);
	g_free(watches);
	put_readings(out, w);
	words_put(
		out, w,
		"probe end {\n	__in_flight = __calls_in_flight(~W)\n	__missed = __calls_missed(~W)\n"
		"	__left = __calls_left(~W)\n	__entered = __calls_entered(~W)\n");
}

/* ---- stopwatch from one point to another --------------------------------------------*/

static int is_return(const struct parts *points)
{
	return g_str_has_suffix(points->text[0], ".return");
}

/*
 * The same points at empty functions. If both points are of one kind, the floor is the time from
 * one hit to the next, if nothing else is hit in between.
 */
static void put_pair_floor(GString *out, const struct words *w)
{
	const struct statement *s = w->statement;
	const char *of = is_of_program(s->ends.text[0]) ? "process" : "kernel";
	int starts = is_return(&s->points), ends = is_return(&s->ends);

	if (starts != ends) {
		g_string_append_printf(out, "probe %s.calibration%s? {\n", of,
				       starts ? ".return" : "");
		words_put(
			out, w,
			"	__empty_~I = __is_slow(~W) + 2 * __instructions(~W) + 1\n	__since_~I[~R] = ktime_get_ns()\n}\n");
	}
	g_string_append_printf(out, "probe %s.calibration%s? {\n", of, ends ? ".return" : "");
	words_put(
		out, w,
		"	__ns = ktime_get_ns()\n	if (__empty_~I == __is_slow(~W) + 2 * __instructions(~W) + 1) {\n"
		"		__floor_take(~0, __ns - __since_~I[~R])\n		__empty_~I = 0\n	}");
	words_put(
		out, w,
		starts != ends
			? "\n}\n"
			: " else {\n		__empty_~I = __is_slow(~W) + 2 * __instructions(~W) + 1\n"
			  "		__since_~I[~R] = ktime_get_ns()\n	}\n}\n");
}

static void put_list(GString *out, const struct parts *points)
{
	char *text = joined(points);

	g_string_append(out, text);
	g_free(text);
}

static void put_pairs(GString *out, const struct words *w)
{
	words_put(
		out, w,
		"global __at_~I%[8192], __since_~I[1], __empty_~I, __begun_~I, __strays_~I, __unsure_~I, __ended_~I\n"
		"probe ");
	put_list(out, &w->statement->points);
	words_put(out, w, " {\n	__begun_~I <<< 1\n	__at_~I[~R] = ktime_get_ns()\n}\nprobe ");
	put_list(out, &w->statement->ends);
	words_put(
		out, w,
		" {\n	__ns = ktime_get_ns()\n	__from = __at_~I[~R]\n	delete __at_~I[~R]\n	if (!__from)\n"
		"		__strays_~I <<< 1\n	else if (__lost_since(__from))	/* it may be of another one */\n"
		"		__unsure_~I <<< 1\n	else {\n		__ended_~I <<< 1\n		__ns_~I[~K] <<< __ns - __from\n");
	put_ways(out, w);
	g_string_append(out, "	}\n}\n");
	put_pair_floor(out, w);
	words_put(out, w,
		  "probe end {\n	__missed = @count(__strays_~I) + @count(__unsure_~I)\n"
		  "	__entered = @count(__begun_~I) + @count(__strays_~I)\n"
		  "	__in_flight = 0\n	foreach (__r in __at_~I) __in_flight++\n"
		  "	__left = __entered - __missed - __in_flight - @count(__ended_~I)\n");
}

char *stopwatch_text(const struct statement *s, int of_program, unsigned number, unsigned floor)
{
	char *id = g_strdup_printf("%u", number);
	struct words w = { .statement = s, .id = id, .floor = floor, .number = number };
	GString *out = g_string_new(NULL);

	set_keys(&w, s->ends.len ? 1 : 0, (struct parts){ 1, { "ppfunc()" } }, "function");
	words_put(out, &w,
		  "global __ns_~I?[" ROWS "], __slow_~I?[" ROWS "], __instructions_~I?[" ROWS
		  "], __shown_~I[" ROWS "]\n");
	if (s->ends.len)
		put_pairs(out, &w);
	else
		put_calls(out, &w, of_program);
	stopwatch_table(out, &w);
	g_string_append(out, "}\n");
	clear_keys(&w);
	g_free(id);
	return g_string_free(out, FALSE);
}

int stopwatch_has(const struct statement *s, int of_program)
{
	const struct parts *deciding = s->ends.len ? &s->ends : &s->points;

	for (unsigned i = 0; i < (s->ends.len ? 1 : deciding->len); i++)
		if (is_of_program(deciding->text[i]) == of_program)
			return 1;
	return 0;
}

/* ---- profile -----------------------------------------------------------------------*/

/* A clock rate becomes timer.profile, which knows the expected number of samples. */
static void put_sampler(GString *out, const char *event)
{
	static const char clock[] = "\"cpu-clock:freq=";
	const char *hertz = event && g_str_has_prefix(event, clock) ? event + strlen(clock) : "";
	int digits = (int)strspn(hertz, "0123456789");

	if (digits && !strcmp(hertz + digits, "\""))
		g_string_append_printf(out, "timer.profile.freq.hz(%.*s)", digits, hertz);
	else
		g_string_append_printf(out, event ? "pmu.profile(%s)" : "timer.profile", event);
}

char *profile_text(const struct statement *s, const char *id)
{
	struct words w = { .statement = s, .id = id };
	GString *out = g_string_new(NULL);

	set_keys(&w, 0,
		 (struct parts){
			 2, { "execname()", "user_mode() ? usymname(uaddr()) : symname(addr())" } },
		 NULL);
	words_put(out, &w, "global __n_~I?[8192], __all_~I\nprobe ");
	put_sampler(out, s->event);
	words_put(
		out, &w,
		" {\n	__n_~I[~K]++\n	__all_~I++\n}\n"
		"probe end {\n	__rest = __all_~I\n");
	profile_table(out, &w);
	g_string_append(out, "}\n");
	clear_keys(&w);
	return g_string_free(out, FALSE);
}
