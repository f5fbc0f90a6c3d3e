/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * map.c - fuzz entry: the map against a list that does the same slowly. Input: operations of three
 * bytes (what, key, value) on a map of six rows with a long and a string key; the first byte says
 * whether it wraps. After each, count, order and every value agree.
 */
#include "runtime/core/map.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 6, MAXSTRING = 8 };

struct model_row {
	s64	number;
	char	text[MAXSTRING];
	s64	value;
};

static struct model_row model[ROWS];
static unsigned n;
static u64 refused;

struct key {
	s64		k1;
	struct rt_str	k2;
};

static int model_find(s64 number, const char *text)
{
	for (unsigned i = 0; i < n; i++)
		if (model[i].number == number && !strcmp(model[i].text, text))
			return (int)i;
	return -1;
}

static void model_remove(unsigned i)
{
	memmove(&model[i], &model[i + 1], (--n - i) * sizeof(model[0]));
}

static struct model_row *model_need(s64 number, const char *text, int wrap)
{
	int i = model_find(number, text);

	if (i >= 0)
		return &model[i];
	if (n == ROWS && !wrap) {
		refused++;
		return NULL;
	}
	if (n == ROWS)
		model_remove(0);		/* the oldest row is dropped */
	model[n].number = number;
	strcpy(model[n].text, text);
	model[n].value = 0;
	return &model[n++];
}

static void compare(const struct map *m)
{
	const struct map_row *row = map_first(m);

	if (m->count != n || m->refused != refused)
		abort();
	for (unsigned i = 0; i < n; i++, row = map_newer(m, row)) {
		struct key key;

		if (!row)
			abort();
		map_key(m, row, &key);
		if (key.k1 != model[i].number || key.k2.len != strlen(model[i].text) ||
		    memcmp(key.k2.p, model[i].text, key.k2.len) ||
		    *map_long(m, row) != model[i].value)
			abort();
	}
	if (row)
		abort();
}

static void check_sorted(struct map *m)
{
	u32 sorted = map_sort(m, 0, RT_BY_VALUE, RT_UP, -1);

	if (sorted != n)
		abort();
	for (u32 i = 1; i < sorted; i++)
		if (*map_long(m, map_row_at(m, m->order[i - 1])) >
		    *map_long(m, map_row_at(m, m->order[i])))
			abort();
}

static void step(struct map *m, const uint8_t *op, int wrap)
{
	static const char *const texts[] = { "", "a", "b", "ab", "longer", "longest" };
	const char *text = texts[op[1] % 6];
	struct key key = { op[1] / 6 % 3 - 1, { text, (u16)strlen(text) } };
	struct map_row *row;
	struct model_row *same;
	int i;

	switch (op[0] % 8) {
	case 0:
		row = map_find(m, &key);
		i = model_find(key.k1, text);
		if (!row != (i < 0))
			abort();
		if (row) {
			map_remove(m, row);
			model_remove((unsigned)i);
		}
		break;
	case 1:
		if (op[2] % 16 == 0) {
			map_empty(m);
			n = 0;
		}
		break;
	case 2:
		check_sorted(m);
		break;
	default:
		row = map_need(m, &key);
		same = model_need(key.k1, text, wrap);
		if (!row != !same)
			abort();
		if (row)
			*map_long(m, row) = same->value = op[2] - 128;
	}
	compare(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rt_map_desc d = { .name = "m",
				 .nkeys = 2,
				 .key = { RT_LONG, RT_STRING },
				 .value = RT_LONG,
				 .capacity = ROWS,
				 .iterators = 1 };
	struct map m;
	void *memory, *order;

	if (!size)
		return 0;
	d.wrap = data[0] & 1;
	memory = calloc(1, map_bytes(&d, MAXSTRING));
	order = malloc(map_order_bytes(&d));
	map_init(&m, memory, &d, MAXSTRING);
	map_order_init(&m, order);
	n = 0;
	refused = 0;
	for (size_t at = 1; at + 3 <= size; at += 3)
		step(&m, data + at, d.wrap);
	free(order);
	free(memory);
	return 0;
}
