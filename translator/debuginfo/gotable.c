/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gotable.c - see gotable.h. Every offset is checked against the table's size before it is used.
 */
#include "translator/debuginfo/gotable.h"

#include <string.h>

#define MAGIC_1_18	0xfffffff0	/* FLAGS_AT_*: offset of the flags in a _func */
#define FLAGS_AT_1_18	37
#define MAGIC_1_20	0xfffffff1
#define FLAGS_AT_1_20	41
#define PAIR_BYTES	8
/* offset in a _func of the offset of its frame size table; 0: none */
#define FRAMES_AT	16
#define FLAG_ASSEMBLER	4		/* funcFlag_ASM */

static guint32 word_at(const guint8 *bytes, guint64 at)
{
	guint32 word;

	memcpy(&word, bytes + at, sizeof(word));
	return GUINT32_FROM_LE(word);
}

static guint64 long_at(const guint8 *bytes, guint64 at)
{
	return word_at(bytes, at) | (guint64)word_at(bytes, at + 4) << 32;
}

static guint32 distance_of(const struct gotable *t, guint64 i)
{
	return word_at(t->bytes, t->pairs + i * PAIR_BYTES);
}

int gotable_read(const guint8 *bytes, guint64 size, struct gotable *t)
{
	guint32 magic = word_at(bytes, 0);

	if ((magic != MAGIC_1_18 && magic != MAGIC_1_20) || bytes[4] || bytes[5] ||
	    (bytes[6] != 1 && bytes[6] != 4) || bytes[7] != 8)
		return 0;
	*t = (struct gotable){ .bytes = bytes, .size = size, .number = long_at(bytes, 8), .text = long_at(bytes, GOTABLE_TEXT),
			       .names = long_at(bytes, 32), .pairs = long_at(bytes, 64),
			       .flags_at = magic == MAGIC_1_18 ? FLAGS_AT_1_18 : FLAGS_AT_1_20 };
	if (!t->number || t->names >= size || t->pairs >= size ||
	    t->number >= (size - t->pairs) / PAIR_BYTES)
		return 0;
	t->length = distance_of(t, t->number);
	return 1;
}

/* The _func of the function that contains that distance. NULL: the table is damaged. */
static const guint8 *function_at(const struct gotable *t, guint64 distance)
{
	guint64 low = 0, high = t->number, at;

	while (low < high) {
		guint64 middle = low + (high - low) / 2;

		if (distance_of(t, middle) <= distance)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	at = t->pairs + word_at(t->bytes, t->pairs + (low - 1) * PAIR_BYTES + 4);
	return at + (guint64)t->flags_at < t->size ? t->bytes + at : NULL;
}

enum gotable_kind gotable_kind(const struct gotable *t, guint64 distance)
{
	const guint8 *function = function_at(t, distance);

	if (!function)
		return GOTABLE_DAMAGED;
	if (!word_at(function, FRAMES_AT))
		return GOTABLE_FOREIGN;
	return function[t->flags_at] & FLAG_ASSEMBLER ? GOTABLE_ASSEMBLER : GOTABLE_COMPILED;
}

const char *gotable_name(const struct gotable *t, guint64 distance)
{
	const guint8 *function = function_at(t, distance);
	guint64 at = function && word_at(function, 0) == distance ? t->names + word_at(function, 4)
								  : t->size;

	return at < t->size && memchr(t->bytes + at, 0, t->size - at) ? (const char *)t->bytes + at
								      : NULL;
}
