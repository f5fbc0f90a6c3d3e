// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * books.c - the books of probes: how long handlers took (-t), and sums over CPUs. Reads no clock.
 */
#include "runtime/core/core.h"

int books_timing;

static u64 books_sum(u64 a, u64 b)
{
	return a + b < a ? ~0ULL : a + b;
}

void books_time(struct wire_account *a, u64 took)
{
	if (!a->timed || took < a->took_min)
		a->took_min = took;
	if (took > a->took_max)
		a->took_max = took;
	a->timed++;
	a->took = books_sum(a->took, took);
	a->took_squares = books_sum(a->took_squares, took >> 32 ? ~0ULL : took * took);
}

void books_add(struct wire_account *to, const struct wire_account *from)
{
	u64 squares = books_sum(to->took_squares, from->took_squares), took = books_sum(to->took, from->took);
	u64 min = !to->timed || (from->timed && from->took_min < to->took_min) ? from->took_min : to->took_min;
	u64 max = from->took_max > to->took_max ? from->took_max : to->took_max, i;

	for (i = 0; i < sizeof(*to) / sizeof(u64); i++)
		((u64 *)to)[i] += ((const u64 *)from)[i];
	to->took = took;
	to->took_min = min;
	to->took_max = max;
	to->took_squares = squares;
}
