/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * segment.h - the counts of one image in one epoch as bytes: groups of rows of one event and unit,
 * offsets as differences, all numbers as varints (7 bits a byte, the lowest first), compressed by
 * zstd where that is smaller. The first byte says how: 1 as they are, 2 by zstd; 3 and 4 the same with
 * stacks.
 */
#ifndef LAPWING_STORE_SEGMENT_H
#define LAPWING_STORE_SEGMENT_H

#include <glib.h>

struct segment_row {
	guint64	offset;			/* in the image */
	guint32	event, unit;
	guint64	count, weight;		/* samples, and the sum of their periods */
	guint32	epoch;			/* of several in memory: which; its bytes do not have it */
	guint32	stack;			/* the number of its caller's node in the epoch; 0: none */
	guint32	flaws;			/* enum stack_flaws */
};

/* A caller in stacks. Its number is its index plus one; callers come before those that they call. */
struct segment_node {
	guint32	caller;			/* a number; 0: none */
	guint32	image;
	guint64	offset;
};

/* Sorts rows (struct segment_row), and adds up those that are alike. */
void segment_merge(GArray *rows);
/* The rows of two arrays that are sorted and merged, as a new one that is, too; frees both. */
GArray *segment_join(GArray *a, GArray *b);
/* The bytes of rows, which it merges. Caller frees. */
GByteArray *segment_encode(GArray *rows);
/*
 * Appends the rows to an array. 0; -1: the bytes are damaged, and the array has what was read
 * before.
 */
int segment_decode(const guint8 *bytes, gsize size, GArray *rows);
/* The same of nodes (struct segment_node). */
GByteArray *segment_encode_nodes(const GArray *nodes);
int segment_decode_nodes(const guint8 *bytes, gsize size, GArray *nodes);

#endif
