/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.c - lapwing-report, which `lapwing report` runs: a capture as flat tables.
 */
#include "report/export.h"
#include "report/export_text.h"
#include "report/heading.h"
#include "report/report_main.h"
#include "report/tally.h"

#include <stdlib.h>
#include <string.h>

static struct report_options {
	const char *by;
	int	limit, apart, delayed, csv, threads;
	double	least;			/* percent */
} opt = { .limit = 40 };

/* ---- printing ------------------------------------------------------------------*/

static double percent(guint64 part, guint64 all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static void print_csv(const struct tally *t)
{
	GString *text = g_string_new(NULL);

	export_csv_rows(text, t);
	fputs(text->str, stdout);
	g_string_free(text, TRUE);
}

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
	       percent(g_array_index(t->rows, struct tally_row, n).weight, t->weight) >= opt.least)
		n++;
	return n;
}

static void print_amount(const struct tally_row *row, const struct tally *t, int blocked)
{
	if (blocked) {
		printf("%12.3f %8.2f", (double)row->weight / 1e6, percent(row->weight, t->weight));
		return;
	}
	printf("%9" G_GUINT64_FORMAT " %8.2f %6.2f", row->samples, percent(row->weight, t->weight),
	       100 * tally_interval(row->samples, t->samples));
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
		       t->rows->len - shown, percent(left, t->weight));
}

/* ---- tables --------------------------------------------------------------------*/

static void one_table(const struct profile *p, const char *by, const struct sample_filter *filter,
		      const char *title)
{
	const struct key **chosen = keys_parse(by, NULL);
	struct tally *t = tally_make(p, chosen, filter);

	if (opt.csv) {
		print_csv(t);
	} else if (t->rows->len || !title) {
		if (title)
			printf("\n%s\n", title);
		print_table(p, t, filter->event);
	}
	tally_free(t);
	g_free(chosen);
}

/*
 * Divides the time: programs' own code, the kernel for each program, the kernel altogether, and
 * idle.
 */
static void print_apart(const struct profile *p, struct sample_filter filter)
{
	filter.mode = "user";
	one_table(p, opt.by, &filter, "programs' own code");
	filter.mode = "kernel";
	one_table(p, "name,function,image", &filter, "the kernel, for each program");
	one_table(p, "function,image", &filter, "the kernel, altogether");
	filter.mode = "idle";
	one_table(p, "cpu", &filter, "idle");
}

/*
 * A renamed thread is in the profile once per name: all of its time is added to the last one.
 */
static void print_threads(const struct profile *p)
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
	printf("\n    on CPU ms   off CPU ms      wall ms  thread\n");
	for (guint i = 0; i < whole->len; i++) {
		const struct profile_thread *t = PROFILE_AT(whole, thread, i);

		if (t->on || t->off)
			printf("%13.3f %12.3f %12.3f  %s(%d)\n", (double)t->on / 1e6,
			       (double)t->off / 1e6, (double)(t->on + t->off) / 1e6, t->name,
			       t->tid);
	}
	g_hash_table_destroy(rows);
	g_array_free(whole, TRUE);
}

static void print_modes(const struct profile *p, const struct sample_filter *filter)
{
	const struct key **mode = keys_parse("mode", NULL);
	struct tally *t = tally_make(p, mode, filter);

	for (guint i = 0; i < t->rows->len; i++) {
		const struct tally_row *row = &g_array_index(t->rows, struct tally_row, i);

		printf("%s %s %.2f %%", i ? "," : "where   ", tally_text(row, 0),
		       percent(row->weight, t->weight));
	}
	if (t->delayed)
		printf("; %" G_GUINT64_FORMAT
		       " samples came late: interrupts were off, or the machine stood still (--delayed)",
		       t->delayed);
	fputs(t->rows->len ? "\n" : "", stdout);
	tally_free(t);
	g_free(mode);
}

static int run(struct profile *p, const struct sample_filter *filter)
{
	heading_warn_empty("lapwing report", p, filter);
	if (!opt.csv) {
		heading_print(p, filter->event, stdout);
		print_modes(p, filter);
		putchar('\n');
	}
	if (opt.apart)
		print_apart(p, *filter);
	else
		one_table(p, opt.by, filter, NULL);
	if (opt.threads)
		print_threads(p);
	if (!opt.csv) {
		putchar('\n');
		heading_verdict(p, stdout);
	}
	return 0;
}

/* ---- options -------------------------------------------------------------------*/

static char *describe_keys(void)
{
	GString *text = g_string_new("Samples are told apart by:\n");

	for (const struct key *key = keys; key->name; key++)
		g_string_append_printf(text, "  %-10s %s\n", key->name, key->what);
	return g_string_free(text, FALSE);
}

static char *check(const char *path)
{
	GError *error = NULL;
	const struct key **chosen;
	char *wrong;

	if (!opt.by)
		opt.by = g_strdup("function,image");
	if (opt.limit < 0)
		return g_strdup("--limit takes 0 (all) or more");
	chosen = keys_parse(opt.by, &error);
	wrong = chosen ? NULL : g_strdup(error->message);
	g_clear_error(&error);
	g_free(chosen);
	return wrong;
}

#define OPTION_INTO struct report_options
static const struct option_row rows[] = {
	TEXT('b', "by", "KEY,...", "what rows are told apart by (default: function,image)", by)
	FLAG(0, "apart", "programs, the kernel by program, the kernel altogether and idle apart",
	     apart)
	FLAG(0, "delayed", "columns: all samples, those on time, those that came late", delayed)
	FLAG('t', "threads", "how long each thread ran and waited (recorded with --off-cpu)",
	     threads)
	NUMBER('l', "limit", "N", 0, G_MAXINT, "rows of a table (default: 40; 0: all)", limit)
	DECIMAL(0, "min", "PERCENT", 0, 100, "only rows of at least so many percent", least)
	FLAG(0, "csv", "the table alone, all rows, as CSV with a header", csv)
	{ .kind = OPTION_END },
};

int main(int argc, char **argv)
{
	struct program_of report = { .name = "lapwing report",
				     .what = "Shows a capture as a flat profile.",
				     .rows = rows,
				     .into = &opt,
				     .description = describe_keys(),
				     .check = check,
				     .run = run };
	int status = program_main(&report, argc, argv);

	g_free(report.description);
	return status;
}
