/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff.c - lapwing-diff, which `lapwing diff` runs: what has more or less of the samples in one
 * capture, or time of a store, than in another, beyond chance.
 */
#include "lib/failure_error.h"
#include "report/heading.h"
#include "report/report_main.h"
#include "report/tally.h"

#include <math.h>
#include <string.h>

static const char who[] = "lapwing diff";
static struct diff_options {
	const char *by;
	int	limit, all;
} opt = { .limit = -1 };
static enum data_form form;

/* What is told apart: its row in each of the two tallies, all 0 if there is none. */
struct row_pair {
	const char	*text;			/* as struct tally_row has it */
	struct tally_row before, after;
	double		change, interval;	/* of the share, in percent of all; of 95 % confidence, half of it */
	int		differs;		/* by more than chance */
};

struct diff {
	const struct key **keys;
	struct tally	*before, *after;
	GArray		*pairs;			/* the largest change first; those by chance last */
};

/* ---- pairs -------------------------------------------------------------------------*/

/* The texts of a row are one key of a hash: they end with an empty text. */
static GBytes *texts_of(const struct diff *d, const struct tally_row *row)
{
	const char *end = row->text;

	for (guint k = 0; d->keys[k]; k++)
		end += strlen(end) + 1;
	return g_bytes_new_static(row->text, (gsize)(end - row->text));
}

static struct row_pair *pair_of(struct diff *d, GHashTable *known, const struct tally_row *row)
{
	GBytes *texts = texts_of(d, row);
	guint at = GPOINTER_TO_UINT(g_hash_table_lookup(known, texts));
	struct row_pair new = { .text = row->text };

	if (!at) {
		g_array_append_val(d->pairs, new);
		at = d->pairs->len;
		g_hash_table_insert(known, g_bytes_ref(texts), GUINT_TO_POINTER(at));
	}
	g_bytes_unref(texts);
	return &g_array_index(d->pairs, struct row_pair, at - 1);
}

static gint by_change(gconstpointer a, gconstpointer b)
{
	const struct row_pair *p = a, *q = b;

	if (p->differs != q->differs)
		return p->differs ? -1 : 1;
	if (fabs(p->change) != fabs(q->change))
		return fabs(p->change) > fabs(q->change) ? -1 : 1;
	return strcmp(p->text, q->text);
}

static void compare(struct diff *d)
{
	GHashTable *known = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);

	d->pairs = g_array_new(FALSE, TRUE, sizeof(struct row_pair));
	for (guint i = 0; i < d->before->rows->len; i++) {
		const struct tally_row *row = &g_array_index(d->before->rows, struct tally_row, i);

		pair_of(d, known, row)->before = *row;
	}
	for (guint i = 0; i < d->after->rows->len; i++) {
		const struct tally_row *row = &g_array_index(d->after->rows, struct tally_row, i);

		pair_of(d, known, row)->after = *row;
	}
	for (guint i = 0; i < d->pairs->len; i++) {
		struct row_pair *p = &g_array_index(d->pairs, struct row_pair, i);
		struct tally_share before, after;

		p->change = tally_percent(p->after.weight, d->after->weight) -
			    tally_percent(p->before.weight, d->before->weight);
		before = tally_share(d->before, &p->before);
		after = tally_share(d->after, &p->after);
		p->differs = tally_differs(&before, &after);
		p->interval = 100 * tally_change_interval(&before, &after);
	}
	g_array_sort(d->pairs, by_change);
	g_hash_table_unref(known);
}

static guint shown(const struct diff *d)
{
	guint n = 0;

	while (n < d->pairs->len && (opt.all || g_array_index(d->pairs, struct row_pair, n).differs))
		n++;
	return opt.limit ? MIN(n, (guint)opt.limit) : n;
}

/* ---- text --------------------------------------------------------------------------*/

static void print_side(const char *name, const struct profile *p, const struct tally *t)
{
	char *span = heading_span(profile_end(p) - p->start), *when = key_time(p, p->start);

	printf("%-8s %s, for %s: %" G_GUINT64_FORMAT " samples, %" G_GUINT64_FORMAT " lost\n", name, when, span,
	       t->samples, p->books.lost);
	g_free(when);
	g_free(span);
}

static void print_pairs(const struct diff *d)
{
	guint n = shown(d), chance = 0;

	printf("\n  before    after   change  +-95%%");
	for (guint k = 0; d->keys[k]; k++)
		printf("  %s", d->keys[k]->title);
	putchar('\n');
	for (guint i = 0; i < n; i++) {
		const struct row_pair *p = &g_array_index(d->pairs, struct row_pair, i);
		const char *text = p->text;

		printf("%8.2f %8.2f %c%+7.2f %6.2f", tally_percent(p->before.weight, d->before->weight),
		       tally_percent(p->after.weight, d->after->weight), p->differs ? ' ' : '~', p->change, p->interval);
		for (guint k = 0; d->keys[k]; k++, text += strlen(text) + 1)
			printf("  %s", text);
		putchar('\n');
	}
	for (guint i = 0; i < d->pairs->len; i++)
		chance += !g_array_index(d->pairs, struct row_pair, i).differs;
	if (d->pairs->len - chance > n)
		printf("... %u rows more (--limit)\n", d->pairs->len - chance - n);
	if (chance && opt.all)
		printf("~: no more than chance\n");
	else if (chance)
		printf("... %u rows whose change is no more than chance (--all)\n", chance);
}

static void print_verdict(const char *name, const struct profile *p)
{
	printf("%s: ", name);
	heading_verdict(p, stdout);
}

/* ---- JSON and CSV --------------------------------------------------------------------*/

static void write_pair(struct data *to, const struct diff *d, const struct row_pair *p)
{
	const char *text = p->text;

	data_row(to);
	data_value(to, NULL, "%" G_GUINT64_FORMAT, p->before.samples);
	data_value(to, NULL, "%" G_GUINT64_FORMAT, p->after.samples);
	data_value(to, NULL, "%.4f", tally_percent(p->before.weight, d->before->weight));
	data_value(to, NULL, "%.4f", tally_percent(p->after.weight, d->after->weight));
	data_value(to, NULL, "%.4f", p->change);
	data_value(to, NULL, "%.4f", p->interval);
	data_value(to, NULL, p->differs ? "true" : "false");
	for (guint k = 0; d->keys[k]; k++, text += strlen(text) + 1)
		key_write(to, d->keys[k], text);
	data_close(to);
}

static void write_side(struct data *to, const char *name, const struct profile *p, const struct sample_filter *filter)
{
	data_object(to, name);
	heading_write(to, p, filter);
	data_close(to);
}

static int write_diff(const struct diff *d, const struct profile *base, const struct sample_filter *of_base,
		      const struct profile *p, const struct sample_filter *filter)
{
	static const char *const amounts[] = { "before_samples", "after_samples", "before", "after", "change", "interval",
					       "differs", NULL };
	const char **columns = keys_columns(NULL, amounts, d->keys);
	struct data to;

	data_begin(&to, stdout, form, "lapwing-diff/1");
	write_side(&to, "before_run", base, of_base);
	write_side(&to, "after_run", p, filter);
	data_rows(&to, "rows", columns);
	for (guint i = 0; i < shown(d); i++)
		write_pair(&to, d, &g_array_index(d->pairs, struct row_pair, i));
	data_close(&to);
	data_value(&to, "rows_left", "%u", d->pairs->len - shown(d));
	g_free(columns);
	return data_end(&to, who, "stdout");
}

/* ---- whole -------------------------------------------------------------------------*/

static int run(struct profile *base, const struct sample_filter *of_base, struct profile *p,
	       const struct sample_filter *filter)
{
	struct diff d = { .keys = keys_parse(opt.by, NULL) };
	int status = 0;

	heading_warn_empty(who, base, of_base);
	heading_warn_empty(who, p, filter);
	d.before = tally_make(base, d.keys, of_base);
	d.after = tally_make(p, d.keys, filter);
	compare(&d);
	if (form) {
		status = write_diff(&d, base, of_base, p, filter);
	} else {
		printf("event    %s\n", PROFILE_AT(p->events, event, filter->event)->name);
		print_side("before", base, d.before);
		print_side("after", p, d.after);
		print_pairs(&d);
		putchar('\n');
		print_verdict("before", base);
		print_verdict("after", p);
	}
	g_array_unref(d.pairs);
	tally_free(d.before);
	tally_free(d.after);
	g_free(d.keys);
	return status;
}

static char *shown_keys(int chosen)
{
	return g_strdup(opt.by);
}

static int check(const char *path)
{
	GError *error = NULL;
	const struct key **known;

	if (!opt.by)
		opt.by = "function,image";
	if (opt.limit < 0)
		opt.limit = form ? 0 : 40;
	known = keys_parse(opt.by, &error);
	g_free(known);
	return error ? failure_report(who, error), -1 : 0;
}

#define OPTION_INTO struct diff_options
static const struct option_row rows[] = {
	TEXT('b', "by", "KEY,...", "what rows are told apart by (default: function,image)", by)
	NUMBER('l', "limit", "N", 0, G_MAXINT, "so many rows (default: 40; 0: all)", limit)
	FLAG(0, "all", "also what has changed by no more than chance", all)
	{ .kind = OPTION_END },
};

int main(int argc, char **argv)
{
	const struct program_of diff = { .name = who,
					 .what = "Shows what has more or less of the samples than before, beyond chance.",
					 .rows = rows,
					 .into = &opt,
					 .form = &form,
					 .keys = shown_keys,
					 .check = check,
					 .run_pair = run };

	return program_main(&diff, argc, argv);
}
