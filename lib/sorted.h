/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sorted.h - searching rows that are sorted by a number, with which each begins. */
#ifndef LAPWING_SORTED_H
#define LAPWING_SORTED_H

#include <glib.h>

/* How many rows are at or before `key`; each begins with a guint64, by which they are sorted. */
static inline guint sorted_until(const GArray *rows, guint64 key)
{
	gsize size = g_array_get_element_size((GArray *)rows);
	guint low = 0, high = rows->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (*(const guint64 *)(const void *)(rows->data + middle * size) <= key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
