// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * core.c - what the operations of the portable core cost beside GLib's GHashTable and a plain
 * array.
 *
 * Usage: core a line "operation implementation operations ns" per row of the table, ns per
 * operation, best of nine rounds
 *        core OPERATION IMPL  that row once, for callgrind (core.sh collects what measured() executes)
 *        core --threads       updates a second of two threads as a multiple of one's
 *
 * "array" is the floor: the same work on an array whose index is the key, or on an array of plain
 * structs. No thresholds, not a test.
 */
#include "runtime/core/core.h"
#include "runtime/core/map.h"

#include <glib.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KEYS = 65536, NAMES = 4096, ROWS = 100000, CPUS = 4, EACH = 16384, TOP = 20, ROUNDS = 9 };

struct bench {
	const char	*operation, *impl;
	u32		count;
	void		(*prepare)(void);
	void		(*work)(void);
};

struct pair { s64 key, value; };

static s64 keys[ROWS], order_of_access[KEYS];
static char names[NAMES][32];
static struct rt_str name_of[NAMES];
static s64 *plain, *plain_cpu[CPUS];
static struct pair *pairs;
static GHashTable *table, *table_cpu[CPUS];
static struct map map, map_cpu[CPUS];
static volatile s64 sink_value;

static const struct rt_map_desc by_number = { .name = "n", .nkeys = 1, .key = { RT_LONG }, .value = RT_LONG, .iterators = 1,
					      .capacity = ROWS };
static const struct rt_map_desc by_key = { .name = "k", .nkeys = 1, .key = { RT_LONG }, .value = RT_LONG, .capacity = KEYS };
static const struct rt_map_desc by_name = { .name = "s", .nkeys = 1, .key = { RT_STRING }, .value = RT_LONG, .iterators = 1,
					    .capacity = NAMES };

static u64 random_state = 88172645463325252ULL;

static u64 random_next(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	return random_state ^= random_state << 17;
}

static void new_map(struct map *m, const struct rt_map_desc *d)
{
	free(m->bucket);	/* the start of its memory */
	free(m->sorted);
	map_init(m, calloc(1, map_bytes(d, 64)), d, 64);
	map_order_init(m, malloc(map_order_bytes(d)));
}

static GHashTable *new_table(GHashTable *old)
{
	if (old)
		g_hash_table_destroy(old);
	return g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, NULL);
}

static void make_inputs(void)
{
	u32 i, k;

	for (i = 0; i < ROWS; i++)
		keys[i] = (s64)i * 16 + (s64)(random_next() &
					      15); /* distinct, close, as pids and addresses are */
	for (i = 0; i < KEYS; i++) {
		k = (u32)(random_next() % (i + 1));
		order_of_access[i] = order_of_access[k];
		order_of_access[k] = i;
	}
	for (i = 0; i < NAMES; i++) {
		snprintf(names[i], sizeof(names[i]), "kworker/%u:%u", i % 64, i / 64);
		name_of[i] = (struct rt_str){ names[i], (u16)strlen(names[i]) };
	}
	plain = calloc(ROWS * 16, sizeof(*plain));
	pairs = calloc(ROWS, sizeof(*pairs));
	for (i = 0; i < CPUS; i++)
		plain_cpu[i] = calloc(ROWS, sizeof(*plain));
}

/* ---- lookup and insert of 8-byte keys -----------------------------------------*/

static void map_fill_with(struct map *m, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		*map_long(m, map_need(m, &keys[i])) += (s64)(random_next() >> 40);
}

static void empty_map(void) { new_map(&map, &by_key); }
static void full_map(void) { empty_map(); map_fill_with(&map, KEYS); }
static void insert_map(void) { map_fill_with(&map, KEYS); }

static void lookup_map(void)
{
	s64 sum = 0;
	u32 i;

	for (i = 0; i < KEYS; i++)
		sum += *map_long(&map, map_find(&map, &keys[order_of_access[i]]));
	sink_value = sum;
}

static void table_fill_with(GHashTable *t, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		g_hash_table_insert(t, &keys[i], GSIZE_TO_POINTER(random_next() >> 40));
}

static void empty_table(void) { table = new_table(table); }
static void full_table(void) { empty_table(); table_fill_with(table, KEYS); }
static void insert_table(void) { table_fill_with(table, KEYS); }

static void lookup_table(void)
{
	s64 sum = 0;
	u32 i;

	for (i = 0; i < KEYS; i++)
		sum += (s64)GPOINTER_TO_SIZE(g_hash_table_lookup(table, &keys[order_of_access[i]]));
	sink_value = sum;
}

static void empty_array(void) { memset(plain, 0, ROWS * 16 * sizeof(*plain)); }

static void insert_array(void)
{
	u32 i;

	for (i = 0; i < KEYS; i++)
		plain[keys[i]] += (s64)(random_next() >> 40);
}

static void full_array(void) { empty_array(); insert_array(); }

static void lookup_array(void)
{
	s64 sum = 0;
	u32 i;

	for (i = 0; i < KEYS; i++)
		sum += plain[keys[order_of_access[i]]];
	sink_value = sum;
}

/* ---- string keys: one more for a name --------------------------------------------*/

static void string_map(void) { new_map(&map, &by_name); }

static void count_map(void)
{
	u32 i;

	for (i = 0; i < KEYS; i++)
		++*map_long(&map, map_need(&map, &name_of[order_of_access[i] % NAMES]));
}

static void string_table(void)
{
	if (table)
		g_hash_table_destroy(table);
	table = g_hash_table_new(g_str_hash, g_str_equal);
}

static void count_table(void)
{
	u32 i;

	for (i = 0; i < KEYS; i++) {
		char *name = names[order_of_access[i] % NAMES];
		gsize old = GPOINTER_TO_SIZE(g_hash_table_lookup(table, name));

		g_hash_table_insert(table, name, GSIZE_TO_POINTER(old + 1));
	}
}

static void count_array(void)
{
	u32 i;

	for (i = 0; i < KEYS; i++) {
		u32 k = (u32)order_of_access[i] % NAMES;

		plain[k] += strcmp(names[k], name_of[k].p) == 0;
	}
}

/* ---- merge of what four CPUs have counted -------------------------------------------*/

static void cpu_maps(void)
{
	u32 i;

	empty_map();
	for (i = 0; i < CPUS; i++) {
		new_map(&map_cpu[i], &by_number);
		map_fill_with(&map_cpu[i], EACH);
	}
}

static void merge_maps(void)
{
	u32 i;

	for (i = 0; i < CPUS; i++)
		map_merge(&map, &map_cpu[i]);
}

static void cpu_tables(void)
{
	u32 i;

	empty_table();
	for (i = 0; i < CPUS; i++) {
		table_cpu[i] = new_table(table_cpu[i]);
		table_fill_with(table_cpu[i], EACH);
	}
}

static void merge_tables(void)
{
	GHashTableIter it;
	gpointer key, value;
	u32 i;

	for (i = 0; i < CPUS; i++) {
		g_hash_table_iter_init(&it, table_cpu[i]);
		while (g_hash_table_iter_next(&it, &key, &value)) {
			gsize old = GPOINTER_TO_SIZE(g_hash_table_lookup(table, key));

			g_hash_table_insert(table, key,
					    GSIZE_TO_POINTER(old + GPOINTER_TO_SIZE(value)));
		}
	}
}

static void merge_arrays(void)
{
	u32 i, k;

	for (i = 0; i < CPUS; i++)
		for (k = 0; k < EACH; k++)
			plain[k] += plain_cpu[i][k];
}

/* ---- sort and top -------------------------------------------------------------------*/

static void large_map(void) { new_map(&map, &by_number); map_fill_with(&map, ROWS); }
static void sort_map(void) { map_sort(&map, 0, RT_BY_VALUE, RT_DOWN, -1); }
static void top_map(void) { map_sort(&map, 0, RT_BY_VALUE, RT_DOWN, TOP); }

static void large_table(void) { empty_table(); table_fill_with(table, ROWS); }

static int pair_order(const void *a, const void *b)
{
	s64 x = ((const struct pair *)a)->value, y = ((const struct pair *)b)->value;

	return (x < y) - (x > y);
}

static void sort_table(void)
{
	GHashTableIter it;
	gpointer key, value;
	u32 n = 0;

	g_hash_table_iter_init(&it, table);
	for (; g_hash_table_iter_next(&it, &key, &value); n++)
		pairs[n] = (struct pair){ *(s64 *)key, (s64)GPOINTER_TO_SIZE(value) };
	qsort(pairs, n, sizeof(*pairs), pair_order);
}

static void large_array(void)
{
	u32 i;

	for (i = 0; i < ROWS; i++)
		pairs[i] = (struct pair){ keys[i], (s64)(random_next() >> 40) };
}

static void sort_array(void) { qsort(pairs, ROWS, sizeof(*pairs), pair_order); }

/*
 * The floor of a selection: one pass that finds the best, and as many comparisons as it takes to
 * keep 20.
 */
static void top_array(void)
{
	struct pair top[TOP] = { { 0, 0 } };
	u32 i, k;

	for (i = 0; i < ROWS; i++) {
		if (pairs[i].value <= top[TOP - 1].value)
			continue;
		for (k = TOP - 1; k && top[k - 1].value < pairs[i].value; k--)
			top[k] = top[k - 1];
		top[k] = pairs[i];
	}
	sink_value = top[TOP - 1].value;
}

static const struct bench benches[] = {
	{ "lookup-64k",	"lapwing",	KEYS,		full_map,	lookup_map },
	{ "lookup-64k",	"glib",		KEYS,		full_table,	lookup_table },
	{ "lookup-64k",	"array",	KEYS,		full_array,	lookup_array },
	{ "insert-64k",	"lapwing",	KEYS,		empty_map,	insert_map },
	{ "insert-64k",	"glib",		KEYS,		empty_table,	insert_table },
	{ "insert-64k",	"array",	KEYS,		empty_array,	insert_array },
	{ "string-keys", "lapwing",	KEYS,		string_map,	count_map },
	{ "string-keys", "glib",	KEYS,		string_table,	count_table },
	{ "string-keys", "array",	KEYS,		empty_array,	count_array },
	{ "merge-4-cpus", "lapwing",	CPUS * EACH,	cpu_maps,	merge_maps },
	{ "merge-4-cpus", "glib",	CPUS * EACH,	cpu_tables,	merge_tables },
	{ "merge-4-cpus", "array",	CPUS * EACH,	empty_array,	merge_arrays },
	{ "sort-100k",	"lapwing",	ROWS,		large_map,	sort_map },
	{ "sort-100k",	"glib",		ROWS,		large_table,	sort_table },
	{ "sort-100k",	"array",	ROWS,		large_array,	sort_array },
	{ "top-20-of-100k", "lapwing",	ROWS,		large_map,	top_map },
	{ "top-20-of-100k", "glib",	ROWS,		large_table,	sort_table },
	{ "top-20-of-100k", "array",	ROWS,		large_array,	top_array },
};

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* What callgrind collects. */
__attribute__((__noinline__)) void measured(const struct bench *b);
void measured(const struct bench *b)
{
	b->work();
}

static void print_rows(void)
{
	const struct bench *b;
	u32 round;

	for (b = benches; b < benches + G_N_ELEMENTS(benches); b++) {
		double best = 1e18, began, took;

		for (round = 0; round < ROUNDS; round++) {
			b->prepare();
			began = now_ns();
			measured(b);
			took = now_ns() - began;
			best = took < best ? took : best;
		}
		printf("%s %s %u %.1f\n", b->operation, b->impl, b->count, best / b->count);
	}
}

/* ---- two threads ---------------------------------------------------------------------*/

enum { UPDATES = 4000000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *own_maps(void *arg)
{
	struct map *m = &map_cpu[(gsize)arg];
	u32 i;

	for (i = 0; i < UPDATES; i++)
		++*map_long(m, map_need(m, &keys[i % 1024]));
	return NULL;
}

static void *locked_map(void *arg)
{
	u32 i;

	(void)arg;
	for (i = 0; i < UPDATES; i++) {
		pthread_mutex_lock(&mutex);
		++*map_long(&map, map_need(&map, &keys[i % 1024]));
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

static void *locked_table(void *arg)
{
	u32 i;

	(void)arg;
	for (i = 0; i < UPDATES; i++) {
		s64 *key = &keys[i % 1024];

		pthread_mutex_lock(&mutex);
		g_hash_table_insert(
			table, key,
			GSIZE_TO_POINTER(GPOINTER_TO_SIZE(g_hash_table_lookup(table, key)) + 1));
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

static double rate(void *(*body)(void *), gsize threads)
{
	pthread_t id[2];
	double began = now_ns();
	gsize i;

	for (i = 0; i < threads; i++)
		pthread_create(&id[i], NULL, body, GSIZE_TO_POINTER(i));
	for (i = 0; i < threads; i++)
		pthread_join(id[i], NULL);
	return (double)threads * UPDATES * 1e3 / (now_ns() - began);
}

static void print_threads(void)
{
	static const struct { const char *name; void *(*body)(void *); } ways[] = {
		{ "per-cpu", own_maps }, { "mutex", locked_map }, { "glib+mutex", locked_table },
	};
	u32 i;

	empty_table();
	empty_map();
	for (i = 0; i < 2; i++)
		new_map(&map_cpu[i], &by_number);
	for (i = 0; i < G_N_ELEMENTS(ways); i++) {
		double one = rate(ways[i].body, 1), two = rate(ways[i].body, 2);

		printf("%s %.1f %.1f %.2f\n", ways[i].name, one, two, two / one);
	}
}

int main(int argc, char **argv)
{
	const struct bench *b;

	make_inputs();
	if (argc == 1) {
		print_rows();
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "--threads")) {
		print_threads();
		return 0;
	}
	for (b = benches; argc == 3 && b < benches + G_N_ELEMENTS(benches); b++) {
		if (strcmp(b->operation, argv[1]) || strcmp(b->impl, argv[2]))
			continue;
		b->prepare();
		measured(b);
		return 0;
	}
	fprintf(stderr, "usage: core [--threads | OPERATION IMPL]\n");
	return 2;
}
