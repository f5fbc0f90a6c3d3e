/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records_table.c - see records_table.h.
 *
 * A row's measure is a column's number (--sum), or the time between two records (--pair): the one
 * whose first column is BEGIN, and the next one whose first column is END and that has the same keys
 * of --on. Of pairs the row is that of the second record.
 */
#include "report/records_table.h"

#include "lib/failure_error.h"
#include "report/heading.h"
#include "report/records.h"
#include "runtime/core/hist.h"
#include "runtime/core/sink.h"

#include <stdlib.h>
#include <string.h>

#define INTERVALS_MAX	100000

struct row {
	char		*text;		/* the keys' texts, each with a NUL */
	guint64		n;
	GArray		*values;	/* gint64: the measure; NULL: there is none */
	double		sum;		/* of them */
};

struct table {
	const struct profile *p;
	const struct records_options *opt;
	GPtrArray	*keys;		/* struct record_key; NULL: a list */
	GPtrArray	*on;
	GPtrArray	*delta;
	GHashTable	*latest;	/* keys of --delta to the number then */
	struct record_key *interval;	/* of --timeline: the first one of keys; else NULL */
	GPtrArray	*where;
	struct record_key *sum, *time, *marker;
	char		**pair;
	GHashTable	*open;		/* keys of --on to the time of BEGIN, plus one */
	guint64		unpaired;	/* ENDs without a BEGIN, and BEGINs twice */
	GHashTable	*index;		/* text to struct row */
	GPtrArray	*rows;
	int		seen[2];	/* the markers of --pair, in records that pass */
	struct data	*data;		/* of a list that programs read, and its columns' keys */
	GPtrArray	*all;
	guint64		passed;		/* records, the conditions */
	guint64		n;		/* records that count in rows */
	double		most;		/* the heaviest row's weight */
};

static guint text_hash(gconstpointer key)
{
	return g_bytes_hash(key);
}

/* The keys' texts, each ended by a NUL, as one key of a hash table. */
static GBytes *texts_of(const struct table *t, const struct profile_record *r,
			const GPtrArray *keys)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < keys->len; i++) {
		record_text(text, t->p, r, keys->pdata[i]);
		g_string_append_c(text, 0);
	}
	return g_string_free_to_bytes(text);
}

static int passes(const struct table *t, const struct profile_record *r)
{
	for (guint i = 0; i < t->where->len; i++)
		if (!record_passes(t->p, r, t->where->pdata[i]))
			return 0;
	return 1;
}

/* ---- measures ------------------------------------------------------------------*/

static gint64 time_of(const struct table *t, const struct profile_record *r)
{
	gint64 time = (gint64)r->time;

	return t->time && !record_number(t->p, r, t->time, &time) ? (gint64)r->time : time;
}

/* 1: the record ends a pair, *value is its time. */
static int take_pair(struct table *t, const struct profile_record *r, gint64 *value)
{
	GString *marker = g_string_new(NULL);
	GBytes *key = texts_of(t, r, t->on);
	gint64 *began = g_hash_table_lookup(t->open, key);
	int is_begin, is_end, ends = 0;

	record_text(marker, t->p, r, t->marker);
	is_begin = !strcmp(marker->str, t->pair[0]);
	is_end = !strcmp(marker->str, t->pair[1]);
	t->seen[0] |= is_begin;
	t->seen[1] |= is_end;
	t->unpaired += is_begin ? began != NULL : is_end && !began;
	if (is_end && began) {
		*value = time_of(t, r) - *began;
		g_hash_table_remove(t->open, key);
		ends = 1;
	}
	if (is_begin) {
		gint64 time = time_of(t, r);

		g_hash_table_replace(t->open, g_bytes_ref(key), g_memdup2(&time, sizeof(time)));
	}
	g_bytes_unref(key);
	g_string_free(marker, TRUE);
	return ends;
}

/* 1: the same keys were in a record before; *value becomes how much it grew since. */
static int take_delta(struct table *t, const struct profile_record *r, gint64 *value)
{
	GBytes *key = texts_of(t, r, t->delta);
	gint64 *before = g_hash_table_lookup(t->latest, key), now = *value;
	int has_grown = before != NULL;

	if (before)
		*value = (gint64)((guint64)now - (guint64)*before);
	g_hash_table_replace(t->latest, key, g_memdup2(&now, sizeof(now)));
	return has_grown;
}

/* 1: the record counts. *value: its measure, if there is one. */
static int measure(struct table *t, const struct profile_record *r, gint64 *value)
{
	if (t->pair)
		return take_pair(t, r, value);
	if (t->sum && !record_number(t->p, r, t->sum, value))
		return 0;
	return !t->delta || take_delta(t, r, value);
}

/* The row of these texts, which it takes. */
static struct row *row_of(struct table *t, GBytes *key)
{
	struct row *row = g_hash_table_lookup(t->index, key);

	if (row) {
		g_bytes_unref(key);
		return row;
	}
	row = g_new0(struct row, 1);
	row->text = (char *)g_bytes_get_data(key, NULL);
	row->values = t->sum || t->pair ? g_array_new(FALSE, FALSE, sizeof(gint64)) : NULL;
	g_hash_table_insert(t->index, key, row);
	g_ptr_array_add(t->rows, row);
	return row;
}

static int by_value(gconstpointer a, gconstpointer b)
{
	gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;

	return (x > y) - (x < y);
}

static double weight_of(const struct row *row)
{
	return row->values ? row->sum : (double)row->n;
}

/* Rows with most of what is measured first, else those with most records; equal ones by their text. */
static int by_weight(gconstpointer a, gconstpointer b)
{
	const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;
	double s = weight_of(x), t = weight_of(y);

	return s > t ? -1 : s < t ? 1 : strcmp(x->text, y->text);
}

/* Rows of --timeline, whose first text is a time. */
static int by_interval(gconstpointer a, gconstpointer b)
{
	const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;
	double s = g_ascii_strtod(x->text, NULL), t = g_ascii_strtod(y->text, NULL);

	return s > t ? 1 : s < t ? -1 : by_weight(a, b);
}

static int by_time(gconstpointer a, gconstpointer b, gpointer records)
{
	const GArray *all = records;
	guint32 i = *(const guint32 *)a, k = *(const guint32 *)b;
	guint64 x = g_array_index(all, struct profile_record, i).time,
		y = g_array_index(all, struct profile_record, k).time;

	return x != y ? (x > y) - (x < y) : (i > k) - (i < k);
}

/* The numbers of all records, in order of time: those of different calls are in frames of their own. */
static GArray *in_order(const struct profile *p)
{
	GArray *order = g_array_new(FALSE, FALSE, sizeof(guint32));

	for (guint32 i = 0; i < p->records->len; i++)
		g_array_append_val(order, i);
	g_array_sort_with_data(order, by_time, p->records);
	return order;
}

/* Calls one() for the first records that pass, in order of time; returns how many more there are. */
static guint each_record(struct table *t, guint limit,
			 void (*one)(struct table *t, const struct profile_record *r))
{
	GArray *order = in_order(t->p);

	for (guint i = 0; i < order->len; i++) {
		const struct profile_record *r =
			PROFILE_AT(t->p->records, record, g_array_index(order, guint32, i));

		if (passes(t, r) && t->passed++ < limit)
			one(t, r);
	}
	g_array_free(order, TRUE);
	return t->passed > limit ? (guint)(t->passed - limit) : 0;
}

static void take_record(struct table *t, const struct profile_record *r)
{
	gint64 value = 0;
	struct row *row;

	if (!measure(t, r, &value))
		return;
	row = row_of(t, texts_of(t, r, t->keys));
	row->n++;
	t->n++;
	if (!row->values)
		return;
	g_array_append_val(row->values, value);
	row->sum += (double)value;
}

/* Intervals without a record have a row, too, up to the one in which the run ended. */
static void fill_timeline(struct table *t)
{
	guint64 last = (profile_end(t->p) - t->p->start) / t->interval->interval;

	for (guint64 n = 0; t->keys->len == 1 && n <= last; n++) {
		GString *text = g_string_new(NULL);

		record_interval_text(text, n, t->interval);
		g_string_append_c(text, 0);
		row_of(t, g_string_free_to_bytes(text));
	}
}

static void take_all(struct table *t)
{
	each_record(t, G_MAXUINT, take_record);
	if (t->interval && t->n)
		fill_timeline(t);
	for (guint i = 0; i < t->rows->len; i++) {
		struct row *row = t->rows->pdata[i];

		t->most = MAX(t->most, weight_of(row));
		if (row->values)
			g_array_sort(row->values, by_value);
	}
	g_ptr_array_sort(t->rows, t->interval ? by_interval : by_weight);
}

/* ---- printing ------------------------------------------------------------------*/

static const char *key_text(const struct row *row, guint i)
{
	const char *text = row->text;

	while (i--)
		text += strlen(text) + 1;
	return text;
}

static guint limit_of(const struct table *t)
{
	return t->opt->limit ? (guint)t->opt->limit : G_MAXUINT;
}

static guint shown(const struct table *t)
{
	return MIN(t->rows->len, limit_of(t));
}

static gint64 percentile(const struct row *row, guint percent)
{
	guint n = row->values->len, rank = (n * percent + 99) / 100;

	return g_array_index(row->values, gint64, rank ? rank - 1 : 0);
}

static const guint percents[] = { 50, 90, 99 };

static void print_measure(const struct table *t, const struct row *row)
{
	guint n = row->values->len;

	if (!n) {
		printf(" %16s %12s %14s %12s", "0", "-", "-", "-");
		for (guint i = 0; t->opt->percentiles && i < G_N_ELEMENTS(percents); i++)
			printf(" %12s", "-");
		return;
	}
	printf(" %16.0f %12" G_GINT64_FORMAT " %14.1f %12" G_GINT64_FORMAT, row->sum,
	       g_array_index(row->values, gint64, 0), row->sum / n,
	       g_array_index(row->values, gint64, n - 1));
	for (guint i = 0; t->opt->percentiles && i < G_N_ELEMENTS(percents); i++)
		printf(" %12" G_GINT64_FORMAT, percentile(row, percents[i]));
}

static void print_head(const struct table *t)
{
	printf("    count  percent");
	if (t->sum || t->pair)
		printf(" %16s %12s %14s %12s", "sum", "min", "avg", "max");
	for (guint i = 0; t->opt->percentiles && i < G_N_ELEMENTS(percents); i++)
		printf("          p%u", percents[i]);
	for (guint i = 0; i < t->keys->len; i++)
		printf("  %s", ((struct record_key *)t->keys->pdata[i])->name);
	putchar('\n');
}

static void drain(struct sink *s)
{
	fwrite(s->p, 1, s->used, stdout);
	s->used = 0;
}

/* A histogram by powers of 2, as @hist_log() prints it. */
static void print_hist(const struct row *row)
{
	struct rt_stat_desc desc = { .ops = RT_HIST_LOG };
	struct rt_limits limits = { .hist_width = 50, .hist_elision = 2 };
	char text[4096];
	struct sink out = { .p = text, .size = sizeof(text), .drain = drain };
	u64 *count = g_new0(u64, hist_buckets(&desc));
	struct wire_hist h;

	for (guint i = 0; i < row->values->len; i++)
		count[hist_log_bucket(g_array_index(row->values, gint64, i))]++;
	hist_describe(&desc, &limits, &h);
	hist_print(&out, &h, count);
	drain(&out);
	g_free(count);
}

/* As long as the row's weight, of the heaviest. */
static void print_bar(const struct table *t, const struct row *row)
{
	fputs("  |", stdout);
	for (double at = 0.5; t->most > 0 && at <= 40 * weight_of(row) / t->most; at++)
		putchar('@');
}

static void print_row(const struct table *t, const struct row *row)
{
	printf("%9" G_GUINT64_FORMAT " %8.2f", row->n, 100.0 * (double)row->n / (double)t->n);
	if (row->values)
		print_measure(t, row);
	for (guint k = 0; k < t->keys->len; k++)
		printf("  %s", key_text(row, k));
	if (t->interval)
		print_bar(t, row);
	putchar('\n');
	if (t->opt->histogram && row->values)
		print_hist(row);
}

static void print_table(const struct table *t)
{
	guint n = shown(t);

	print_head(t);
	for (guint i = 0; i < n; i++)
		print_row(t, t->rows->pdata[i]);
	if (n < t->rows->len)
		printf("... %u rows more (--limit)\n", t->rows->len - n);
}

static void write_row(struct data *d, const struct row *row, guint nkeys)
{
	data_row(d);
	data_value(d, NULL, "%" G_GUINT64_FORMAT, row->n);
	if (row->values && !row->values->len) {
		data_value(d, NULL, "0");
		for (guint i = 0; i < 3 + G_N_ELEMENTS(percents); i++)
			data_text(d, NULL, NULL);
	} else if (row->values) {
		data_value(d, NULL, "%.0f", row->sum);
		data_value(d, NULL, "%" G_GINT64_FORMAT, g_array_index(row->values, gint64, 0));
		data_value(d, NULL, "%.3f", row->sum / row->values->len);
		data_value(d, NULL, "%" G_GINT64_FORMAT,
			   g_array_index(row->values, gint64, row->values->len - 1));
		for (guint i = 0; i < G_N_ELEMENTS(percents); i++)
			data_value(d, NULL, "%" G_GINT64_FORMAT, percentile(row, percents[i]));
	}
	for (guint k = 0; k < nkeys; k++)
		data_text(d, NULL, key_text(row, k));
	data_close(d);
}

static void write_table(struct data *d, const struct table *t)
{
	static const char *const measured[] = { "sum", "min", "avg", "max", "p50", "p90", "p99" };
	GPtrArray *columns = g_ptr_array_new();

	g_ptr_array_add(columns, (char *)"count");
	for (guint i = 0; (t->sum || t->pair) && i < G_N_ELEMENTS(measured); i++)
		g_ptr_array_add(columns, (char *)measured[i]);
	for (guint i = 0; i < t->keys->len; i++)
		g_ptr_array_add(columns, ((struct record_key *)t->keys->pdata[i])->name);
	g_ptr_array_add(columns, NULL);
	data_rows(d, "rows", (const char *const *)columns->pdata);
	for (guint i = 0; i < shown(t); i++)
		write_row(d, t->rows->pdata[i], t->keys->len);
	data_close(d);
	data_value(d, "rows_left", "%u", t->rows->len - shown(t));
	g_ptr_array_unref(columns);
}

/* ---- the list ------------------------------------------------------------------*/

/* A record's columns, in order, whatever their names. */
static void print_record(struct table *t, const struct profile_record *r)
{
	GString *line = g_string_new(NULL);

	for (guint32 i = 0; i < PROFILE_AT(t->p->calls, call, r->call)->n; i++) {
		g_string_append_c(line, '\t');
		record_column_text(line, t->p, r, i);
	}
	printf("%.9f%s\n", (double)(r->time - t->p->start) / 1e9, line->str);
	g_string_free(line, TRUE);
}

static void print_list(struct table *t)
{
	guint left = each_record(t, limit_of(t), print_record);

	if (left)
		printf("... %u records more (--limit)\n", left);
}

/* The names of all columns, each once: keys of the records. */
static GPtrArray *all_keys(const struct profile *p)
{
	GPtrArray *keys = g_ptr_array_new_with_free_func((GDestroyNotify)record_key_free);
	GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);
	guint nfacts = g_strv_length((char **)record_facts);

	for (guint i = 0; i < nfacts + p->columns->len; i++) {
		const char *name = i < nfacts
					   ? record_facts[i]
					   : PROFILE_AT(p->columns, column, i - nfacts)->name;

		if (g_hash_table_add(seen, (char *)name))
			g_ptr_array_add(keys, record_key_new(p, name, NULL));
	}
	g_hash_table_unref(seen);
	return keys;
}

static void write_record(struct table *t, const struct profile_record *r)
{
	data_row(t->data);
	for (guint k = 0; k < t->all->len; k++) {
		const struct record_key *key = t->all->pdata[k];
		GString *text = g_string_new(NULL);
		gint64 value;

		if (record_number(t->p, r, key, &value)) {
			data_value(t->data, NULL, "%" G_GINT64_FORMAT, value);
		} else {
			record_text(text, t->p, r, key);
			data_text(t->data, NULL, record_has(r, key) ? text->str : NULL);
		}
		g_string_free(text, TRUE);
	}
	data_close(t->data);
}

static void write_list(struct data *d, struct table *t)
{
	GPtrArray *names = g_ptr_array_new();
	guint left;

	t->data = d;
	t->all = all_keys(t->p);
	for (guint k = 0; k < t->all->len; k++)
		g_ptr_array_add(names, ((struct record_key *)t->all->pdata[k])->name);
	g_ptr_array_add(names, NULL);
	data_rows(d, "rows", (const char *const *)names->pdata);
	left = each_record(t, limit_of(t), write_record);
	data_close(d);
	data_value(d, "rows_left", "%u", left);
	g_ptr_array_unref(names);
	g_ptr_array_unref(t->all);
}

/* ---- whole ---------------------------------------------------------------------*/

static void print_heading(const struct profile *p)
{
	heading_run(p, stdout);
	printf("records  %u received", p->records->len);
	if (p->books.complete)
		printf(", %" G_GUINT64_FORMAT " lost, %" G_GUINT64_FORMAT " hits missed",
		       p->books.records_lost, p->books.missed);
	fputs("\n\n", stdout);
}

static void write_book(struct data *d, const struct profile *p, const char *name, guint64 value)
{
	if (p->books.complete)
		data_value(d, name, "%" G_GUINT64_FORMAT, value);
	else		/* the capture was cut off */
		data_text(d, name, NULL);
}

static void write_heading(struct data *d, const struct profile *p)
{
	heading_write_run(d, p);
	data_value(d, "records", "%u", p->records->len);
	write_book(d, p, "records_lost", p->books.records_lost);
	write_book(d, p, "missed", p->books.missed);
	data_array(d, "warnings");
	for (char **warning = p->books.warnings; warning && *warning; warning++)
		data_text(d, NULL, *warning);
	data_close(d);
	heading_write_verdict(d, p);
}

static int fail(const char *who, GError *error)
{
	failure_report(who, error);
	return 2;
}

/* NULL with *error set: unknown, or no number. */
static struct record_key *number_key(const struct profile *p, const char *option, const char *name,
				     GError **error)
{
	struct record_key *key = record_key_new(p, name, error);

	if (!key || record_key_is_number(p, key))
		return key;
	g_set_error(error, FAILURE_ERROR, FAILURE_OPTION_VALUE,
		    "%s %s: expected a column of numbers, and no record has a number there", option,
		    name);
	record_key_free(key);
	return NULL;
}

/* 0, or -1 with *error set. */
static int prepare_timeline(struct table *t, GError **error)
{
	guint64 interval = MAX((guint64)(t->opt->timeline * 1e6), 1),
		n = (profile_end(t->p) - t->p->start) / interval;

	if (n > INTERVALS_MAX) {
		g_set_error(error, FAILURE_ERROR, FAILURE_OPTION_VALUE,
			    "--timeline %g: the run lasted %" G_GUINT64_FORMAT " such intervals, and at most %d are shown",
			    t->opt->timeline, n, INTERVALS_MAX);
		return -1;
	}
	t->interval = record_key_interval(interval);
	if (!t->keys)
		t->keys = g_ptr_array_new_with_free_func((GDestroyNotify)record_key_free);
	g_ptr_array_insert(t->keys, 0, t->interval);
	return 0;
}

/* 0, or -1 with *error set. */
static int prepare(struct table *t, GError **error)
{
	const struct records_options *opt = t->opt;

	t->where = g_ptr_array_new_with_free_func((GDestroyNotify)record_where_free);
	for (const char **where = opt->where; where && *where; where++) {
		struct record_where *w = record_where_parse(t->p, *where, error);

		if (!w)
			return -1;
		g_ptr_array_add(t->where, w);
	}
	if (opt->by && !(t->keys = record_keys_parse(t->p, opt->by, error)))
		return -1;
	if (opt->timeline && prepare_timeline(t, error))
		return -1;
	if (opt->delta && !(t->delta = record_keys_parse(t->p, opt->delta, error)))
		return -1;
	if (opt->sum && !(t->sum = number_key(t->p, "--sum", opt->sum, error)))
		return -1;
	if (opt->time && !(t->time = number_key(t->p, "--time", opt->time, error)))
		return -1;
	if (!opt->pair)
		return 0;
	t->pair = g_strsplit(opt->pair, ",", 2);
	if (!t->pair[1]) {
		g_set_error(error, FAILURE_ERROR, FAILURE_OPTION_VALUE,
			    "--pair %s: expected BEGIN,END, texts of the first column", opt->pair);
		return -1;
	}
	t->marker = record_key_new(t->p, "1", error);
	t->on = t->marker ? record_keys_parse(t->p, opt->on ? opt->on : "tid", error) : NULL;
	return t->on ? 0 : -1;
}

static void row_free(struct row *row)
{
	if (row->values)
		g_array_free(row->values, TRUE);
	g_free(row);
}

static void clear(struct table *t)
{
	g_clear_pointer(&t->keys, g_ptr_array_unref);
	g_clear_pointer(&t->on, g_ptr_array_unref);
	g_clear_pointer(&t->delta, g_ptr_array_unref);
	g_clear_pointer(&t->where, g_ptr_array_unref);
	g_clear_pointer(&t->sum, record_key_free);
	g_clear_pointer(&t->time, record_key_free);
	g_clear_pointer(&t->marker, record_key_free);
	g_clear_pointer(&t->pair, g_strfreev);
	g_ptr_array_unref(t->rows);
	g_hash_table_unref(t->index);
	g_hash_table_unref(t->open);
	g_hash_table_unref(t->latest);
}

/* An empty answer is more often a typing error than what there was. */
static void warn_empty(const char *who, const struct table *t)
{
	for (guint i = 0; t->pair && t->passed && i < 2; i++)
		if (!t->seen[i])
			failure_print(who, FAILURE_CAPTURE_LACKS,
				      "WARNING: --pair: the first column of no record%s is '%s'",
				      t->where->len ? " that passes --where" : "", t->pair[i]);
	if (!t->passed && t->p->records->len)
		failure_print(who, FAILURE_CAPTURE_LACKS,
			      "WARNING: none of the %u records passes --where", t->p->records->len);
	else if (t->sum && !t->n && t->passed)
		failure_print(who, FAILURE_CAPTURE_LACKS,
			      "WARNING: no record that passes --where has a number of --sum %s",
			      t->sum->name);
}

static int show_data(const char *who, struct table *t)
{
	struct data d;

	data_begin(&d, stdout, t->opt->form, "lapwing-records/1");
	write_heading(&d, t->p);
	if (t->keys)
		write_table(&d, t);
	else
		write_list(&d, t);
	warn_empty(who, t);
	return data_end(&d, who, "stdout");
}

static int show(const char *who, struct table *t)
{
	if (t->keys || t->sum || t->pair) {
		if (!t->keys)
			t->keys = g_ptr_array_new();
		take_all(t);
		t->unpaired += t->pair ? g_hash_table_size(t->open) : 0;
	}
	if (t->opt->form)
		return show_data(who, t);
	print_heading(t->p);
	if (t->keys)
		print_table(t);
	else
		print_list(t);
	if (t->unpaired)
		printf("%" G_GUINT64_FORMAT " of %s and %s have no partner\n", t->unpaired, t->pair[0],
		       t->pair[1]);
	putchar('\n');
	heading_verdict(t->p, stdout);
	warn_empty(who, t);
	return 0;
}

int records_report(const char *who, const struct profile *p, const struct records_options *opt)
{
	struct table t = { .p = p,
			   .opt = opt,
			   .open = g_hash_table_new_full(text_hash, g_bytes_equal,
							 (GDestroyNotify)g_bytes_unref, g_free),
			   .latest = g_hash_table_new_full(text_hash, g_bytes_equal,
							   (GDestroyNotify)g_bytes_unref, g_free),
			   .index = g_hash_table_new_full(text_hash, g_bytes_equal,
							  (GDestroyNotify)g_bytes_unref, NULL),
			   .rows = g_ptr_array_new_with_free_func((GDestroyNotify)row_free) };
	GError *error = NULL;
	int status = prepare(&t, &error) ? fail(who, error) : show(who, &t);

	clear(&t);
	return status;
}
