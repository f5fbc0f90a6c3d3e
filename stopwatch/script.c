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

#include <fnmatch.h>
#include <glib.h>
#include <string.h>

/* Added to a stopwatch's number: of the probes whose hits are its calls' beginnings. */
#define BEGINNINGS	32768

/* The variable that has a count. */
static void put_count(GString *out, unsigned count)
{
	if (count)
		g_string_append_printf(out, "__e%u", count - 1);
	else
		g_string_append(out, "__cpu");
}

/* The count is of time, not of events. */
static int is_time(const struct words *w)
{
	const char *event = w->count ? w->statement->events.text[w->count - 1] : "task-clock";

	return strstr(event, "task-clock") || strstr(event, "cpu-clock");
}

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
		case 'O': g_string_append(out, w->of); break;
		case '0': g_string_append_printf(out, "%u", w->floor); break;
		case '1': g_string_append_printf(out, "%u", w->floor + 1); break;
		case 'R': g_string_append(out, w->statement->by.text[0]); break;
		case 'W': g_string_append_printf(out, "%u", w->number); break;
		case 'B': g_string_append_printf(out, "%u", BEGINNINGS + w->number); break;
		case 'C': put_count(out, w->count); break;
		case 'P': g_string_append_printf(out, "%u", w->count); break;
		case 'F': g_string_append_printf(out, "%u", w->floor + 1 + w->count); break;
		case 'M': g_string_append(out, is_time(w) ? "1" : "2"); break;
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

/* Appends a template for each count. */
static void put_counts(GString *out, const struct words *w, const char *text)
{
	struct words of_count = *w;

	for (of_count.count = 0; of_count.count <= w->statement->events.len; of_count.count++)
		words_put(out, &of_count, text);
}

/*
 * A reading becomes a part of its row; counts that are mixed with another thread's, by __mixed, do
 * not.
 */
static void put_row(GString *out, const struct words *w)
{
	words_put(out, w, "		__ns_~I[~K] <<< __ns\n");
	put_counts(out, w, "		if (!(__mixed & ~M)) ~C_~I[~K] <<< ~C\n");
	put_ways(out, w);
}

/* What is read first at the entry is read last at the return. */
static void put_readings(GString *out, const struct words *w)
{
	struct words of_count = *w;

	g_string_append(out, "{\n	__ns = @entry(ktime_get_ns())\n");
	put_counts(out, w, "	~C = @entry($pmu[~P])\n");
	for (unsigned i = w->statement->events.len + 1; i--; ) {
		of_count.count = i;
		words_put(out, &of_count, "	~C = $pmu[~P] - ~C\n");
	}
	words_put(out, w,
		  "	__ns = ktime_get_ns() - __ns\n"
		  "	if (__calibrating(~W)) {\n		__floor_take(~0, __ns)\n");
	put_counts(out, w, "		__floor_take(~F, ~C)\n");
	words_put(out, w, "	} else {\n		__mixed = __mixed(~W)\n");
	put_row(out, w);
	g_string_append(out, "	}\n}\n");
}

static void put_globals(GString *out, const struct words *w)
{
	put_counts(out, w, "global ~C_~I?[" ROWS "]\n");
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

/* An end without a beginning is of a call that was missed. */
static void put_pair_books(GString *out, const struct words *w)
{
	words_put(out, w,
		  "probe end {\n	__missed = @count(__strays_~I) + @count(__unsure_~I)\n"
		  "	__entered = @count(__begun_~I) + @count(__strays_~I)\n"
		  "	__in_flight = 0\n	foreach (__r in __at_~I) __in_flight++\n"
		  "	__left = __entered - __missed - __in_flight - @count(__ended_~I)\n");
}

/*
 * Of a thread's system calls all that began are known. An end without a beginning is of a call that
 * began before the run, or in the thread that started this one, or whose beginning was lost.
 */
static void put_thread_books(GString *out, const struct words *w)
{
	words_put(out, w,
		  "probe end {\n	__entered = __calls_entered(~B)\n"
		  "	__in_flight = __left = 0\n"
		  "	foreach (__r in __at_~I) __in_flight += !__lost_since(__at_~I[__r])\n"
		  "	__missed = __entered - __in_flight - @count(__ended_~I)\n"
		  "	if (!__calls_missed(~B) && !__calls_missed(~W)) {\n"
		  "		__left = __missed - @count(__unsure_~I)\n"
		  "		__missed -= __left\n	}\n");
}

/* of_thread: the times of a thread's system calls, with its counts. */
static void put_pairs(GString *out, const struct words *w, int of_thread)
{
	words_put(
		out, w,
		"global __at_~I%[8192], __since_~I[1], __empty_~I, __begun_~I, __strays_~I, __unsure_~I, __ended_~I\n"
		"probe ");
	put_list(out, &w->statement->points);
	words_put(out, w, " {\n	__begun_~I <<< 1\n	__at_~I[~R] = ktime_get_ns()\n");
	if (of_thread) {
		words_put(out, w, "	if (__calibrating(~B)) next	/* never: it is in the books */\n");
		put_counts(out, w, "	__at~C_~I[~R] = $pmu[~P]\n");
	}
	g_string_append(out, "}\nprobe ");
	put_list(out, &w->statement->ends);
	words_put(
		out, w,
		" {\n	__ns = ktime_get_ns()\n	__from = __at_~I[~R]\n	delete __at_~I[~R]\n");
	if (of_thread)
		put_counts(out, w,
			   "	~C = $pmu[~P] - __at~C_~I[~R]\n	delete __at~C_~I[~R]\n");
	words_put(
		out, w,
		"	if (!__from) {\n		__strays_~I <<< 1\n	} else if (__lost_since(__from))	/* it may be of another one */\n"
		"		__unsure_~I <<< 1\n	else {\n		__ended_~I <<< 1\n		__ns -= __from\n");
	if (of_thread) {
		g_string_append(out, "		__mixed = __mixed_since(__from)\n");
		put_row(out, w);
	} else {
		words_put(out, w, "		__ns_~I[~K] <<< __ns\n");
		put_ways(out, w);
	}
	g_string_append(out, "	}\n}\n");
	put_pair_floor(out, w);
	if (of_thread)
		put_thread_books(out, w);
	else
		put_pair_books(out, w);
}

/* ---- system calls --------------------------------------------------------------------*/

static int has_system_call(const struct parts *points)
{
	for (unsigned i = 0; i < points->len; i++)
		if (g_regex_match_simple("^(fork|syscall)\\b", points->text[i], 0, 0))
			return 1;
	return 0;
}

/* Appends a point with an ending and watches; a point that is optional stays so. */
static void add_point(struct parts *to, const char *point, const char *ending, const char *watches,
		      const char *mark)
{
	to->text[to->len++] = g_strdup_printf("%s%s%s %s", point, ending, watches, mark);
}

/*
 * The user runtime has no functions of system calls, but events of where they begin and end: a time
 * from one to the other, in a thread.
 */
static void put_events(GString *out, const struct words *w)
{
	char *watches = watches_text(&w->statement->events, ".startwatch(\"task-clock\")");
	struct statement pairs = *w->statement;
	struct words own = *w, of_pairs;

	set_keys(&own, 0, (struct parts){ 1, { "name" } }, "function");
	of_pairs = own;
	pairs.by = (struct parts){ 1, { "tid()" } };
	pairs.points.len = pairs.ends.len = 0;
	for (unsigned i = 0; i < w->statement->points.len; i++) {
		char mark[2], *point = bare_point(w->statement->points.text[i], mark);

		if (!is_of_program(point)) {
			add_point(&pairs.points, point, "", watches, mark);
			add_point(&pairs.ends, point, ".return", watches, mark);
		}
		g_free(point);
	}
	of_pairs.statement = &pairs;
	put_globals(out, &own);
	put_counts(out, &own, "global __at~C_~I%[8192]\n");
	put_pairs(out, &of_pairs, 1);
	stopwatch_table(out, &own);
	clear_keys(&own);
	g_string_append(out, "}\n");
	for (unsigned i = 0; i < pairs.points.len; i++) {
		g_free((char *)pairs.points.text[i]);
		g_free((char *)pairs.ends.text[i]);
	}
	g_free(watches);
}

/* ---- children ------------------------------------------------------------------------*/

static const char *const forking_calls[] = { "clone", "clone3", "fork", "vfork" };

/* True if a point's first argument, in quotes, is a pattern of a function with such a name. */
static int has_function(const char *point, const char *call)
{
	static const char *const prefixes[] = { "sys_", "__x64_sys_", "__arm64_sys_", "__se_sys_",
						"__do_sys_" };
	char *pattern = g_strdup(point + strlen("kernel.function(\"")), *name;
	int has = 0;

	pattern[strcspn(pattern, "\"@")] = 0;
	for (unsigned i = 0; i < G_N_ELEMENTS(prefixes) && !has; i++) {
		name = g_strconcat(prefixes[i], call, NULL);
		has = !fnmatch(pattern, name, 0);
		g_free(name);
	}
	has |= !fnmatch(pattern, "kernel_clone", 0) || !fnmatch(pattern, "_do_fork", 0);
	g_free(pattern);
	return has;
}

/* True if the point is of this call, which starts threads. */
static int starts_threads(const char *point, const char *call)
{
	char *pattern;
	int is;

	if (g_str_has_prefix(point, "kernel.function(\""))
		return has_function(point, call);
	if (!g_str_has_prefix(point, "syscall."))
		return g_regex_match_simple("^fork\\b", point, 0, 0);
	pattern = g_strdup(point + strlen("syscall."));
	pattern[strcspn(pattern, ".?! ")] = 0;
	is = !fnmatch(pattern, call, 0);
	g_free(pattern);
	return is;
}

/* "__name == "clone" || ...": the calls whose children have rows. Caller frees. */
static char *children_of(const struct parts *points)
{
	GString *text = g_string_new(NULL);

	for (unsigned i = 0; i < G_N_ELEMENTS(forking_calls); i++)
		for (unsigned k = 0; k < points->len; k++) {
			if (!starts_threads(points->text[k], forking_calls[i]))
				continue;
			g_string_append_printf(text, "%s__name == \"%s\"", text->len ? " || " : "",
					       forking_calls[i]);
			break;
		}
	return g_string_free(text, FALSE);
}

/*
 * From when a child was made to where it returns from the call (tapsets/fork.stp), and what it
 * counted until then. No call that makes nothing could be timed: there is no floor. Where hits were
 * lost, children that were made and not seen to return were missed.
 */
static void put_children(GString *out, const struct words *w)
{
	char *watches = watches_text(&w->statement->events, ".startwatch(\"task-clock\")"),
	     *children = children_of(&w->statement->points);

	put_globals(out, w);
	words_put(out, w,
		  "global __timed_~I, __unsure_~I, __others_~I\nprobe __fork.made {\n"
		  "	if (!__calibrating(~B)) __count_thread(__child)\n}\nprobe __fork.child");
	g_string_append_printf(
		out,
		"%s {\n	__ns = __hit_ns()\n	__name = __fork_name()\n	if (!(%s))\n",
		watches, children);
	words_put(out, w,
		  "		__others_~I <<< __fork_is_child(__name)\n"
		  "	else if (__lost_since(__fork_ns()))\n		__unsure_~I <<< 1\n	else {\n"
		  "		__timed_~I <<< 1\n		__ns -= __fork_ns()\n"
		  "		__mixed = __mixed_since(__fork_ns())\n");
	put_counts(out, w, "		~C = $pmu[~P]\n");
	put_row(out, w);
	words_put(out, w,
		  "	}\n}\n"
		  "probe end {\n	__in_flight = __left = 0\n"
		  "	__entered = @count(__timed_~I) + @count(__unsure_~I)\n"
		  "	__made = __calls_entered(~B) - @sum(__others_~I)\n"
		  "	if (__made > __entered && (__calls_missed(~B) || __calls_missed(~W)))\n"
		  "		__entered = __made\n"
		  "	__missed = __entered - @count(__timed_~I)\n");
	g_free(watches);
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
	static const char *const of[] = { "kernel", "programs", "children" };
	struct words w = { .statement = s, .id = id, .of = of[part], .floor = floor, .number = number };
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
		put_pairs(out, &w, 0);
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
