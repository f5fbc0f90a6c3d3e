/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counts.h - samples that are alike, counted in memory: no sample is kept. Open addressing in one
 * array; rows are never removed one by one.
 */
#ifndef LAPWING_WATCH_COUNTS_H
#define LAPWING_WATCH_COUNTS_H

#include <glib.h>

/* What a row's samples have in common. */
struct count_key {
	guint32	stack;		/* stacks.h: node plus one; 0: none */
	guint32	unit;		/* units.h */
	guint16	event;
	guint16	flaws;		/* enum stack_flaws, or-ed */
};

struct count_row {
	struct count_key key;
	guint32	used;		/* 0: this row of the array is free */
	guint64	count, weight;	/* samples, and the sum of their periods */
};

struct counts {
	struct count_row *rows;
	guint32	room, used;	/* room: a power of two */
};

/* Initially all 0. Adds one sample. */
void counts_add(struct counts *c, struct count_key key, guint64 weight);
/* The next row after `row` (NULL: the first one) in no order; NULL: there is none. */
const struct count_row *counts_next(const struct counts *c, const struct count_row *row);
void counts_clear(struct counts *c);

#endif
