/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stopwatch_text.c - what the declarations of parse_stopwatch.c stand for, as a script.
 *
 * A stopwatch is a probe at the return of each function, and at the return of one in which nothing happens: the same handler reads both,
 * so what it reads of nothing is its floor. Counters are read within the time; an end probe prints the table. It does not parse, and does
 * not know what a point means beyond its first word.
 */
#include "parser/stopwatch_text.h"

#include <glib.h>
#include <string.h>

/* What stands for ~ and a letter in the texts below. */
struct words {
	const struct statement *statement;
	const char	*id;		/* ~I: ends names */
	char		*keys;		/* ~K: as the script has them */
	char		*names;		/* ~N: "__k0, __k1" */
	char		*shown;		/* ~S: they as one text */
	char		*title;		/* ~T */
	unsigned	floor;		/* ~0, ~1: of the time, the time on a CPU; the events' follow */
	unsigned	number;		/* ~W */
};

static void put(GString *out, const struct words *w, const char *text)
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

static void set_keys(struct words *w, const struct parts *by, const char *otherwise, unsigned n, const char *title)
{
	w->keys = by->len ? joined(by) : g_strdup(otherwise);
	w->names = key_names(by->len ? by->len : n);
	w->shown = (by->len ? by->len : n) > 1 ? g_strdup_printf("sprintd(\" \", %s)", w->names) : g_strdup_printf("sprint(%s)", w->names);
	w->title = by->len ? g_strescape(w->keys, NULL) : g_strdup(title);
}

static void clear_keys(struct words *w)
{
	g_free(w->keys);
	g_free(w->names);
	g_free(w->shown);
	g_free(w->title);
}

/* ---- stopwatch: probes ---------------------------------------------------------------*/

/* An event as a word or a string, without quotes. Caller frees. */
static char *event_name(const char *text)
{
	char *name = g_strdup(*text == '"' ? text + 1 : text);

	name[strcspn(name, "\"")] = 0;
	return name;
}

#define IN_KERNEL(text)	"%( runtime == \"kernel\" %? " text " %)"

/* Of an event behind the time on a CPU, which the user runtime does not count: with both numbers. */
#define PLACE		"%%( runtime == \"kernel\" %%? %u %%: %u %%)"

static void put_watches(GString *out, const struct parts *events)
{
	g_string_append(out, IN_KERNEL(".startwatch(\"task-clock\")"));
	for (unsigned i = 0; i < events->len; i++) {
		char *name = event_name(events->text[i]);

		g_string_append_printf(out, ".startwatch(\"%s\")", name);
		g_free(name);
	}
}

static int is_of_program(const char *point)
{
	return g_str_has_prefix(point, "process");
}

/* The points of programs or the others, then the function in which nothing happens. */
static void put_points(GString *out, const struct statement *s, int of_program)
{
	for (unsigned i = 0; i < s->points.len; i++) {
		const char *point = s->points.text[i];
		size_t len = strlen(point), mark = len && strchr("?!", point[len - 1]) ? 1 : 0;

		if (is_of_program(point) != of_program)
			continue;
		while (len > mark && g_ascii_isspace(point[len - mark - 1]))
			len--;
		g_string_append_printf(out, "%.*s.return", (int)(len - mark), point);
		put_watches(out, &s->events);
		g_string_append_printf(out, "%s,\n      ", mark ? point + strlen(point) - 1 : "");
	}
	g_string_append_printf(out, "%s.calibration.return", of_program ? "process" : "kernel");
	put_watches(out, &s->events);
	g_string_append(out, "?\n");
}

static void put_readings(GString *out, const struct words *w)
{
	unsigned n = w->statement->events.len;

	put(out, w, "{\n	__ns = @entry(ktime_get_ns())\n" IN_KERNEL("	__cpu = @entry($pmu[0])") "\n");
	for (unsigned i = 0; i < n; i++)
		g_string_append_printf(out, "	__e%u = @entry($pmu[" PLACE "])\n", i, i + 1, i);
	for (unsigned i = n; i--; )
		g_string_append_printf(out, "	__e%u = $pmu[" PLACE "] - __e%u\n", i, i + 1, i, i);
	put(out, w, IN_KERNEL("	__cpu = $pmu[0] - __cpu") "\n	__ns = ktime_get_ns() - __ns\n"
		    "	if (__calibrating()) {\n		__floor_take(~0, __ns)\n" IN_KERNEL("		__floor_take(~1, __cpu)") "\n");
	for (unsigned i = 0; i < n; i++)
		g_string_append_printf(out, "		__floor_take(%u, __e%u)\n", w->floor + 2 + i, i);
	put(out, w, "	} else {\n		__ns_~I[~K] <<< __ns\n" IN_KERNEL("		__cpu_~I[~K] <<< __cpu") "\n");
	for (unsigned i = 0; i < n; i++) {
		g_string_append_printf(out, "		__e%u", i);
		put(out, w, "_~I[~K] <<< ");
		g_string_append_printf(out, "__e%u\n", i);
	}
	put(out, w, "		if (__detour()) __detours_~I[~K] <<< 1\n	}\n}\n");
}

static void put_globals(GString *out, const struct words *w)
{
	put(out, w, "global __ns_~I[256], __detours_~I[256]\n" IN_KERNEL("global __cpu_~I[256]") "\n");
	for (unsigned i = 0; i < w->statement->events.len; i++) {
		g_string_append_printf(out, "global __e%u", i);
		put(out, w, "_~I[256]\n");
	}
}

/* ---- stopwatch: the table --------------------------------------------------------------*/

static int find_event(const struct parts *events, const char *a, const char *b)
{
	for (unsigned i = 0; i < events->len; i++) {
		char *name = event_name(events->text[i]), *plain = g_strndup(name, strcspn(name, ":"));
		int same = !strcmp(plain, a) || !strcmp(plain, b);

		g_free(name);
		g_free(plain);
		if (same)
			return (int)i;
	}
	return -1;
}

static int counts_cycles(const struct parts *events, int *cycles, int *instructions)
{
	*cycles = find_event(events, "cycles", "cpu_cycles");
	*instructions = find_event(events, "instructions", "instructions_retired");
	return *cycles >= 0 && *instructions >= 0;
}

static unsigned event_width(const char *name)
{
	return (unsigned)MAX(strlen(name) + strlen("/call"), 9);
}

static void put_head(GString *out, const struct words *w)
{
	const struct parts *events = &w->statement->events;
	int cycles, instructions;

	put(out, w, "	__wide = strlen(\"~T\")\n"
		    "	foreach ([~N] in __ns_~I)\n		if (strlen(~S) > __wide) __wide = strlen(~S)\n"
		    "	printf(\"%-*s %9s %14s %9s %9s %9s %9s %9s %11s %7s %6s\", __wide, \"~T\", \"calls\", \"total ns\", \"min\", \"avg\", "
		    "\"p50\", \"p90\", \"p99\", \"max\", \"floor\", \"+-\")\n" IN_KERNEL("	printf(\" %5s\", \"%CPU\")") "\n");
	for (unsigned i = 0; i < events->len; i++) {
		char *name = event_name(events->text[i]);

		g_string_append_printf(out, "	printf(\" %%%us\", \"%s/call\")\n", event_width(name), name);
		g_free(name);
	}
	if (counts_cycles(events, &cycles, &instructions))
		g_string_append(out, "	printf(\" %8s\", \"CPI\")\n");
	g_string_append(out, "	println(\"\")\n");
}

/* The time's columns of one row: what is left above the floor. */
static void put_times(GString *out, const struct words *w)
{
	static const char *const columns[] = { "@min(__ns_~I[~N])", "@avg(__ns_~I[~N])", "@percentile(__ns_~I[~N], 50)",
					       "@percentile(__ns_~I[~N], 90)", "@percentile(__ns_~I[~N], 99)", "@max(__ns_~I[~N])" };

	put(out, w, "		__n = @count(__ns_~I[~N])\n		__s = @count(__detours_~I[~N])\n"
		    "		__f = __floor(~0, __n, __s)\n		__d = __floor_spread(~0, __n, __s)\n"
		    "		printf(\"%-*s %9d %14s %9s %9s %9s %9s %9s %11s %7s %6s\", __wide, ~S, __n,\n"
		    "		       __stopwatch_net(@sum(__ns_~I[~N]), __n * __f, __n * __d)");
	for (unsigned i = 0; i < G_N_ELEMENTS(columns); i++) {
		g_string_append(out, ",\n		       __stopwatch_net(");
		put(out, w, columns[i]);
		g_string_append(out, ", __f, __d)");
	}
	put(out, w, ",\n		       __stopwatch_floor(__f, __f), __stopwatch_floor(__f, __d))\n"
		    IN_KERNEL("		printf(\" %5s\", __stopwatch_share(@sum(__cpu_~I[~N]) - __n * __floor(~1, __n, __s), "
			      "@sum(__ns_~I[~N]) - __n * __f, __n * __d))") "\n");
}

static void put_events(GString *out, const struct words *w)
{
	const struct parts *events = &w->statement->events;
	int cycles, instructions;

	for (unsigned i = 0; i < events->len; i++) {
		char *name = event_name(events->text[i]);
		unsigned floor = w->floor + 2 + i;

		g_string_append_printf(out, "		printf(\" %%%us\", __stopwatch_net(@avg(__e%u", event_width(name), i);
		put(out, w, "_~I[~N]), ");
		g_string_append_printf(out, "__floor(%u, __n, __s), __floor_spread(%u, __n, __s)))\n", floor, floor);
		g_free(name);
	}
	if (!counts_cycles(events, &cycles, &instructions))
		return;
	g_string_append_printf(out, "		printf(\" %%8s\", __stopwatch_ratio(@sum(__e%d", cycles);
	put(out, w, "_~I[~N])");
	g_string_append_printf(out, " - __n * __floor(%u, __n, __s), @sum(__e%d", w->floor + 2 + (unsigned)cycles, instructions);
	put(out, w, "_~I[~N])");
	g_string_append_printf(out, " - __n * __floor(%u, __n, __s)))\n", w->floor + 2 + (unsigned)instructions);
}

/* The same columns as they were read. */
static void put_raw(GString *out, const struct words *w)
{
	put(out, w, "		printf(\"%-*s %9s %14d %9d %9d %9d %9d %9d %11d %7s %6s\", __wide, \"  raw\", \"\", @sum(__ns_~I[~N]), "
		    "@min(__ns_~I[~N]), @avg(__ns_~I[~N]),\n		       @percentile(__ns_~I[~N], 50), @percentile(__ns_~I[~N], 90), "
		    "@percentile(__ns_~I[~N], 99), @max(__ns_~I[~N]), \"\", \"\")\n"
		    IN_KERNEL("		printf(\" %5s\", __stopwatch_share(@sum(__cpu_~I[~N]), @sum(__ns_~I[~N]), 0))") "\n");
	for (unsigned i = 0; i < w->statement->events.len; i++) {
		char *name = event_name(w->statement->events.text[i]);

		g_string_append_printf(out, "		printf(\" %%%ud\", @avg(__e%u", event_width(name), i);
		put(out, w, "_~I[~N]))\n");
		g_free(name);
	}
	g_string_append(out, "		println(\"\")\n");
}

/* Under the table: whether what the events' columns say is all there was. */
static void put_qualities(GString *out, const struct parts *events)
{
	for (unsigned i = 0; i < events->len; i++) {
		char *name = event_name(events->text[i]);

		g_string_append_printf(out, "	printf(\"%s%s %%s%s\", pmu_quality(\"%s\"))\n", i ? ", " : "counts: ", name,
				       i + 1 < events->len ? "" : "\\n", name);
		g_free(name);
	}
}

static void put_table(GString *out, const struct words *w)
{
	put(out, w, "probe end {\n");
	put_head(out, w);
	put(out, w, "	foreach ([~N] in __ns_~I @sum-) {\n");
	put_times(out, w);
	put_events(out, w);
	put(out, w, "		println(\"\")\n");
	if (w->statement->raw)
		put_raw(out, w);
	put(out, w, "	}\n	printf(\"%d calls: %d timed, %d in flight, %d missed\\n\", __calls_entered(~W),\n"
		    "	       __calls_entered(~W) - __calls_in_flight(~W) - __calls_missed(~W), __calls_in_flight(~W), __calls_missed(~W))\n");
	put_qualities(out, &w->statement->events);
	if (w->statement->hist)
		put(out, w, "	foreach ([~N] in __ns_~I @sum-) {\n"
			    "		printf(\"\\n%s: ns as read, %d of them the floor\\n\", ~S, "
			    "__floor(~0, @count(__ns_~I[~N]), @count(__detours_~I[~N])))\n		print(@hist_log(__ns_~I[~N]))\n	}\n");
	put(out, w, "}\n");
}

char *stopwatch_text(const struct statement *s, int of_program, unsigned number, unsigned floor)
{
	char *id = g_strdup_printf("%u", number);
	struct words w = { .statement = s, .id = id, .floor = floor, .number = number };
	GString *out = g_string_new(NULL);

	set_keys(&w, &s->by, "ppfunc()", 1, "function");
	put_globals(out, &w);
	g_string_append(out, "probe ");
	put_points(out, s, of_program);
	put_readings(out, &w);
	put_table(out, &w);
	clear_keys(&w);
	g_free(id);
	return g_string_free(out, FALSE);
}

int stopwatch_has(const struct statement *s, int of_program)
{
	for (unsigned i = 0; i < s->points.len; i++)
		if (is_of_program(s->points.text[i]) == of_program)
			return 1;
	return 0;
}

/* ---- profile -----------------------------------------------------------------------*/

char *profile_text(const struct statement *s, const char *id)
{
	struct words w = { .statement = s, .id = id };
	GString *out = g_string_new(NULL);

	set_keys(&w, &s->by, "execname(), user_mode() ? usymname(uaddr()) : symname(addr())", 2, "");
	put(out, &w, "global __n_~I[8192], __all_~I\nprobe ");
	g_string_append_printf(out, s->event ? "pmu.profile(%s)" : "timer.profile", s->event);
	put(out, &w, " {\n	__n_~I[~K]++\n	__all_~I++\n}\n"
		     "probe end {\n	printf(\"%9s %7s  %s\\n\", \"samples\", \"%\", \"procedure\")\n"
		     "	foreach ([~N] in __n_~I-) {\n		share = __n_~I[~N] * 10000 / __all_~I\n"
		     "		printf(\"%9d %4d.%02d  %s\\n\", __n_~I[~N], share / 100, share % 100, ~S)\n	}\n}\n");
	clear_keys(&w);
	return g_string_free(out, FALSE);
}
