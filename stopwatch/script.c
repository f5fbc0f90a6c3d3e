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

/*
 * A point without what a stopwatch sets itself; *mark: "?" or "!", or "". Caller frees. fork.return
 * would be the child's, too.
 */
static char *bare_point(const char *text, char mark[2])
{
	char *point = g_strdup(text);
	size_t len = strlen(point);

	mark[0] = mark[1] = 0;
	if (len && strchr("?!", point[len - 1])) {
		mark[0] = point[len - 1];
		point[len - 1] = 0;
	}
	g_strchomp(point);
	cut_ending(point, ".return");
	cut_ending(point, ".call");
	if (!strcmp(point, "fork")) {
		g_free(point);
		point = g_strdup("fork.parent");
	}
	return point;
}

/* Optional points stay optional. */
void points_put(GString *out, const struct parts *points, int of_program, const char *ending,
		const char *watches)
{
	for (unsigned i = 0; i < points->len; i++) {
		char mark[2], *point = bare_point(points->text[i], mark);

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

/* A reading becomes a part of its row; counts that are mixed with another thread's do not. */
static void put_row(GString *out, const struct words *w)
{
	words_put(out, w,
		  "		__ns_~I[~K] <<< __ns\n		__mixed = __mixed(~W)\n"
		  "		if (!(__mixed & 1)) __cpu_~I[~K] <<< __cpu\n");
	for (unsigned i = 0; i < w->statement->events.len; i++) {
		g_string_append_printf(out, "		if (!(__mixed & %d)) __e%u",
				       is_time(w->statement->events.text[i]) ? 1 : 2, i);
		words_put(out, w, "_~I[~K] <<< ");
		g_string_append_printf(out, "__e%u\n", i);
	}
	put_ways(out, w);
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
	g_string_append(out, "	} else {\n");
	put_row(out, w);
	g_string_append(out, "	}\n}\n");
}

static void put_globals(GString *out, const struct words *w)
{
	words_put(out, w, "global __cpu_~I?[" ROWS "]\n");
	for (unsigned i = 0; i < w->statement->events.len; i++) {
		g_string_append_printf(out, "global __e%u", i);
		words_put(out, w, "_~I?[" ROWS "]\n");
	}
}

static void put_calls(GString *out, const struct words *w, int of_program)
{
	char *watches = watches_text(&w->statement->events, ".startwatch(\"task-clock\")");

	put_globals(out, w);
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

/*
 * strays: what happens at an end without a beginning, whose call was missed; but a thread's system
 * call began before the run, or in the thread that started it, if no hit was lost.
 */
static void put_pairs(GString *out, const struct words *w, const char *strays)
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
		" {\n	__ns = ktime_get_ns()\n	__from = __at_~I[~R]\n	delete __at_~I[~R]\n	if (!__from) {\n");
	words_put(out, w, strays);
	words_put(
		out, w,
		"	} else if (__lost_since(__from))	/* it may be of another one */\n"
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

/* ---- system calls --------------------------------------------------------------------*/

static int has_system_call(const struct parts *points)
{
	for (unsigned i = 0; i < points->len; i++)
		if (g_regex_match_simple("^(fork|syscall)\\b", points->text[i], 0, 0))
			return 1;
	return 0;
}

/*
 * The user runtime has no functions of system calls, but events of where they begin and end: a time
 * from one to the other, in a thread. Counts of it would not be of that thread alone.
 */
static void put_events(GString *out, const struct words *w)
{
	struct statement pairs = *w->statement;
	struct words of_pairs = *w;
	char mark[2], *point;

	pairs.by = (struct parts){ 1, { "tid()" } };
	pairs.ends.len = pairs.points.len;
	for (unsigned i = 0; i < pairs.points.len; i++) {
		point = bare_point(w->statement->points.text[i], mark);
		pairs.points.text[i] = g_strdup_printf("%s %s", point, mark);
		pairs.ends.text[i] = g_strdup_printf("%s.return %s", point, mark);
		g_free(point);
	}
	of_pairs.statement = &pairs;
	put_globals(out, w);
	put_pairs(out, &of_pairs, "		if (__lost_since(1)) __strays_~I <<< 1\n");
	stopwatch_table(out, &of_pairs);
	g_string_append(out, "}\n");
	for (unsigned i = 0; i < pairs.points.len; i++) {
		g_free((char *)pairs.points.text[i]);
		g_free((char *)pairs.ends.text[i]);
	}
}

/* ---- children ------------------------------------------------------------------------*/

/* The points are of a call that starts threads: `call`, or, if that is NULL, all of them. */
static int is_fork(const struct parts *points, const char *call)
{
	char *pattern = call ? g_strdup_printf("(^syscall\\.|sys_)%s(\\W|$)", call)
			     : g_strdup("^fork\\b|\"(kernel_clone|_do_fork)\"");
	int is = 0;

	for (unsigned i = 0; i < points->len && !is; i++)
		is = g_regex_match_simple(pattern, points->text[i], 0, 0);
	g_free(pattern);
	return is;
}

/* "__name == "clone" || ...": the calls whose children have rows. Caller frees. */
static char *children_of(const struct parts *points)
{
	static const char *const calls[] = { "clone", "clone3", "fork", "vfork" };
	GString *text = g_string_new(is_fork(points, NULL) ? "__name != \"\"" : NULL);

	for (unsigned i = 0; i < G_N_ELEMENTS(calls) && !is_fork(points, NULL); i++)
		if (is_fork(points, calls[i]))
			g_string_append_printf(text, "%s__name == \"%s\"", text->len ? " || " : "",
					       calls[i]);
	return g_string_free(text, FALSE);
}

/*
 * From when a child was made to where it returns from the call (tapsets/fork.stp). A
 * thread is counted from the first time that its counts are asked for, which would be here: there
 * are none. No call that makes nothing could be timed: there is no floor.
 */
static void put_children(GString *out, const struct words *w)
{
	char *children = children_of(&w->statement->points);

	put_globals(out, w);
	words_put(out, w, "global __timed_~I\nprobe __fork.child {\n	__ns = __hit_ns()\n");
	g_string_append_printf(out, "	__name = __fork_name()\n	if (%s) {\n		__ns -= __fork_ns()\n",
			       children);
	words_put(out, w, "		__timed_~I <<< 1\n		__ns_~I[~K] <<< __ns\n");
	put_ways(out, w);
	words_put(out, w,
		  "	}\n}\nprobe end {\n	__in_flight = __left = 0\n"
		  "	__missed = __calls_missed(~W)\n	__entered = @count(__timed_~I) + __missed\n");
	g_free(children);
}

/* Variables of the call are not the child's. */
static int has_variable(const struct parts *by)
{
	for (unsigned i = 0; i < by->len; i++)
		if (strpbrk(by->text[i], "$@"))
			return 1;
	return 0;
}

int stopwatch_has(const struct statement *s, enum stopwatch_part part)
{
	const struct parts *deciding = s->ends.len ? &s->ends : &s->points;
	char *children;
	int has = 0;

	if (part == PART_CHILDREN) {
		children = s->ends.len ? NULL : children_of(&s->points);
		has = children && *children;
		g_free(children);
		return has;
	}
	for (unsigned i = 0; i < (s->ends.len ? 1 : deciding->len) && !has; i++)
		has = is_of_program(deciding->text[i]) == (part == PART_PROGRAMS);
	return has;
}

char *stopwatch_text(const struct statement *s, enum stopwatch_part part, unsigned number,
		     unsigned floor)
{
	int has_events = part == PART_OTHERS && !s->ends.len && has_system_call(&s->points);
	char *id = g_strdup_printf("%u", number);
	struct words w = { .statement = s, .id = id, .floor = floor, .number = number };
	GString *out = g_string_new(NULL);

	if (part == PART_CHILDREN)
		set_keys(&w, has_variable(&s->by) ? s->by.len : 0, (struct parts){ 1, { "__name" } },
			 "child of");
	else
		set_keys(&w, s->ends.len ? 1 : 0, (struct parts){ 1, { "ppfunc()" } }, "function");
	words_put(out, &w,
		  "global __ns_~I?[" ROWS "], __slow_~I?[" ROWS "], __instructions_~I?[" ROWS
		  "], __shown_~I[" ROWS "]\n");
	if (has_events) {
		g_string_append(out, "%( runtime == \"user\" %?\n");
		put_events(out, &w);
		g_string_append(out, "%:\n");
	}
	if (s->ends.len)
		put_pairs(out, &w, "		__strays_~I <<< 1\n");
	else if (part == PART_CHILDREN)
		put_children(out, &w);
	else
		put_calls(out, &w, part == PART_PROGRAMS);
	stopwatch_table(out, &w);
	g_string_append(out, has_events ? "}\n%)\n" : "}\n");
	clear_keys(&w);
	g_free(id);
	return g_string_free(out, FALSE);
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
