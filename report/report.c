/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.c - lapwing-report, which `lapwing report` runs: a capture as flat tables.
 */
#include "lib/failure_error.h"
#include "report/heading.h"
#include "report/records_table.h"
#include "report/report_main.h"
#include "report/tally.h"

#include <stdlib.h>
#include <string.h>

#define KEYS_APART ",name,function,image,cpu"	/* of --apart's parts, beside --by */

static const char who[] = "lapwing report";
static struct report_options {
	const char *by;
	int	limit, apart, delayed, threads;
	double	least;			/* percent */
	struct records_options records;	/* of scripts: by, limit and form are those above */
} opt = { .limit = -1 };
static enum data_form form;

/* ---- printing ------------------------------------------------------------------*/

/* All columns but the last are as wide as their widest text. */
static guint width_of(const struct tally *t, guint key, guint rows)
{
	glong width = g_utf8_strlen(t->keys[key]->title, -1);

	for (guint i = 0; i < rows; i++) {
		glong n = g_utf8_strlen(
			tally_text(&g_array_index(t->rows, struct tally_row, i), key), -1);

		width = MAX(width, n);
	}
	return (guint)MIN(width, 60);
}

static void print_cell(const char *text, guint width, int last)
{
	glong n = g_utf8_strlen(text, -1);

	printf("  %s", text);
	for (; !last && n < (glong)width; n++)
		putchar(' ');
}

static guint rows_shown(const struct tally *t)
{
	guint n = 0;

	while (n < t->rows->len && (!opt.limit || n < (guint)opt.limit) &&
	       tally_percent(g_array_index(t->rows, struct tally_row, n).weight, t->weight) >=
		       opt.least)
		n++;
	return n;
}

static void print_amount(const struct tally_row *row, const struct tally *t, int blocked)
{
	struct tally_share share;

	if (blocked) {
		printf("%12.3f %8.2f", (double)row->weight / 1e6,
		       tally_percent(row->weight, t->weight));
		return;
	}
	share = tally_share(t, row);
	printf("%9" G_GUINT64_FORMAT " %8.2f %6.2f", row->samples, tally_percent(row->weight, t->weight),
	       100 * tally_interval(&share));
	if (opt.delayed)
		printf(" %9" G_GUINT64_FORMAT " %9" G_GUINT64_FORMAT, row->samples - row->delayed,
		       row->delayed);
}

static void print_table(const struct profile *p, const struct tally *t, guint32 event)
{
	int blocked = PROFILE_AT(p->events, event, event)->blocked;
	guint nkeys = 0, shown = rows_shown(t), width[16] = { 0 };
	guint64 left = t->weight;

	for (; t->keys[nkeys] && nkeys < 16; nkeys++)
		width[nkeys] = width_of(t, nkeys, shown);
	printf(blocked ? "          ms  percent" : "    count  percent  +-95%%%s",
	       !blocked && opt.delayed ? "   on time   delayed" : "");
	for (guint k = 0; k < nkeys; k++)
		print_cell(t->keys[k]->title, width[k], k + 1 == nkeys);
	putchar('\n');
	for (guint i = 0; i < shown; i++) {
		const struct tally_row *row = &g_array_index(t->rows, struct tally_row, i);

		print_amount(row, t, blocked);
		for (guint k = 0; k < nkeys; k++)
			print_cell(tally_text(row, k), width[k], k + 1 == nkeys);
		putchar('\n');
		left -= row->weight;
	}
	if (shown < t->rows->len)
		printf("... %u rows more, %.2f %% together (--limit, --min)\n",
		       t->rows->len - shown, tally_percent(left, t->weight));
}

/* ---- tables --------------------------------------------------------------------*/

static void one_table(const struct profile *p, const char *by, const struct sample_filter *filter,
		      const char *title)
{
	const struct key **chosen = keys_parse(by, NULL);
	struct tally *t = tally_make(p, chosen, filter);

	if (t->rows->len || !title) {
		if (title)
			printf("\n%s\n", title);
		print_table(p, t, filter->event);
	}
	tally_free(t);
	g_free(chosen);
}

/*
 * --apart divides the time: programs' own code, the kernel for each program, the kernel altogether,
 * and idle. NULL: the keys of --by.
 */
static const struct part {
	const char *mode, *by, *title, *name;
} parts[] = {
	{ "user", NULL, "programs' own code", "user" },
	{ "kernel", "name,function,image", "the kernel, for each program", "kernel_by_program" },
	{ "kernel", "function,image", "the kernel, altogether", "kernel" },
	{ "idle", "cpu", "idle", "idle" },
};

static void print_apart(const struct profile *p, struct sample_filter filter)
{
	for (const struct part *part = parts; part < parts + G_N_ELEMENTS(parts); part++) {
		filter.mode = part->mode;
		one_table(p, part->by ? part->by : opt.by, &filter, part->title);
	}
}

/*
 * A renamed thread is in the profile once per name: all of its time is added to the last one.
 */
static GArray *whole_threads(const struct profile *p)
{
	GArray *whole = g_array_new(FALSE, FALSE, sizeof(struct profile_thread));
	GHashTable *rows = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);

	for (guint i = 0; i < p->threads->len; i++) {
		struct profile_thread sum = *PROFILE_AT(p->threads, thread, i), *row;
		gint64 who = (gint64)sum.process << 32 | (guint32)sum.tid;
		guint at = GPOINTER_TO_UINT(g_hash_table_lookup(rows, &who));

		if (at) {
			row = PROFILE_AT(whole, thread, at - 1);
			sum.on += row->on;
			sum.off += row->off;
			*row = sum;
		} else {
			g_array_append_val(whole, sum);
			g_hash_table_insert(rows, g_memdup2(&who, sizeof(who)),
					    GUINT_TO_POINTER(whole->len));
		}
	}
	g_hash_table_destroy(rows);
	return whole;
}

static void print_thread(const struct profile_thread *t)
{
	printf("%13.3f %12.3f %12.3f  %s(%d)\n", (double)t->on / 1e6, (double)t->off / 1e6,
	       (double)(t->on + t->off) / 1e6, t->name, t->tid);
}

static void write_thread(struct data *d, const struct profile_thread *t)
{
	data_object(d, NULL);
	data_text(d, "name", t->name);
	data_value(d, "tid", "%d", t->tid);
	data_value(d, "on_ns", "%" G_GUINT64_FORMAT, t->on);
	data_value(d, "off_ns", "%" G_GUINT64_FORMAT, t->off);
	data_value(d, "wall_ns", "%" G_GUINT64_FORMAT, t->on + t->off);
	data_close(d);
}

/* d: NULL for text. */
static void show_threads(const struct profile *p, struct data *d)
{
	GArray *whole = whole_threads(p);

	if (d)
		data_array(d, "threads");
	else
		printf("\n    on CPU ms   off CPU ms      wall ms  thread\n");
	for (guint i = 0; i < whole->len; i++) {
		const struct profile_thread *t = PROFILE_AT(whole, thread, i);

		if (!t->on && !t->off)
			continue;
		if (d)
			write_thread(d, t);
		else
			print_thread(t);
	}
	if (d)
		data_close(d);
	g_array_free(whole, TRUE);
}

static void print_modes(const struct profile *p, const struct sample_filter *filter)
{
	const struct key **mode = keys_parse("mode", NULL);
	struct tally *t = tally_make(p, mode, filter);

	for (guint i = 0; i < t->rows->len; i++) {
		const struct tally_row *row = &g_array_index(t->rows, struct tally_row, i);

		printf("%s %s %.2f %%", i ? "," : "where   ", tally_text(row, 0),
		       tally_percent(row->weight, t->weight));
	}
	if (t->delayed)
		printf("; %" G_GUINT64_FORMAT
		       " samples came late: interrupts were off, or the machine stood still (--delayed)",
		       t->delayed);
	fputs(t->rows->len ? "\n" : "", stdout);
	tally_free(t);
	g_free(mode);
}

/* ---- JSON and CSV ----------------------------------------------------------------*/

/* What print_modes() prints. */
static void write_totals(struct data *d, const struct profile *p,
			 const struct sample_filter *filter)
{
	const struct key **mode = keys_parse("mode", NULL);
	struct tally *t = tally_make(p, mode, filter);

	data_value(d, "samples", "%" G_GUINT64_FORMAT, t->samples);
	data_value(d, "weight", "%" G_GUINT64_FORMAT, t->weight);
	data_value(d, "delayed", "%" G_GUINT64_FORMAT, t->delayed);
	data_array(d, "modes");
	for (guint i = 0; i < t->rows->len; i++) {
		const struct tally_row *row = &g_array_index(t->rows, struct tally_row, i);

		data_object(d, NULL);
		data_text(d, "mode", tally_text(row, 0));
		data_value(d, "weight", "%" G_GUINT64_FORMAT, row->weight);
		data_value(d, "percent", "%.4f", tally_percent(row->weight, t->weight));
		data_close(d);
	}
	data_close(d);
	tally_free(t);
	g_free(mode);
}

/* Returns how many rows were left out. */
static guint write_table(struct data *d, const struct profile *p, const char *by,
			 const struct sample_filter *filter, const char *part,
			 const char *const *columns)
{
	const struct key **chosen = keys_parse(by, NULL);
	struct tally *t = tally_make(p, chosen, filter);
	guint shown = rows_shown(t), left = t->rows->len - shown;

	tally_write(d, t, shown, part, columns);
	tally_free(t);
	g_free(chosen);
	return left;
}

/* The parts of --apart are told apart by the first column. */
static void write_rows(struct data *d, const struct profile *p, struct sample_filter filter)
{
	char *all = g_strconcat(opt.by, opt.apart ? KEYS_APART : "", NULL);
	const struct key **chosen = keys_parse(all, NULL);
	const char **columns = tally_columns(opt.apart ? "part" : NULL, chosen);
	guint left = 0;

	data_rows(d, "rows", columns);
	if (!opt.apart)
		left = write_table(d, p, opt.by, &filter, NULL, columns);
	for (guint i = 0; opt.apart && i < G_N_ELEMENTS(parts); i++) {
		filter.mode = parts[i].mode;
		left += write_table(d, p, parts[i].by ? parts[i].by : opt.by, &filter,
				    parts[i].name, columns);
	}
	data_close(d);
	data_value(d, "rows_left", "%u", left);
	g_free(columns);
	g_free(chosen);
	g_free(all);
}

static int write_report(const struct profile *p, const struct sample_filter *filter)
{
	struct data d;

	data_begin(&d, stdout, form, "lapwing-report/1");
	heading_write(&d, p, filter);
	write_totals(&d, p, filter);
	write_rows(&d, p, *filter);
	if (opt.threads)
		show_threads(p, &d);
	return data_end(&d, "lapwing report", "stdout");
}

/* 1, reported: an option of the other kind of capture. */
static int is_misplaced(const char *option, const char *its, const char *here)
{
	if (option)
		failure_print(who, FAILURE_OPTION_CONFLICT, "%s is for %s, and the capture has %s", option,
			      its, here);
	return option != NULL;
}

/* An option of records alone; NULL: there is none. */
static const char *records_option(const struct records_options *r)
{
	return r->where	      ? "--where"
	       : r->sum	      ? "--sum"
	       : r->pair      ? "--pair"
	       : r->on	      ? "--on"
	       : r->time      ? "--time"
	       : r->timeline  ? "--timeline"
	       : r->histogram ? "--hist"
	       : r->percentiles ? "--percentiles"
				: NULL;
}

static int run(struct profile *p, const struct sample_filter *filter)
{
	GError *error = NULL;
	const struct key **chosen;

	if (is_misplaced(records_option(&opt.records), "records of stp()", "samples"))
		return 2;
	chosen = keys_parse(opt.by, &error);
	g_free(chosen);
	if (!chosen) {
		failure_report(who, error);
		return 2;
	}
	heading_warn_empty("lapwing report", p, filter);
	if (form)
		return write_report(p, filter);
	heading_print(p, filter->event, stdout);
	print_modes(p, filter);
	putchar('\n');
	if (opt.apart)
		print_apart(p, *filter);
	else
		one_table(p, opt.by, filter, NULL);
	if (opt.threads)
		show_threads(p, NULL);
	putchar('\n');
	heading_verdict(p, stdout);
	return 0;
}

static int run_records(struct profile *p)
{
	if (is_misplaced(opt.apart	      ? "--apart"
			 : opt.delayed ? "--delayed"
			 : opt.threads ? "--threads"
			 : opt.least   ? "--min"
				       : NULL,
			 "samples", "a script's records"))
		return 2;
	opt.records.limit = opt.limit;
	opt.records.form = form;
	return records_report(who, p, &opt.records);
}

/* ---- options -------------------------------------------------------------------*/

static char *describe_keys(void)
{
	GString *text = g_string_new("Samples are told apart by");

	for (const struct key *key = keys; key->name; key++)
		g_string_append_printf(text, "%s%s%s", key == keys ? "" : ",",
				       strcmp(key->name, "mode") ? " " : "\n", key->name);
	g_string_append(text, ",\nand a script's records (stp()) by their columns: lapwing-report(1).\n");
	return g_string_free(text, FALSE);
}

static char *shown_keys(int chosen)
{
	return g_strconcat(opt.by, opt.apart ? KEYS_APART : "", NULL);
}

static int check(const char *path)
{
	opt.records.by = opt.by;
	if (!opt.by)
		opt.by = "function,image";
	if (opt.limit < 0)
		opt.limit = form || opt.records.timeline || g_str_has_prefix(opt.by, "epoch") ? 0 : 40;
	if (opt.least && g_str_has_prefix(opt.by, "epoch"))
		return option_fail(FAILURE_OPTION_CONFLICT,
				   "--min needs the heaviest rows first, and those by epoch are in the order of time");
	if (opt.records.delta && !opt.records.sum)
		return option_fail(FAILURE_OPTION_CONFLICT,
				   "--delta says what --sum adds up: name its column");
	if (opt.threads && form == DATA_CSV)
		return option_fail(FAILURE_OPTION_CONFLICT,
			"--threads is a table of its own, for which CSV has no place: use --json");
	return 0;
}

#define OPTION_INTO struct report_options
static const struct option_row rows[] = {
	TEXT('b', "by", "KEY,...", "what rows are told apart by (default: function,image)", by)
	FLAG(0, "apart", "programs, the kernel by program, the kernel altogether and idle apart",
	     apart)
	FLAG(0, "delayed", "columns: all samples, those on time, those that came late", delayed)
	FLAG('t', "threads", "how long each thread ran and waited (recorded with --off-cpu)",
	     threads)
	NUMBER('l', "limit", "N", 0, G_MAXINT, "rows of a table (default: 40; of JSON and CSV all; 0: all)", limit)
	DECIMAL(0, "min", "PERCENT", 0, 100, "only rows of at least so many percent", least)
	LIST('w', "where", "CONDITION", "only records like '2 == \"xz\"'; repeatable", records.where)
	TEXT('s', "sum", "COLUMN", "add up a column of records: sum, min, avg, max", records.sum)
	TEXT(0, "delta", "COLUMN,...", "with --sum: growth since the last record with the same", records.delta)
	DECIMAL(0, "timeline", "MS", 0.000001, 1e12, "count records by such intervals of time", records.timeline)
	TEXT(0, "pair", "BEGIN,END", "times from records with BEGIN to those with END", records.pair)
	TEXT(0, "on", "COLUMN,...", "with --pair: what both of them share (tid)", records.on)
	TEXT(0, "time", "COLUMN", "with --pair: the column that has the time", records.time)
	FLAG(0, "percentiles", "with --sum or --pair: half, 90 and 99 percent", records.percentiles)
	FLAG(0, "hist", "with --sum or --pair: a histogram for each row", records.histogram)
	{ .kind = OPTION_END },
};

int main(int argc, char **argv)
{
	struct program_of report = { .name = who,
				     .what = "Shows a capture as a flat profile.",
				     .rows = rows,
				     .into = &opt,
				     .form = &form,
				     .keys = shown_keys,
				     .description = describe_keys(),
				     .check = check,
				     .run = run,
				     .run_records = run_records };
	int status = program_main(&report, argc, argv);

	g_free(report.description);
	return status;
}
