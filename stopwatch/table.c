/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.c - the end probe of a stopwatch: prints the results as a table of 130 columns, one of 80,
 * CSV or JSON.
 *
 * A row is a list of cells, each an expression of type string; forms differ in the separators and
 * in the text for unknown values. Functions that begin with __stopwatch are in
 * tapsets/stopwatch.stp. script.c defines what is measured.
 */
#include "stopwatch/table.h"

#include "lib/cpi_events.h"
#include "stopwatch/script.h"

#include <string.h>

/* The texts for a value below its floor and for no value, and the functions that format times. */
static const struct form {
	const char *below, *none, *time, *reach, *raw;
} forms[] = {
	[FORM_WIDE]	= { "< floor", "-", "__stopwatch_net", "__stopwatch_floor", "sprint" },
	[FORM_NARROW]	= { "<floor", "-", "__stopwatch_short", "__stopwatch_short_floor", "__stopwatch_unit" },
	[FORM_CSV]	= { "", "", "__stopwatch_net", "__stopwatch_floor", "sprint" },
	[FORM_JSON]	= { "null", "null", "__stopwatch_net", "__stopwatch_floor", "sprint" },
};

/* columns of a row's name in the 80-column table; a longer one has a line of its own */
#define NARROW_NAME 17

struct cell {
	char		*title, *name;	/* in a table; in CSV and JSON */
	unsigned	width;
	char		*value, *raw;	/* raw NULL: it has no reading */
	int		apart;		/* FORM_NARROW: in a second table */
};

static void clear_cell(void *data)
{
	struct cell *c = data;

	g_free(c->title);
	g_free(c->name);
	g_free(c->value);
	g_free(c->raw);
}

/* value and raw are templates for words_put(). */
static void add_cell(GArray *cells, const struct words *w, struct cell c, const char *value,
		     const char *raw)
{
	GString *v = g_string_new(NULL), *r = g_string_new(NULL);

	words_put(v, w, value);
	words_put(r, w, raw ? raw : "");
	c.title = g_strdup(c.title);
	c.name = g_strdup(c.name);
	c.value = g_string_free(v, FALSE);
	c.raw = g_string_free(r, !raw);
	g_array_append_val(cells, c);
}

/* ---- cells ---------------------------------------------------------------------*/

static void add_times(GArray *cells, const struct words *w)
{
	static const struct { const char *title, *name, *what; unsigned width; } times[] = {
		{ "min", "min_ns", "@min(__ns_~I[~N])", 9 },
		{ "avg", "avg_ns", "@avg(__ns_~I[~N])", 9 },
		{ "p50", "p50_ns", "@percentile(__ns_~I[~N], 50)", 9 },
		{ "p90", "p90_ns", "@percentile(__ns_~I[~N], 90)", 9 },
		{ "p99", "p99_ns", "@percentile(__ns_~I[~N], 99)", 9 },
		{ "max", "max_ns", "@max(__ns_~I[~N])", 11 },
	};
	const struct form *f = &forms[w->statement->form];
	int narrow = w->statement->form == FORM_NARROW;
	char *value = g_strdup_printf("%s(@sum(__ns_~I[~N]), __n * __f, __n * __d, \"%s\")",
				      f->time, f->below);
	char *raw = g_strdup_printf("%s(@sum(__ns_~I[~N]))", f->raw);

	add_cell(cells, w,
		 (struct cell){ .title = "calls", .name = "calls", .width = narrow ? 8 : 9 },
		 "sprint(__n)", NULL);
	add_cell(cells, w,
		 (struct cell){ .title = narrow ? "total" : "total ns",
				.name = "total_ns",
				.width = narrow ? 6 : 14 },
		 value, raw);
	for (unsigned i = 0; i < G_N_ELEMENTS(times); i++) {
		g_free(value);
		g_free(raw);
		value = g_strdup_printf("%s(%s, __f, __d, \"%s\")", f->time, times[i].what,
					f->below);
		raw = g_strdup_printf("%s(%s)", f->raw, times[i].what);
		add_cell(cells, w,
			 (struct cell){ .title = (char *)times[i].title,
					.name = (char *)times[i].name,
					.width = narrow ? 6 : times[i].width },
			 value, raw);
	}
	g_free(value);
	g_free(raw);
}

static void add_floor(GArray *cells, const struct words *w)
{
	static const struct { const char *title, *name, *what; unsigned width; } of[] = {
		{ "floor", "floor_ns", "__f", 7 }, { "+-", "spread_ns", "__d", 6 },
	};
	const struct form *f = &forms[w->statement->form];

	for (unsigned i = 0; i < G_N_ELEMENTS(of); i++) {
		char *value = g_strdup_printf("%s(__f, %s, \"%s\")", f->reach, of[i].what, f->none);

		add_cell(cells, w,
			 (struct cell){ .title = (char *)of[i].title,
					.name = (char *)of[i].name,
					.width = of[i].width,
					.apart = 1 },
			 value, NULL);
		g_free(value);
	}
}

/*
 * A cell with counts of threads, from the array of that name. Calls that end in another thread than
 * they began in have no such counts.
 */
static void add_counted(GArray *cells, const struct words *w, struct cell cell, const char *array,
			const char *value, const char *raw)
{
	static const char counted[] = "@count(%s_~I[~N]) == __n ? %s : \"%s\"";
	const char *none = forms[w->statement->form].none;
	char *of_all = g_strdup_printf(counted, array, value, none),
	     *raw_of_all = raw ? g_strdup_printf(counted, array, raw, none) : NULL;

	add_cell(cells, w, cell, of_all, raw_of_all);
	g_free(of_all);
	g_free(raw_of_all);
}

static void add_share(GArray *cells, const struct words *w)
{
	const char *none = forms[w->statement->form].none;
	char *value = g_strdup_printf(
		"__stopwatch_share(@sum(__cpu_~I[~N]) - __n * __floor(~1, __n, __s, __i), @sum(__ns_~I[~N]) - __n * __f, "
		"__n * __d, \"%s\")",
		none);
	char *raw = g_strdup_printf(
		"__stopwatch_share(@sum(__cpu_~I[~N]), @sum(__ns_~I[~N]), 0, \"%s\")", none);

	add_counted(cells, w,
		    (struct cell){ .title = "%CPU",
				   .name = "cpu_percent",
				   .width = w->statement->form == FORM_NARROW ? 4 : 5 },
		    "__cpu", value, raw);
	g_free(value);
	g_free(raw);
}

/* The quality of an event's count, which is below a table or beside the count. */
static void add_quality(GArray *cells, const struct words *w, const char *event)
{
	char *name = g_strdup_printf("%s/quality", event);
	char *value = g_strdup_printf("__stopwatch_%s(pmu_quality(\"%s\"))",
				      w->statement->form == FORM_CSV ? "csv" : "json", event);

	add_cell(cells, w, (struct cell){ .title = "", .name = name }, value, NULL);
	g_free(name);
	g_free(value);
}

static void put_qualities(GString *out, const struct parts *events)
{
	for (unsigned i = 0; i < events->len; i++) {
		char *name = event_name(events->text[i]);

		g_string_append_printf(out, "	printf(\"%s%s %%s%s\", pmu_quality(\"%s\"))\n",
				       i ? ", " : "counts: ", name,
				       i + 1 < events->len ? "" : "\\n", name);
		g_free(name);
	}
}

static void add_event(GArray *cells, const struct words *w, unsigned i)
{
	char *name = event_name(w->statement->events.text[i]),
	     *title = g_strdup_printf("%s/call", name);
	unsigned n = w->floor + 2 + i;
	char *array = g_strdup_printf("__e%u", i);
	char *value =
		g_strdup_printf("__stopwatch_net(@avg(__e%u_~I[~N]), __floor(%u, __n, __s, __i), "
				"__floor_spread(%u, __n, __s, __i), \"%s\")",
				i, n, n, forms[w->statement->form].below);
	char *raw = g_strdup_printf("sprint(@avg(__e%u_~I[~N]))", i);

	add_counted(cells, w,
		    (struct cell){ .title = title,
				   .name = title,
				   .width = (unsigned)MAX(strlen(title), 9),
				   .apart = 1 },
		    array, value, raw);
	if (w->statement->form >= FORM_CSV)
		add_quality(cells, w, name);
	g_free(array);
	g_free(name);
	g_free(title);
	g_free(value);
	g_free(raw);
}

static int find_event(const struct parts *events, const char *const *names)
{
	for (unsigned i = 0; i < events->len; i++) {
		char *name = event_name(events->text[i]);
		int is_one;

		name[strcspn(name, ":")] = 0;
		is_one = g_strv_contains(names, name);
		g_free(name);
		if (is_one)
			return (int)i;
	}
	return -1;
}

/* Cycles per instruction, if both are counted. */
static void add_ratio(GArray *cells, const struct words *w)
{
	int cycles = find_event(&w->statement->events, cpi_cycles),
	    instructions = find_event(&w->statement->events, cpi_instructions);
	char *array, *value;

	if (cycles < 0 || instructions < 0)
		return;
	array = g_strdup_printf("__e%d", cycles);
	value = g_strdup_printf(
		"__stopwatch_ratio(@sum(__e%d_~I[~N]) - __n * __floor(%u, __n, __s, __i), "
		"@sum(__e%d_~I[~N]) - __n * __floor(%u, __n, __s, __i), \"%s\")",
		cycles, w->floor + 2 + (unsigned)cycles, instructions,
		w->floor + 2 + (unsigned)instructions, forms[w->statement->form].none);
	add_counted(cells, w,
		    (struct cell){ .title = "CPI", .name = "cpi", .width = 8, .apart = 1 }, array,
		    value, NULL);
	g_free(array);
	g_free(value);
}

static GArray *make_cells(const struct words *w)
{
	GArray *cells = g_array_new(FALSE, TRUE, sizeof(struct cell));

	g_array_set_clear_func(cells, clear_cell);
	add_times(cells, w);
	add_floor(cells, w);
	if (!w->statement->ends.len)
		add_share(cells, w);
	for (unsigned i = 0; i < w->statement->events.len; i++)
		add_event(cells, w, i);
	add_ratio(cells, w);
	return cells;
}

static const struct cell *cell_at(const GArray *cells, unsigned i)
{
	return &g_array_index(cells, struct cell, i);
}

/* ---- tables --------------------------------------------------------------------*/

static void begin_loop(GString *out, const struct words *w, const char *order)
{
	words_put(out, w, "	foreach ([~N] in ");
	words_put(out, w, order);
	words_put(
		out, w,
		") {\n		__n = @count(__ns_~I[~N])\n		__s = @count(__slow_~I[~N])\n"
		"		__i = @count(__instructions_~I[~N])\n"
		"		__f = __floor(~0, __n, __s, __i)\n		__d = __floor_spread(~0, __n, __s, __i)\n");
}

/* Sorts rows by their displayed times, and counts timed calls without a row. */
static void put_order(GString *out, const struct words *w)
{
	words_put(out, w, "	__rowless = __entered - __in_flight - __missed - __left\n");
	begin_loop(out, w, "__ns_~I");
	words_put(
		out, w,
		"		__rowless -= __n\n"
		"		__shown_~I[~N] = __stopwatch_rank(@sum(__ns_~I[~N]), __n * __f, __n * __d, __n)\n	}\n");
}

static void begin_rows(GString *out, const struct words *w)
{
	begin_loop(out, w, "__shown_~I-");
}

/* The name of a row; a header's name is w's title. */
static void put_name(GString *out, const struct words *w, const char *tabs, const char *name)
{
	if (w->statement->form == FORM_NARROW)
		g_string_append_printf(
			out,
			"%1$sprintf(\"%%-%2$ds\", %3$s)\n%1$sif (strlen(%3$s) > %2$d)\n%1$s	printf(\"\\n%4$*2$s\")\n",
			tabs, NARROW_NAME, name, "");
	else
		g_string_append_printf(out, "%sprintf(\"%%-*s\", __wide, %s)\n", tabs, name);
}

/* The cells of one table, first or second; what: 0 titles, 1 values, 2 raw values. */
static void put_cells(GString *out, const GArray *cells, int apart, int what)
{
	for (unsigned i = 0; i < cells->len; i++) {
		const struct cell *c = cell_at(cells, i);

		if (apart >= 0 && c->apart != apart)
			continue;
		g_string_append_printf(out, "%sprintf(\" %%%us\", ", what ? "\t\t" : "\t",
				       c->width);
		if (what)
			g_string_append_printf(out, "%s)\n",
					       what == 1 ? c->value
					       : c->raw ? c->raw
					       : "\"\"");
		else
			g_string_append_printf(out, "\"%s\")\n", c->title);
	}
	g_string_append(out, what ? "\t\tprintln(\"\")\n" : "\tprintln(\"\")\n");
}

static void put_table(GString *out, const struct words *w, const GArray *cells, int apart)
{
	char *title = g_strdup_printf("\"%s\"", w->title);

	put_name(out, w, "\t", title);
	put_cells(out, cells, apart, 0);
	begin_rows(out, w);
	put_name(out, w, "\t\t", w->shown);
	put_cells(out, cells, apart, 1);
	if (w->statement->raw) {
		put_name(out, w, "\t\t", "\"  raw\"");
		put_cells(out, cells, apart, 2);
	}
	g_string_append(out, "\t}\n");
	g_free(title);
}

static void put_histograms(GString *out, const struct words *w)
{
	words_put(
		out, w,
		"	foreach ([~N] in __shown_~I-) {\n"
		"		printf(\"\\n%s: ns as read, %d of them the floor\\n\", ~S, "
		"__floor(~0, @count(__ns_~I[~N]), @count(__slow_~I[~N]), @count(__instructions_~I[~N])))\n		print(@hist_log(__ns_~I[~N]))\n	}\n");
}

static void put_tables(GString *out, const struct words *w, const GArray *cells)
{
	if (w->statement->form == FORM_NARROW) {
		put_table(out, w, cells, 0);
		put_table(out, w, cells, 1);
	} else {
		words_put(
			out, w,
			"	__wide = strlen(\"~T\")\n	foreach ([~N] in __ns_~I)\n		if (strlen(~S) > __wide) __wide = strlen(~S)\n");
		put_table(out, w, cells, -1);
	}
	words_put(
		out, w,
		"	println(__stopwatch_calls(__entered, __in_flight, __missed, __left, __rowless))\n");
	put_qualities(out, &w->statement->events);
	if (w->statement->hist)
		put_histograms(out, w);
}

/* ---- CSV and JSON ----------------------------------------------------------------*/

/* Names of keys are expressions; the other columns have fixed names. */
static char *key_name(const struct words *w, unsigned i)
{
	static const char *const of_profile[] = { "name", "function" };

	return w->is_default ? g_strdup(w->title ? w->title : of_profile[i])
			     : g_strescape(w->by.text[i], NULL);
}

static void put_csv_keys(GString *out, const struct words *w)
{
	for (unsigned i = 0; i < w->by.len; i++) {
		char *name = key_name(w, i);

		g_string_append_printf(out, "%s__stopwatch_csv(\"%s\")", i ? ", \",\", " : "", name);
		g_free(name);
	}
}

static void put_csv_values(GString *out, const struct words *w)
{
	for (unsigned i = 0; i < w->by.len; i++)
		g_string_append_printf(out, "\t\tprint(%s__stopwatch_csv(sprint(__k%u)))\n",
				       i ? "\",\", " : "", i);
}

static void put_json_keys(GString *out, const struct words *w)
{
	for (unsigned i = 0; i < w->by.len; i++) {
		char *name = key_name(w, i);

		g_string_append_printf(
			out,
			"\t\tprint(%s__stopwatch_json(\"%s\"), \":\", __stopwatch_json(sprint(__k%u)))\n",
			i ? "\",\", " : "", name, i);
		g_free(name);
	}
}

/* Quoted if the name of an event contains a comma. */
static void put_csv_name(GString *out, const char *prefix, const char *name)
{
	const char *quote = strchr(name, ',') ? "\\\"" : "";

	g_string_append_printf(out, ", \",%s%s%s%s\"", quote, prefix, name, quote);
}

static void put_csv(GString *out, const struct words *w, const GArray *cells)
{
	g_string_append(out, "\tprint(");
	put_csv_keys(out, w);
	for (unsigned i = 0; i < cells->len; i++)
		put_csv_name(out, "", cell_at(cells, i)->name);
	for (unsigned i = 0; w->statement->raw && i < cells->len; i++)
		if (cell_at(cells, i)->raw)
			put_csv_name(out, "raw_", cell_at(cells, i)->name);
	g_string_append(out, ", \"\\n\")\n");
	begin_rows(out, w);
	put_csv_values(out, w);
	for (unsigned i = 0; i < cells->len; i++)
		g_string_append_printf(out, "\t\tprint(\",\", %s)\n", cell_at(cells, i)->value);
	for (unsigned i = 0; w->statement->raw && i < cells->len; i++)
		if (cell_at(cells, i)->raw)
			g_string_append_printf(out, "\t\tprint(\",\", %s)\n",
					       cell_at(cells, i)->raw);
	g_string_append(
		out,
		"\t\tprintln(\"\")\n\t}\n"
		"	if (__in_flight || __missed || __left || __rowless)\n"
		"		warn(__stopwatch_calls(__entered, __in_flight, __missed, __left, __rowless))\n");
}

static void put_members(GString *out, const struct words *w, const GArray *cells)
{
	put_json_keys(out, w);
	for (unsigned i = 0; i < cells->len; i++)
		g_string_append_printf(out, "\t\tprint(\",\\\"%s\\\":\", %s)\n",
				       cell_at(cells, i)->name, cell_at(cells, i)->value);
	for (unsigned i = 0; w->statement->raw && i < cells->len; i++)
		if (cell_at(cells, i)->raw)
			g_string_append_printf(out, "\t\tprint(\",\\\"raw_%s\\\":\", %s)\n",
					       cell_at(cells, i)->name, cell_at(cells, i)->raw);
}

static void put_json(GString *out, const struct words *w, const GArray *cells)
{
	words_put(
		out, w,
		"\tprint(\"{\\\"schema\\\":\\\"lapwing-stopwatch/1\\\",\\\"of\\\":\\\"~O\\\",\\\"rows\\\":[\")\n\t__more = 0\n");
	begin_rows(out, w);
	g_string_append(out, "\t\tprint(__more++ ? \",{\" : \"{\")\n");
	put_members(out, w, cells);
	g_string_append(
		out,
		"\t\tprint(\"}\")\n\t}\n\tprintf(\"],\\\"calls\\\":{\\\"entered\\\":%d,\\\"timed\\\":%d,\\\"in_flight\\\":%d,"
		"\\\"missed\\\":%d,\\\"left\\\":%d,\\\"rowless\\\":%d}}\\n\",\n\t       __entered, __entered - __in_flight - __missed - __left, "
		"__in_flight, __missed, __left, __rowless)\n");
}

void stopwatch_table(GString *out, const struct words *w)
{
	GArray *cells = make_cells(w);

	put_order(out, w);
	if (w->statement->form == FORM_CSV)
		put_csv(out, w, cells);
	else if (w->statement->form == FORM_JSON)
		put_json(out, w, cells);
	else
		put_tables(out, w, cells);
	g_array_unref(cells);
}

/* ---- profile -------------------------------------------------------------------*/

static void put_profile_csv(GString *out, const struct words *w)
{
	g_string_append(out, "\tprint(");
	put_csv_keys(out, w);
	words_put(out, w,
		  ", \",samples,percent\\n\")\n"
		  "	foreach ([~N] in __n_~I-) {\n		__rest -= __n_~I[~N]\n");
	put_csv_values(out, w);
	words_put(
		out, w,
		"		println(\",\", __n_~I[~N], \",\", __profile_percent(__n_~I[~N], __all_~I))\n	}\n"
		"	if (__rest) warn(sprintf(\"%d of %d samples have no row: the table is full\", __rest, __all_~I))\n");
}

static void put_profile_json(GString *out, const struct words *w)
{
	words_put(
		out, w,
		"	print(\"{\\\"schema\\\":\\\"lapwing-samples/1\\\",\\\"rows\\\":[\")\n	__more = 0\n"
		"	foreach ([~N] in __n_~I-) {\n		__rest -= __n_~I[~N]\n		print(__more++ ? \",{\" : \"{\")\n");
	put_json_keys(out, w);
	words_put(
		out, w,
		"		printf(\",\\\"samples\\\":%d,\\\"percent\\\":%s}\", __n_~I[~N], __profile_percent(__n_~I[~N], __all_~I))\n"
		"	}\n	printf(\"],\\\"samples\\\":%d,\\\"rowless\\\":%d}\\n\", __all_~I, __rest)\n");
}

static void put_profile_table(GString *out, const struct words *w)
{
	words_put(
		out, w,
		"	printf(\"%9s %7s  %s\\n\", \"samples\", \"%\", \"procedure\")\n"
		"	foreach ([~N] in __n_~I-) {\n		__rest -= __n_~I[~N]\n"
		"		printf(\"%9d %7s  %s\\n\", __n_~I[~N], __profile_percent(__n_~I[~N], __all_~I), ~S)\n	}\n"
		"	if (__rest) printf(\"%9d %7s  (no row: the table is full)\\n\", __rest, __profile_percent(__rest, __all_~I))\n");
}

void profile_table(GString *out, const struct words *w)
{
	if (w->statement->form == FORM_CSV)
		put_profile_csv(out, w);
	else if (w->statement->form == FORM_JSON)
		put_profile_json(out, w);
	else
		put_profile_table(out, w);
}
