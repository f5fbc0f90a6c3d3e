/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tally.c - see tally.h.
 */
#include "report/tally.h"

#include "lib/pair_ids.h"

#include <math.h>
#include <string.h>

/* a sample so late was delayed: enabled interrupts come within a few us */
#define DELAY_NS	50000
#define AHEAD		16	/* samples, so that what is known of them is in the cache when it is their turn */

double tally_percent(guint64 part, guint64 all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

/*
 * How many samples of equal weight would tell the share as well: of a ratio of sums of independent
 * samples the variance is the sum of the squares of what each adds to its residual (W. G. Cochran,
 * Sampling Techniques, 1977, chapter 6). It is their number if all weigh the same.
 */
static double effective(const struct tally_share *s)
{
	double all = (double)s->all, p = (double)s->part / all, q = 1 - p,
	       variance = q * q * s->part_squares + p * p * (s->all_squares - s->part_squares);

	if (!s->all)
		return 0;
	return p > 0 && q > 0 && variance > 0 ? p * q * all * all / variance : all * all / s->all_squares;
}

static double fraction(const struct tally_share *s)
{
	return s->all ? (double)s->part / (double)s->all : 0;
}

struct tally_share tally_of_samples(guint64 hits, guint64 n)
{
	return (struct tally_share){ hits, n, (double)hits, (double)n };
}

struct tally_share tally_share(const struct tally *t, const struct tally_row *row)
{
	return (struct tally_share){ row->weight, t->weight, row->squares, t->squares };
}

double tally_square(const struct profile_sample *s)
{
	return s->count ? (double)s->weight * (double)s->weight / (double)s->count : 0;
}

double tally_interval(const struct tally_share *s)
{
	const double z = 1.96;
	double p = fraction(s), n = effective(s), z2n = z * z / n;

	return n > 0 ? z / (1 + z2n) * sqrt(p * (1 - p) / n + z2n / (4 * n)) : 0;
}

double tally_change_interval(const struct tally_share *a, const struct tally_share *b)
{
	double pa = fraction(a), pb = fraction(b), na = effective(a), nb = effective(b);

	return na > 0 && nb > 0 ? 1.96 * sqrt(pa * (1 - pa) / na + pb * (1 - pb) / nb) : 1;
}

int tally_differs(const struct tally_share *a, const struct tally_share *b)
{
	double pa = fraction(a), pb = fraction(b), na = effective(a), nb = effective(b), pooled;

	if (na <= 0 || nb <= 0)
		return 0;
	pooled = (pa * na + pb * nb) / (na + nb);
	return fabs(pa - pb) > 1.96 * sqrt(pooled * (1 - pooled) * (1 / na + 1 / nb));
}

/* What keys use of samples, so that their texts are made once for each that is distinct. */
struct seen {
	const struct profile *p;
	unsigned	uses;			/* enum key_uses */
	struct pair_ids	places;			/* node and thread */
	struct pair_ids	times;			/* CPU and phase, and the time */
	struct pair_ids	alike;			/* numbers of these two */
	GArray		*rows;			/* guint: index in the tally's rows, by number of `alike` */
};

/* Its node, or, where keys use no more than that, the image, by number. */
static guint64 node_of(const struct seen *seen, const struct profile_sample *s)
{
	const struct profile *p = seen->p;

	if (seen->uses & (KEY_PLACE | KEY_FUNCTION) || !(seen->uses & KEY_NODE) || s->node == PROFILE_NONE)
		return seen->uses & KEY_NODE ? s->node : 0;
	return PROFILE_AT(p->places, place, PROFILE_AT(p->nodes, node, s->node)->place)->image;
}

static guint64 thread_of(const struct seen *seen, const struct profile_sample *s)
{
	return seen->uses & KEY_THREAD ? s->thread : 0;
}

/* The number of all that keys use of a sample. */
static guint32 number_of(struct seen *seen, const struct profile_sample *s)
{
	unsigned uses = seen->uses;
	guint32 place = pair_ids_number(&seen->places, node_of(seen, s), thread_of(seen, s)), time;

	if (!(uses & (KEY_CPU | KEY_PHASE | KEY_EPOCH)))
		return place;
	time = pair_ids_number(&seen->times, (guint64)(uses & KEY_CPU ? s->cpu : 0) << 32 | (uses & KEY_PHASE ? s->phase : 0),
			       uses & KEY_EPOCH ? s->time : 0);
	return pair_ids_number(&seen->alike, place, time);
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
	row.first = t->rows->len;
	row.text = g_malloc0(g_bytes_get_size(name) + 1);
	memcpy(row.text, g_bytes_get_data(name, NULL), g_bytes_get_size(name));
	g_array_append_val(t->rows, row);
	g_hash_table_insert(by_text, name, GUINT_TO_POINTER(t->rows->len));
	return t->rows->len;
}

/* The index of the sample's row. */
static guint row_for(struct tally *t, GHashTable *by_text, struct seen *seen, const struct profile *p,
		     const struct profile_sample *s)
{
	guint32 number = number_of(seen, s);
	guint at;

	if (number == seen->rows->len) {
		at = row_named(t, by_text, p, s) - 1;
		g_array_append_val(seen->rows, at);
	}
	return g_array_index(seen->rows, guint, number);
}

static gint heavier(gconstpointer a, gconstpointer b)
{
	const struct tally_row *r = a, *q = b;

	if (r->weight != q->weight)
		return r->weight > q->weight ? -1 : 1;
	return strcmp(r->text, q->text);
}

/* In the order of the first key's text, which is a time. */
static gint earlier(gconstpointer a, gconstpointer b)
{
	const struct tally_row *r = a, *q = b;
	int order = strcmp(r->text, q->text);

	return order ? order : heavier(a, b);
}

/* After the rows were sorted. */
static void renumber(struct tally *t, guint samples)
{
	guint32 *to = g_new(guint32, t->rows->len);

	for (guint i = 0; i < t->rows->len; i++)
		to[g_array_index(t->rows, struct tally_row, i).first] = i;
	for (guint i = 0; i < samples; i++)
		if (t->row_of[i] != TALLY_NONE)
			t->row_of[i] = to[t->row_of[i]];
	g_free(to);
}

struct tally *tally_make(const struct profile *p, const struct key *const *keys,
			 const struct sample_filter *filter)
{
	GHashTable *by_text = g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
						    (GDestroyNotify)g_bytes_unref, NULL);
	struct seen seen = { .p = p, .rows = g_array_new(FALSE, FALSE, sizeof(guint)) };
	struct tally *t = g_new0(struct tally, 1);

	t->keys = keys;
	for (const struct key *const *key = keys; *key; key++)
		seen.uses |= (*key)->uses;
	t->rows = g_array_new(FALSE, FALSE, sizeof(struct tally_row));
	t->row_of = g_new(guint32, p->samples->len + 1);
	for (guint i = 0; i < p->samples->len; i++) {
		const struct profile_sample *s = PROFILE_AT(p->samples, sample, i);
		struct tally_row *row;
		guint64 delayed;

		if (i + AHEAD < p->samples->len)
			pair_ids_prefetch(&seen.places, node_of(&seen, s + AHEAD), thread_of(&seen, s + AHEAD));
		t->row_of[i] = TALLY_NONE;
		if (!filter_passes(p, s, filter))
			continue;
		delayed = s->late > DELAY_NS ? s->count : 0;
		t->row_of[i] = row_for(t, by_text, &seen, p, s);
		row = &g_array_index(t->rows, struct tally_row, t->row_of[i]);
		row->samples += s->count;
		row->weight += s->weight;
		row->squares += tally_square(s);
		row->delayed += delayed;
		t->samples += s->count;
		t->weight += s->weight;
		t->squares += tally_square(s);
		t->delayed += delayed;
	}
	g_array_sort(t->rows, *keys && !strcmp((*keys)->name, "epoch") ? earlier : heavier);
	renumber(t, p->samples->len);
	pair_ids_clear(&seen.places);
	pair_ids_clear(&seen.times);
	pair_ids_clear(&seen.alike);
	g_array_unref(seen.rows);
	g_hash_table_destroy(by_text);
	return t;
}

void tally_free(struct tally *t)
{
	for (guint i = 0; i < t->rows->len; i++)
		g_free(g_array_index(t->rows, struct tally_row, i).text);
	g_array_free(t->rows, TRUE);
	g_free(t->row_of);
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

static const char *const amounts[] = { "samples", "weight", "percent", "interval", "delayed", NULL };

const char **tally_columns(const char *first, const struct key *const *keys)
{
	return keys_columns(first, amounts, keys);
}

static void write_key(struct data *d, const struct tally *t, const struct tally_row *row,
		      const char *name)
{
	guint i = 0;

	while (t->keys[i] && strcmp(t->keys[i]->name, name))
		i++;
	if (t->keys[i])
		key_write(d, t->keys[i], tally_text(row, i));
	else
		data_text(d, NULL, NULL);
}

void tally_write(struct data *d, const struct tally *t, guint n, const char *first,
		 const char *const *columns)
{
	columns += G_N_ELEMENTS(amounts) - 1 + (first ? 1 : 0);
	for (guint i = 0; i < n; i++) {
		const struct tally_row *row = &g_array_index(t->rows, struct tally_row, i);
		const struct tally_share share = tally_share(t, row);

		data_row(d);
		if (first)
			data_text(d, NULL, first);
		data_value(d, NULL, "%" G_GUINT64_FORMAT, row->samples);
		data_value(d, NULL, "%" G_GUINT64_FORMAT, row->weight);
		data_value(d, NULL, "%.4f", tally_percent(row->weight, t->weight));
		data_value(d, NULL, "%.4f", 100 * tally_interval(&share));
		data_value(d, NULL, "%" G_GUINT64_FORMAT, row->delayed);
		for (guint k = 0; columns[k]; k++)
			write_key(d, t, row, columns[k]);
		data_close(d);
	}
}
