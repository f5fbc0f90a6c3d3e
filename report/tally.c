/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tally.c - see tally.h.
 */
#include "report/tally.h"

#include <math.h>
#include <string.h>

/* a sample so late was delayed: enabled interrupts come within a few us */
#define DELAY_NS	50000

double tally_percent(guint64 part, guint64 all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

double tally_interval(guint64 hits, guint64 n)
{
	const double z = 1.96;
	double share, z2n;

	if (!n)
		return 0;
	share = (double)hits / (double)n;
	z2n = z * z / (double)n;
	return z / (1 + z2n) * sqrt(share * (1 - share) / (double)n + z2n / (4 * (double)n));
}

/* Everything that keys use of a sample: texts are made once per distinct combination. */
struct alike { guint32 node, thread, cpu, phase; };

static guint alike_hash(gconstpointer p)
{
	const struct alike *a = p;

	/* 2^32 over the golden ratio */
	return (((a->node * 31 + a->thread) * 31 + a->cpu) * 31 + a->phase) * 2654435761u;
}

static gboolean alike_equal(gconstpointer a, gconstpointer b)
{
	return !memcmp(a, b, sizeof(struct alike));
}

/*
 * The sample's row, plus one. The keys' texts form one key of the hash: GString's length includes
 * the NULs between them.
 */
static guint row_named(struct tally *t, GHashTable *by_text, const struct profile *p,
		       const struct profile_sample *s)
{
	GString *text = g_string_new(NULL);
	struct tally_row row = { 0 };
	GBytes *name;
	guint at;

	for (const struct key *const *key = t->keys; *key; key++) {
		if (key != t->keys)
			g_string_append_c(text, '\0');
		(*key)->text(text, p, s);
	}
	name = g_string_free_to_bytes(text);
	at = GPOINTER_TO_UINT(g_hash_table_lookup(by_text, name));
	if (at) {
		g_bytes_unref(name);
		return at;
	}
	row.text = g_malloc0(g_bytes_get_size(name) + 1);
	memcpy(row.text, g_bytes_get_data(name, NULL), g_bytes_get_size(name));
	g_array_append_val(t->rows, row);
	g_hash_table_insert(by_text, name, GUINT_TO_POINTER(t->rows->len));
	return t->rows->len;
}

static struct tally_row *row_for(struct tally *t, GHashTable *by_text, GHashTable *seen,
				 const struct profile *p, const struct profile_sample *s)
{
	const struct alike alike = { s->node, s->thread, s->cpu, s->phase };
	guint at = GPOINTER_TO_UINT(g_hash_table_lookup(seen, &alike));

	if (!at) {
		at = row_named(t, by_text, p, s);
		g_hash_table_insert(seen, g_memdup2(&alike, sizeof(alike)), GUINT_TO_POINTER(at));
	}
	return &g_array_index(t->rows, struct tally_row, at - 1);
}

static gint heavier(gconstpointer a, gconstpointer b)
{
	const struct tally_row *r = a, *q = b;

	if (r->weight != q->weight)
		return r->weight > q->weight ? -1 : 1;
	return strcmp(r->text, q->text);
}

struct tally *tally_make(const struct profile *p, const struct key *const *keys,
			 const struct sample_filter *filter)
{
	GHashTable *by_text = g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
						    (GDestroyNotify)g_bytes_unref, NULL);
	GHashTable *seen = g_hash_table_new_full(alike_hash, alike_equal, g_free, NULL);
	struct tally *t = g_new0(struct tally, 1);

	t->keys = keys;
	t->rows = g_array_new(FALSE, FALSE, sizeof(struct tally_row));
	for (guint i = 0; i < p->samples->len; i++) {
		const struct profile_sample *s = PROFILE_AT(p->samples, sample, i);
		struct tally_row *row;
		guint64 delayed;

		if (!filter_passes(p, s, filter))
			continue;
		delayed = s->late > DELAY_NS ? s->count : 0;
		row = row_for(t, by_text, seen, p, s);
		row->samples += s->count;
		row->weight += s->weight;
		row->delayed += delayed;
		t->samples += s->count;
		t->weight += s->weight;
		t->delayed += delayed;
	}
	g_array_sort(t->rows, heavier);
	g_hash_table_destroy(seen);
	g_hash_table_destroy(by_text);
	return t;
}

void tally_free(struct tally *t)
{
	for (guint i = 0; i < t->rows->len; i++)
		g_free(g_array_index(t->rows, struct tally_row, i).text);
	g_array_free(t->rows, TRUE);
	g_free(t);
}

const char *tally_text(const struct tally_row *row, guint i)
{
	const char *text = row->text;

	while (i--)
		text += strlen(text) + 1;
	return text;
}

/* ---- JSON and CSV ----------------------------------------------------------------*/

static const char *const amounts[] = { "samples", "weight", "percent", "interval", "delayed" };

const char **tally_columns(const char *first, const struct key *const *keys)
{
	GPtrArray *names = g_ptr_array_new();

	if (first)
		g_ptr_array_add(names, (gpointer)first);
	for (guint i = 0; i < G_N_ELEMENTS(amounts); i++)
		g_ptr_array_add(names, (gpointer)amounts[i]);
	for (; *keys; keys++)
		if (!g_ptr_array_find_with_equal_func(names, (*keys)->name, g_str_equal, NULL))
			g_ptr_array_add(names, (gpointer)(*keys)->name);
	g_ptr_array_add(names, NULL);
	return (const char **)g_ptr_array_free(names, FALSE);
}

static void write_key(struct data *d, const struct tally *t, const struct tally_row *row,
		      const char *name)
{
	guint i = 0;
	const char *text;

	while (t->keys[i] && strcmp(t->keys[i]->name, name))
		i++;
	text = t->keys[i] ? tally_text(row, i) : NULL;
	if (text && t->keys[i]->number)
		data_value(d, NULL, "%s", text);
	else
		data_text(d, NULL, text && g_strcmp0(text, t->keys[i]->unknown) ? text : NULL);
}

void tally_write(struct data *d, const struct tally *t, guint n, const char *first,
		 const char *const *columns)
{
	columns += G_N_ELEMENTS(amounts) + (first ? 1 : 0);
	for (guint i = 0; i < n; i++) {
		const struct tally_row *row = &g_array_index(t->rows, struct tally_row, i);

		data_row(d);
		if (first)
			data_text(d, NULL, first);
		data_value(d, NULL, "%" G_GUINT64_FORMAT, row->samples);
		data_value(d, NULL, "%" G_GUINT64_FORMAT, row->weight);
		data_value(d, NULL, "%.4f", tally_percent(row->weight, t->weight));
		data_value(d, NULL, "%.4f", 100 * tally_interval(row->samples, t->samples));
		data_value(d, NULL, "%" G_GUINT64_FORMAT, row->delayed);
		for (guint k = 0; columns[k]; k++)
			write_key(d, t, row, columns[k]);
		data_close(d);
	}
}
