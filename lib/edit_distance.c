/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edit_distance.c - see edit_distance.h.
 */
#include "lib/edit_distance.h"

#include <stdlib.h>
#include <string.h>

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

unsigned edit_distance(const char *a, const char *b)
{
	size_t n = strlen(b);
	unsigned *rows = calloc(3 * (n + 1), sizeof(*rows)), *before = rows, *last = before + n + 1,
		 *row = last + n + 1, result;

	if (!rows)
		return ~0U;
	for (size_t j = 0; j <= n; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; a[i - 1]; i++) {
		unsigned *oldest = before;

		before = last;
		last = row;
		row = oldest;
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= n; j++) {
			row[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]),
				       least(last[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], before[j - 2] + 1);
		}
	}
	result = row[n];
	free(rows);
	return result;
}
