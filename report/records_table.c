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

struct row {
	char		*text;		/* the keys' texts, each with a NUL */
	guint64		n;
	GArray		*values;	/* gint64: the measure; NULL: there is none */
};

struct table {
	const struct profile *p;
	const struct records_options *opt;
	GPtrArray	*keys;		/* struct record_key; NULL: a list */
	GPtrArray	*on;
	GPtrArray	*where;
	struct record_key *sum, *time, *marker;
	char		**pair;
	GHashTable	*open;		/* keys of --on to the time of BEGIN, plus one */
	guint64		unpaired;	/* ENDs without a BEGIN, and BEGINs twice */
	GHashTable	*index;		/* text to struct row */
	GPtrArray	*rows;
	guint64		n, passed;
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

/* 1: the record counts. *value: its measure, if there is one. */
static int measure(struct table *t, const struct profile_record *r, gint64 *value)
{
	if (t->pair)
		return take_pair(t, r, value);
	return !t->sum || record_number(t->p, r, t->sum, value);
}

static struct row *row_of(struct table *t, const struct profile_record *r)
{
	GBytes *key = texts_of(t, r, t->keys);
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

static double total(const struct row *row)
{
	double sum = 0;

	for (guint i = 0; row->values && i < row->values->len; i++)
		sum += (double)g_array_index(row->values, gint64, i);
	return sum;
}

/* Rows with most of what is measured first, else those with most records; equal ones by their text. */
static int by_weight(gconstpointer a, gconstpointer b)
{
	const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;
	double s = x->values ? total(x) : (double)x->n, t = y->values ? total(y) : (double)y->n;

	return s > t ? -1 : s < t ? 1 : strcmp(x->text, y->text);
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

static void take_all(struct table *t)
{
	GArray *order = in_order(t->p);

	for (guint i = 0; i < order->len; i++) {
		const struct profile_record *r =
			PROFILE_AT(t->p->records, record, g_array_index(order, guint32, i));
		struct row *row;
		gint64 value = 0;

		if (!passes(t, r) || !measure(t, r, &value))
			continue;
		row = row_of(t, r);
		row->n++;
		t->n++;
		if (row->values)
			g_array_append_val(row->values, value);
	}
	g_array_free(order, TRUE);
	for (guint i = 0; i < t->rows->len; i++)
		if (((struct row *)t->rows->pdata[i])->values)
			g_array_sort(((struct row *)t->rows->pdata[i])->values, by_value);
	g_ptr_array_sort(t->rows, by_weight);
}

/* ---- printing ------------------------------------------------------------------*/

static const char *key_text(const struct row *row, guint i)
{
	const char *text = row->text;

	while (i--)
		text += strlen(text) + 1;
	return text;
}

static guint shown(const struct table *t)
{
	return t->opt->limit && t->rows->len > (guint)t->opt->limit ? (guint)t->opt->limit
								    : t->rows->len;
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

	printf(" %16.0f %12" G_GINT64_FORMAT " %14.1f %12" G_GINT64_FORMAT, total(row),
	       g_array_index(row->values, gint64, 0), total(row) / n,
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

static void print_row(const struct table *t, const struct row *row)
{
	printf("%9" G_GUINT64_FORMAT " %8.2f", row->n, 100.0 * (double)row->n / (double)t->n);
	if (row->values)
		print_measure(t, row);
	for (guint k = 0; k < t->keys->len; k++)
		printf("  %s", key_text(row, k));
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
	if (row->values) {
		data_value(d, NULL, "%.0f", total(row));
		data_value(d, NULL, "%" G_GINT64_FORMAT, g_array_index(row->values, gint64, 0));
		data_value(d, NULL, "%.3f", total(row) / row->values->len);
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
static void print_record(const struct profile *p, const struct profile_record *r)
{
	const struct profile_call *call = PROFILE_AT(p->calls, call, r->call);
	GString *line = g_string_new(NULL);

	for (guint32 i = 0; i < call->n; i++) {
		guint32 *column = g_new(guint32, p->calls->len);
		struct record_key key = { .column = column };

		column[r->call] = call->first + i;
		g_string_append_c(line, '\t');
		record_text(line, p, r, &key);
		g_free(column);
	}
	printf("%.9f%s\n", (double)(r->time - p->start) / 1e9, line->str);
	g_string_free(line, TRUE);
}

static void print_list(const struct table *t)
{
	GArray *order = in_order(t->p);
	guint n = 0, left = 0;

	for (guint i = 0; i < order->len; i++) {
		const struct profile_record *r =
			PROFILE_AT(t->p->records, record, g_array_index(order, guint32, i));

		if (!passes(t, r))
			continue;
		if (!t->opt->limit || n++ < (guint)t->opt->limit)
			print_record(t->p, r);
		else
			left++;
	}
	if (left)
		printf("... %u records more (--limit)\n", left);
	g_array_free(order, TRUE);
}

/* The names of all columns, each once: keys of the records. */
static GPtrArray *all_keys(const struct profile *p)
{
	static const char *const facts[] = { "time", "cpu", "tid", "pid", "probe" };
	GPtrArray *keys = g_ptr_array_new_with_free_func((GDestroyNotify)record_key_free);
	GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < G_N_ELEMENTS(facts) + p->columns->len; i++) {
		const char *name = i < G_N_ELEMENTS(facts)
					   ? facts[i]
					   : PROFILE_AT(p->columns, column, i - G_N_ELEMENTS(facts))->name;

		if (g_hash_table_add(seen, (char *)name))
			g_ptr_array_add(keys, record_key_new(p, name, NULL));
	}
	g_hash_table_unref(seen);
	return keys;
}

static void write_record(struct data *d, const struct table *t, const struct profile_record *r,
			 const GPtrArray *keys)
{
	data_row(d);
	for (guint k = 0; k < keys->len; k++) {
		GString *text = g_string_new(NULL);
		gint64 value;

		if (record_number(t->p, r, keys->pdata[k], &value)) {
			data_value(d, NULL, "%" G_GINT64_FORMAT, value);
		} else {
			record_text(text, t->p, r, keys->pdata[k]);
			data_text(d, NULL, record_has(r, keys->pdata[k]) ? text->str : NULL);
		}
		g_string_free(text, TRUE);
	}
	data_close(d);
}

static void write_list(struct data *d, const struct table *t)
{
	GArray *order = in_order(t->p);
	GPtrArray *keys = all_keys(t->p), *names = g_ptr_array_new();
	guint n = 0, left = 0;

	for (guint k = 0; k < keys->len; k++)
		g_ptr_array_add(names, ((struct record_key *)keys->pdata[k])->name);
	g_ptr_array_add(names, NULL);
	data_rows(d, "rows", (const char *const *)names->pdata);
	for (guint i = 0; i < order->len; i++) {
		const struct profile_record *r =
			PROFILE_AT(t->p->records, record, g_array_index(order, guint32, i));

		if (!passes(t, r))
			continue;
		if (!t->opt->limit || n++ < (guint)t->opt->limit)
			write_record(d, t, r, keys);
		else
			left++;
	}
	data_close(d);
	data_value(d, "rows_left", "%u", left);
	g_ptr_array_unref(names);
	g_ptr_array_unref(keys);
	g_array_free(order, TRUE);
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
	heading_write_verdict(d, p);
}

static int fail(const char *who, GError *error)
{
	failure_report(who, error);
	return 2;
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
	if (opt->sum && !(t->sum = record_key_new(t->p, opt->sum, error)))
		return -1;
	if (opt->time && !(t->time = record_key_new(t->p, opt->time, error)))
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
	g_clear_pointer(&t->where, g_ptr_array_unref);
	g_clear_pointer(&t->sum, record_key_free);
	g_clear_pointer(&t->time, record_key_free);
	g_clear_pointer(&t->marker, record_key_free);
	g_clear_pointer(&t->pair, g_strfreev);
	g_ptr_array_unref(t->rows);
	g_hash_table_unref(t->index);
	g_hash_table_unref(t->open);
}

static int show(const char *who, struct table *t)
{
	struct data d;

	if (t->keys || t->sum || t->pair) {
		if (!t->keys)
			t->keys = g_ptr_array_new();
		take_all(t);
		t->unpaired += t->pair ? g_hash_table_size(t->open) : 0;
	}
	if (t->opt->form) {
		data_begin(&d, stdout, t->opt->form, "lapwing-records/1");
		write_heading(&d, t->p);
		if (t->keys)
			write_table(&d, t);
		else
			write_list(&d, t);
		return data_end(&d, who, "stdout");
	}
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
	return 0;
}

int records_report(const char *who, const struct profile *p, const struct records_options *opt)
{
	struct table t = { .p = p,
			   .opt = opt,
			   .open = g_hash_table_new_full(text_hash, g_bytes_equal,
							 (GDestroyNotify)g_bytes_unref, g_free),
			   .index = g_hash_table_new_full(text_hash, g_bytes_equal,
							  (GDestroyNotify)g_bytes_unref, NULL),
			   .rows = g_ptr_array_new_with_free_func((GDestroyNotify)row_free) };
	GError *error = NULL;
	int status = prepare(&t, &error) ? fail(who, error) : show(who, &t);

	clear(&t);
	return status;
}
