/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * segment.c - see segment.h. A group: event, unit, the period of each of its samples (0: it varies,
 * and rows have weights), how many rows; of each row the difference of its offset from the row
 * before, the count and the weight.
 */
#include "store/segment.h"

#include <string.h>
#include <zstd.h>

enum { AS_IT_IS = 1, BY_ZSTD, STACKS_AS_IT_IS, STACKS_BY_ZSTD };
#define FLAWS	8		/* a stack and its flaws are one number */
#define LEVEL		3
#define BYTES_MAX	(4u << 20)	/* of an image in an epoch, not compressed */

/* ---- writing ---------------------------------------------------------------------*/

static inline int order_of(const struct segment_row *r, const struct segment_row *q)
{
	if (r->epoch != q->epoch)
		return r->epoch < q->epoch ? -1 : 1;
	if (r->event != q->event)
		return r->event < q->event ? -1 : 1;
	if (r->unit != q->unit)
		return r->unit < q->unit ? -1 : 1;
	if (r->offset != q->offset)
		return r->offset < q->offset ? -1 : 1;
	if (r->stack != q->stack)
		return r->stack < q->stack ? -1 : 1;
	return (r->flaws > q->flaws) - (r->flaws < q->flaws);
}

static gint by_place(gconstpointer a, gconstpointer b)
{
	return order_of(a, b);
}

static struct segment_row *row_at(const GArray *rows, guint i)
{
	return &g_array_index(rows, struct segment_row, i);
}

static void add_up(struct segment_row *to, const struct segment_row *row)
{
	to->count += row->count;
	to->weight += row->weight;
}

void segment_merge(GArray *rows)
{
	guint n = 0;

	g_array_sort(rows, by_place);
	for (guint i = 0; i < rows->len; i++) {
		const struct segment_row *row = row_at(rows, i);

		if (n && !by_place(row_at(rows, n - 1), row)) {
			add_up(row_at(rows, n - 1), row);
		} else {
			*row_at(rows, n++) = *row;
		}
	}
	g_array_set_size(rows, n);
}

GArray *segment_join(GArray *a, GArray *b)
{
	GArray *both = g_array_sized_new(FALSE, FALSE, sizeof(struct segment_row), a->len + b->len);
	guint i = 0, k = 0, n = 0;

	g_array_set_size(both, a->len + b->len);
	while (i < a->len && k < b->len) {
		int order = order_of(row_at(a, i), row_at(b, k));

		*row_at(both, n) = *(order <= 0 ? row_at(a, i) : row_at(b, k));
		if (!order)
			add_up(row_at(both, n), row_at(b, k));
		i += order <= 0;
		k += order >= 0;
		n++;
	}
	if (i < a->len)
		memcpy(row_at(both, n), row_at(a, i), (a->len - i) * sizeof(struct segment_row));
	n += a->len - i;
	if (k < b->len)
		memcpy(row_at(both, n), row_at(b, k), (b->len - k) * sizeof(struct segment_row));
	g_array_set_size(both, n + b->len - k);
	g_array_unref(a);
	g_array_unref(b);
	return both;
}

static void put(GByteArray *out, guint64 value)
{
	guint8 bytes[10];
	guint n = 0;

	for (; value > 127; value >>= 7)
		bytes[n++] = (guint8)(value | 128);
	bytes[n++] = (guint8)value;
	g_byte_array_append(out, bytes, n);
}

/* The end of the group that begins at row i; *period: that of all of its samples, or 0. */
static guint group_end(const GArray *rows, guint i, guint64 *period)
{
	const struct segment_row *first = row_at(rows, i);

	*period = first->count ? first->weight / first->count : 0;
	for (; i < rows->len && row_at(rows, i)->event == first->event &&
	       row_at(rows, i)->unit == first->unit; i++)
		if (row_at(rows, i)->weight != *period * row_at(rows, i)->count)
			*period = 0;
	return i;
}

static void put_groups(GByteArray *out, const GArray *rows, int has_stacks)
{
	guint64 period, offset;

	for (guint i = 0, end; i < rows->len; i = end) {
		end = group_end(rows, i, &period);
		put(out, row_at(rows, i)->event);
		put(out, row_at(rows, i)->unit);
		put(out, period);
		put(out, end - i);
		offset = 0;
		for (guint k = i; k < end; k++) {
			put(out, row_at(rows, k)->offset - offset);
			put(out, row_at(rows, k)->count);
			if (has_stacks)
				put(out, (guint64)row_at(rows, k)->stack * FLAWS + row_at(rows, k)->flaws);
			if (!period)
				put(out, row_at(rows, k)->weight);
			offset = row_at(rows, k)->offset;
		}
	}
}

/* The same bytes, or smaller ones by zstd; the first byte says which. Frees the former. */
static GByteArray *squeezed(GByteArray *plain)
{
	GByteArray *small = g_byte_array_new();
	gsize n;

	g_byte_array_set_size(small, (guint)ZSTD_compressBound(plain->len) + 1);
	small->data[0] = plain->data[0] + BY_ZSTD - AS_IT_IS;
	n = ZSTD_compress(small->data + 1, small->len - 1, plain->data + 1, plain->len - 1, LEVEL);
	if (ZSTD_isError(n) || n >= plain->len - 1) {
		g_byte_array_unref(small);
		return plain;
	}
	g_byte_array_set_size(small, (guint)n + 1);
	g_byte_array_unref(plain);
	return small;
}

static GByteArray *begin(guint8 form)
{
	GByteArray *plain = g_byte_array_new();

	g_byte_array_append(plain, &form, 1);
	return plain;
}

GByteArray *segment_encode(GArray *rows)
{
	int has_stacks = 0;
	GByteArray *plain;

	segment_merge(rows);
	for (guint i = 0; i < rows->len && !has_stacks; i++)
		has_stacks = row_at(rows, i)->stack || row_at(rows, i)->flaws;
	plain = begin(has_stacks ? STACKS_AS_IT_IS : AS_IT_IS);
	put_groups(plain, rows, has_stacks);
	return squeezed(plain);
}

GByteArray *segment_encode_nodes(const GArray *nodes)
{
	GByteArray *plain = begin(AS_IT_IS);

	for (guint i = 0; i < nodes->len; i++) {
		const struct segment_node *node = &g_array_index(nodes, struct segment_node, i);

		put(plain, node->caller ? i + 1 - node->caller : 0);
		put(plain, node->image);
		put(plain, node->offset);
	}
	return squeezed(plain);
}

/* ---- reading ---------------------------------------------------------------------*/

struct reader {
	const guint8	*at, *end;
	int		damaged;
};

static guint64 get(struct reader *r)
{
	guint64 value = 0;

	for (guint shift = 0; shift < 64 && r->at < r->end; shift += 7) {
		guint8 byte = *r->at++;

		value |= (guint64)(byte & 127) << shift;
		if (!(byte & 128))
			return value;
	}
	r->damaged = 1;
	return 0;
}

static void get_group(struct reader *r, GArray *rows, int has_stacks)
{
	struct segment_row row = { 0 };
	guint64 period, n, stack;
	guint first = rows->len;

	row.event = (guint32)get(r);
	row.unit = (guint32)get(r);
	period = get(r);
	n = get(r);
	r->damaged |= n > (gsize)(r->end - r->at);	/* a row has two bytes at least */
	if (r->damaged)
		return;
	g_array_set_size(rows, first + (guint)n);
	for (guint i = first; i < rows->len; i++) {
		row.offset += get(r);
		row.count = get(r);
		stack = has_stacks ? get(r) : 0;
		row.stack = (guint32)(stack / FLAWS);
		row.flaws = (guint32)(stack % FLAWS);
		row.weight = period ? period * row.count : get(r);
		if (r->damaged)
			g_array_set_size(rows, i);
		else
			*row_at(rows, i) = row;
	}
}

static int decode_rows(struct reader *r, GArray *rows, int has_stacks)
{
	while (r->at < r->end && !r->damaged)
		get_group(r, rows, has_stacks);
	return r->damaged ? -1 : 0;
}

static int decode_nodes(struct reader *r, GArray *nodes, int unused)
{
	struct segment_node node;
	guint64 up;

	while (r->at < r->end && !r->damaged) {
		up = get(r);
		r->damaged |= up > nodes->len;
		node = (struct segment_node){ .caller = up ? nodes->len + 1 - (guint32)up : 0 };
		node.image = (guint32)get(r);
		node.offset = get(r);
		if (!r->damaged)
			g_array_append_val(nodes, node);
	}
	return r->damaged ? -1 : 0;
}

/* What `decode` makes of the bytes; forms: the last one that they may have. */
static int decoded(const guint8 *bytes, gsize size, guint8 forms, int (*decode)(struct reader *r, GArray *to, int has_stacks),
		   GArray *to)
{
	int has_stacks = size && *bytes >= STACKS_AS_IT_IS, rc = -1;
	struct reader r = { bytes + 1, bytes + size, 0 };
	unsigned long long room;
	guint8 *plain;
	gsize n;

	if (!size || !*bytes || *bytes > forms)
		return -1;
	if (*bytes == AS_IT_IS || *bytes == STACKS_AS_IT_IS)
		return decode(&r, to, has_stacks);
	room = ZSTD_getFrameContentSize(bytes + 1, size - 1);
	if (room > BYTES_MAX)		/* the values for errors, too */
		return -1;
	plain = g_malloc(room + 1);
	n = ZSTD_decompress(plain, room, bytes + 1, size - 1);
	if (!ZSTD_isError(n)) {
		r = (struct reader){ plain, plain + n, 0 };
		rc = decode(&r, to, has_stacks);
	}
	g_free(plain);
	return rc;
}

int segment_decode(const guint8 *bytes, gsize size, GArray *rows)
{
	return decoded(bytes, size, STACKS_BY_ZSTD, decode_rows, rows);
}

int segment_decode_nodes(const guint8 *bytes, gsize size, GArray *nodes)
{
	return decoded(bytes, size, BY_ZSTD, decode_nodes, nodes);
}
