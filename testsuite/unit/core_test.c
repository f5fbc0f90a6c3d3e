/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * core_test.c - the portable core without a kernel, a script or perf: maps against a model, statistics, formatting, rings and symbol
 * tables against hostile bytes, contexts. Always built with ASan and UBSan. Prints each failed check; exit status 1 if any.
 */
#include "runtime/core/about.h"
#include "runtime/core/core.h"
#include "runtime/core/ctx.h"
#include "runtime/core/floor.h"
#include "runtime/core/global.h"
#include "runtime/core/output.h"
#include "runtime/core/probe_stats.h"
#include "runtime/core/procfs.h"
#include "runtime/core/fmt.h"
#include "runtime/core/frame.h"
#include "runtime/core/hist.h"
#include "runtime/core/map.h"
#include "runtime/core/stack.h"
#include "runtime/core/stat.h"
#include "runtime/core/symbol.h"
#include "testsuite/unit/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a runtime of nothing, whose allocations can be made to fail ----------------*/

static int allocations_left = -1, live;
static char last_message[256];
static int time_left;			/* portions of a long handler */

void *runtime_alloc(u64 bytes)
{
	if (!allocations_left)
		return NULL;
	allocations_left -= allocations_left > 0;
	live++;
	return memset(aligned_alloc(RT_LINE, num_align_line(bytes)), 0, bytes);
}
void runtime_free(void *p) { live -= p != NULL; free(p); }
u32 runtime_parts(void) { return 3; }
int runtime_message(u16 type, u32 id, const void *p, u32 len)
{
	u32 head = type == WIRE_ERROR ? sizeof(struct wire_error) : 0;

	if (type != WIRE_GLOBAL_ACCOUNT || !id)		/* of global accounts only the first */
		memcpy(last_message, (const char *)p + head, len - head < 255 ? len - head : 255);
	return 1;
}
void runtime_comm(struct rt_ctx *c) { c->comm_len = 2; memcpy(c->comm, "me", 2); }
int runtime_go_on(struct rt_ctx *c) { return time_left-- > 0; }
s64 rt_gettimeofday_ns(struct rt_ctx *c) { return 5000000000; }

struct key { struct rt_str k1; s64 k2; };
static const struct rt_map_desc desc = {
	.name = "m",
	.nkeys = 2,
	.key = { RT_STRING, RT_LONG },
	.value = RT_LONG,
	.capacity = 500,
	.iterators = 2,
	.percpu = 1,
};
static struct rt_map g_m = { .desc = &desc };
static struct rt_counter g_c = { .initial = 5 };
static const struct rt_stat_desc sdesc = { .ops = RT_COUNT | RT_VARIANCE | RT_HIST_LOG };
static struct rt_stat g_s = { .desc = &sdesc };
static s64 g_n = 1;
static char g_t_text[64] = "old";
static struct rt_strvar g_t = RT_STRVAR(g_t_text, "old");
static struct rt_global globals[] = {
	{ "m", RT_G_MAP, 1, &g_m, 0 },    { "c", RT_G_COUNTER, 1, &g_c, 0 },
	{ "s", RT_G_STAT, 1, &g_s, 0 },   { "n", RT_G_LONG, 0, &g_n, 0 },
	{ "t", RT_G_STRING, 0, &g_t, 0 },
};
static struct rt_probe probes[] = { { .point = "begin", .where = "x:1:1" } };
static const struct rt_format formats[] = { { "%d %s\n", "ls" }, { "%5.2s|%-4d|%M", "slm" } };
static const char *const near[] = { "", "operator '/' at x:1:1" };
const struct rt_script rt_script = {
	.abi = RT_ABI,
	.maxstring = 64,
	.name = "x",
	.globals = globals,
	.nglobals = 5,
	.probes = probes,
	.nprobes = 1,
	.formats = formats,
	.nformats = 2,
	.near = near,
	.nnear = 2,
	.nfloors = 2,
	.limits = { .maxaction = 100, .map_string = 64, .maxnesting = 5, .arena = 8192 },
};

static struct rt_ctx *make(u32 cpu)
{
	struct rt_ctx *c = malloc(sizeof(*c));

	ctx_init(c, calloc(1, ctx_bytes()), cpu, 0);
	ctx_begin(c, &probes[0]);
	return c;
}

static void drop(struct rt_ctx *c)
{
	free(c->arena);
	free(c);
}

/* ---- tests --------------------------------------------------------------------*/

static void test_load_unwinds(void)
{
	const char *name = NULL;

	for (int n = 0; n < 3; n++) {
		allocations_left = n;
		CHECK(core_load(&name) < 0 && !strcmp(name, globals[n].name));
		CHECK(live == 0);
	}
	allocations_left = -1;
	CHECK(core_load(&name) == 0 && live == 4);
}

/* WIRE_GLOBAL's payload in memory of exactly its size, so that reading too far is found. */
static int assign(const char *bytes, u32 n, s64 number, u32 is_number)
{
	struct wire_global *g = malloc(sizeof(*g) + n);
	int rc;

	*g = (struct wire_global){ .number = number, .is_number = is_number };
	memcpy(g + 1, bytes, n);
	rc = core_assign(g, sizeof(*g) + n);
	free(g);
	return rc;
}

static void test_assign(void)
{
	static const struct wire_global none;
	struct rt_ctx *c = make(1);
	char large[102] = "t";

	CHECK(assign("n\0" "7", 4, 7, 1) == 0 && g_n == 7);
	CHECK(assign("c\0" "-9", 5, -9, 1) == 0 && rt_counter_get(c, &g_c) == -9);
	CHECK(assign("t\0" "12", 5, 12, 1) == 0 && !rt_cmp(rt_get(&g_t), RT_STR("12")));
	CHECK(assign("t\0", 3, 0, 0) == 0 && rt_get(&g_t).len == 0);
	memset(large + 2, 'x', 99);
	CHECK(assign(large, sizeof(large), 0, 0) == 0 && rt_get(&g_t).len == 63);
	CHECK(assign("n\0x", 4, 0, 0) == -EINVAL &&
	      assign("m\0"
		     "1",
		     4, 1, 1) == -EINVAL &&
	      assign("s\0"
		     "1",
		     4, 1, 1) == -EINVAL);
	CHECK(assign("nn\0" "1", 5, 1, 1) == -ENOENT && assign("\0" "1", 3, 1, 1) == -ENOENT);
	CHECK(assign("n\0"
		     "1",
		     3, 1, 1) == -EINVAL &&
	      assign("n", 1, 1, 1) == -EINVAL && assign("", 0, 1, 1) == -EINVAL);
	CHECK(core_assign(&none, 8) == -EINVAL && g_n == 7);
	drop(c);
}

static void test_books(void)
{
	struct wire_account a = { 0 }, b = { 0 }, none = { 0 };
	struct rt_ctx c = { .probe = rt_script.probes }, other = { .probe = rt_script.probes, .part = 2 };
	int k;

	CHECK(probe_stats_time_begin() == 0);
	probe_stats_time(&a, &c, 30);
	probe_stats_time(&a, &c, 10);
	probe_stats_time(&b, &other, 50);
	b.entered = 3;
	probe_stats_add(&a, &none);
	probe_stats_add(&a, &b);
	CHECK(a.timed == 3 && a.took == 90 && a.took_min == 10 && a.took_max == 50 && a.took_squares == 3500 && a.entered == 3);
	probe_stats_percentile(0, &a);
	CHECK(a.took_p99 == 50);
	probe_stats_percentile(0, &none);
	CHECK(none.took_p99 == 0);
	probe_stats_add(&none, &a);
	none.took_p99 = a.took_p99;
	CHECK(!memcmp(&none, &a, sizeof(a)));
	probe_stats_time(&a, &c, 1ULL << 33);
	CHECK(a.took_squares == ~0ULL);
	probe_stats_add(&a, &b);
	CHECK(a.took_squares == ~0ULL && a.took == (1ULL << 33) + 140 && a.timed == 5);
	probe_stats_time_end();
	/* 99 of 100 take 1,000 to 1,098, one a million: within 6.25 % of 1,098, and of any power of two. */
	memset(&a, 0, sizeof(a));
	CHECK(probe_stats_time_begin() == 0);
	for (k = 0; k < 99; k++)
		probe_stats_time(&a, k & 1 ? &c : &other, 1000 + (u64)k);
	probe_stats_time(&a, &c, 1000000);
	probe_stats_percentile(0, &a);
	CHECK(a.took_p99 > 1098 - 69 && a.took_p99 < 1098 + 69);
	probe_stats_time_end();
	for (k = 0; k < 64; k++) {
		memset(&a, 0, sizeof(a));
		CHECK(probe_stats_time_begin() == 0);
		probe_stats_time(&a, &c, 1ULL << k);
		probe_stats_percentile(0, &a);
		CHECK(a.took_p99 == 1ULL << k);
		probe_stats_time_end();
	}
	allocations_left = 0;
	CHECK(probe_stats_time_begin() == -ENOMEM && !probe_stats_timing);
	allocations_left = -1;
	CHECK(live == 4);
}

/* What arrays refused is known, in one part or several, and is said once. */
static void test_refused(void)
{
	struct rt_ctx *c = make(0);
	struct wire_global_account g;
	struct key key = { RT_STR("k"), 0 };
	s64 n = desc.capacity + 7;

	for (key.k2 = 0; key.k2 < n; key.k2++) {
		rt_map_add(c, &g_m, &key, 1);
		c->failed = 0;
	}
	c->part = 1;
	for (key.k2 = 0; key.k2 < n; key.k2++) {
		rt_map_add(c, &g_m, &key, 1);
		c->failed = 0;
	}
	for (int twice = 0; twice < 2; twice++) {
		probe_stats_globals(NULL);
		memcpy(&g, last_message, sizeof(g));
		CHECK(g.is_array && g.rows == desc.capacity && g.refused == 14 && !strcmp(last_message + sizeof(g), "m"));
	}
	rt_map_clear(c, &g_m);
	drop(c);
}

static int key_order(const struct map *m, u32 i, u32 k)
{
	struct { s64 k1; struct rt_str k2; } a, b;

	map_key(m, map_row_at(m, i), &a);
	map_key(m, map_row_at(m, k), &b);
	return rt_cmp(a.k2, b.k2);
}

/*
 * Sorts rows by value and by string key, where equal rows stay in the order of insertion; a limited
 * sort starts with the same rows.
 */
static void check_orders(struct map *m, u32 count)
{
	static u32 place[300];
	const struct map_row *row;
	u32 n = 0, j;

	for (row = map_first(m); row; row = map_newer(m, row))
		place[((const u8 *)row - m->rows) / m->row_bytes] = n++;
	CHECK(n == count);
	CHECK(map_sort(m, 0, RT_BY_VALUE, RT_DOWN, -1) == n);
	for (j = 1; j < n; j++)
		CHECK(*map_long(m, map_row_at(m, m->order[j - 1])) >=
		      *map_long(m, map_row_at(m, m->order[j])));
	CHECK(map_sort(m, 0, RT_BY_KEY + 1, RT_UP, -1) == n);
	for (j = 1; j < n; j++) {
		int order = key_order(m, m->order[j - 1], m->order[j]);

		CHECK(order < 0 || (!order && place[m->order[j - 1]] < place[m->order[j]]));
	}
	for (u32 by = RT_BY_VALUE; by <= RT_BY_KEY + 1; by += RT_BY_KEY + 1 - RT_BY_VALUE)
		for (s32 direction = RT_DOWN; direction <= RT_UP; direction += 2) {
			map_sort(m, 1, by, direction, -1);
			CHECK(map_sort(m, 0, by, direction, 7) >= (n < 7 ? n : 7));
			CHECK(!memcmp(m->order, m->order + m->desc->capacity, 4 * (n < 7 ? n : 7)));
		}
}

static int value_order(const void *a, const void *b)
{
	s64 x = *(const s64 *)a, y = *(const s64 *)b;

	return (x > y) - (x < y);
}

/*
 * Quantiles of 1,000 values of every size and sign: each off by at most a sixteenth, small ones and
 * the ends exact.
 */
static void test_quantiles(void)
{
	static const struct rt_stat_desc d = { .ops = RT_COUNT | RT_HIST_LOG | RT_QUANTILES };
	struct rt_statval *a = malloc(agg_bytes(&d)), *b = malloc(agg_bytes(&d));
	static s64 value[1000];
	u32 i, percent;

	for (i = 0; i < HIST_FINE; i++)
		CHECK(hist_fine_bucket(hist_fine_value(i)) == i);
	for (int round = 0; round < 70; round++) {
		agg_init(a, &d);
		agg_init(b, &d);
		CHECK(agg_percentile(a, 50) == 0);
		for (i = 0; i < 1000; i++) {
			u64 bits = (u64)rand() << 42 ^ (u64)rand() << 21 ^ (u64)rand();

			value[i] = (s64)(bits >> (round % 64)) * (i % 3 && round < 64 ? 1 : -1);
			agg_add(i % 2 ? a : b, value[i]);
		}
		agg_merge(a, b);
		qsort(value, 1000, sizeof(value[0]), value_order);
		for (percent = 0; percent <= 100; percent++) {
			s64 truth = value[percent ? percent * 10 - 1 : 0],
			    found = agg_percentile(a, percent);
			u64 off = found > truth ? (u64)found - (u64)truth : (u64)truth - (u64)found;

			CHECK(off <= num_abs(truth) / 16);
		}
		CHECK(agg_percentile(a, 0) == value[0] && agg_percentile(a, 100) == value[999]);
	}
	agg_init(a, &d);
	agg_add(a, -0x7fffffffffffffffLL - 1);
	agg_add(a, 0x7fffffffffffffffLL);
	CHECK(agg_percentile(a, 50) == a->min && agg_percentile(a, 51) > a->max / 16 * 15);
	free(a);
	free(b);
}

/*
 * A hit has MAXACTION statements; a long handler has a hundred times as many, in portions, while
 * there is time.
 */
static void test_budgets(void)
{
	struct rt_ctx *c = make(0);
	u32 n = 0;

	ctx_begin(c, probes);
	for (n = 0; !rt_charge(c, 1); n++)
		;
	CHECK(n == rt_script.limits.maxaction && c->failed == 2);
	ctx_end(c);
	CHECK(!strncmp(last_message, "MAXACTION exceeded", 18));
	time_left = 1 << 20;
	ctx_begin_long(c, probes);
	for (n = 0; !rt_charge(c, 1); n++)
		;
	CHECK(n == rt_script.limits.maxaction * 100 && c->failed == 2);
	ctx_end(c);
	CHECK(!strncmp(last_message, "MAXACTION exceeded", 18));
	time_left = 0;
	c->reserve = 0;
	ctx_begin_long(c, probes);
	c->reserve = 1 << 30;
	while (!rt_charge(c, 30000))
		;
	ctx_end(c);
	CHECK(!strncmp(last_message, "time limit exceeded", 19));
	drop(c);
}

/* 100,000 random operations against a plain array. */
static void test_map_model(void)
{
	static const struct rt_map_desc d = { .name = "x",
					      .nkeys = 2,
					      .key = { RT_LONG, RT_STRING },
					      .capacity = 200,
					      .iterators = 2 };
	struct { s64 k1; struct rt_str k2; } key;
	static s64 model[300];
	static int there[300];
	int count = 0;
	struct map m;
	char text[8];

	map_init(&m, calloc(1, map_bytes(&d, 16)), &d, 16);
	map_order_init(&m, malloc(map_order_bytes(&d)));
	srand(1);
	for (int i = 0; i < 100000; i++) {
		int k = rand() % 300, op = rand() % 4;
		struct map_row *row;

		snprintf(text, sizeof(text), "s%d", k % 7);
		key.k1 = k;
		key.k2 = (struct rt_str){ text, (u16)strlen(text) };
		row = map_find(&m, &key);
		CHECK((row != NULL) == there[k] && (!row || *map_long(&m, row) == model[k]));
		if (op < 2) {
			row = map_need(&m, &key);
			CHECK((row != NULL) == (there[k] || count < 200));
			if (row) {
				count += !there[k];
				there[k] = 1;
				*map_long(&m, row) = model[k] = rand();
			}
		} else if (op == 2 && row) {
			map_remove(&m, row);
			there[k] = 0;
			count--;
		}
		CHECK(m.count == (u32)count);
		if (i % 1000 == 0)
			check_orders(&m, (u32)count);
	}
	free(m.bucket);
	free(m.sorted);
}

/* 20,000 rows, one in three taken away again: those that should be there are, and no others. */
static void test_map_many(void)
{
	static const struct rt_map_desc d = { .name = "many", .nkeys = 1, .key = { RT_LONG }, .capacity = 20000 };
	struct map_row *row;
	struct map m;

	map_init(&m, calloc(1, map_bytes(&d, 16)), &d, 16);
	for (s64 k = 0; k < 20000; k++) {
		row = map_need(&m, &(s64){ k * k * k });
		CHECK(row);
		if (row)
			*map_long(&m, row) = k;
	}
	for (s64 k = 0; k < 20000; k += 3) {
		row = map_find(&m, &(s64){ k * k * k });
		CHECK(row);
		if (row)
			map_remove(&m, row);
	}
	for (s64 k = 0; k < 20000; k++) {
		row = map_find(&m, &(s64){ k * k * k });
		CHECK(!row == !(k % 3) && (!row || *map_long(&m, row) == k));
	}
	free(m.bucket);
}

static void test_parts_add_up(void)
{
	struct rt_ctx *c[3] = { make(0), make(1), make(2) };
	struct key key = { RT_STR("k"), 1 }, row;
	struct rt_iter it;
	int rows = 0;

	for (int i = 0; i < 3; i++) {
		rt_map_add(c[i], &g_m, &key, 10 + i);
		rt_counter_add(c[i], &g_c, i);
		rt_stat_add(c[i], &g_s, 100 * i);
	}
	CHECK(rt_map_get(c[0], &g_m, &key) == 33);
	CHECK(rt_counter_get(c[0], &g_c) == 8);
	CHECK(rt_count(c[0], rt_stat_read(c[0], &g_s)) == 3 &&
	      rt_avg(c[0], rt_stat_read(c[0], &g_s)) == 100);
	CHECK(rt_variance(c[0], rt_stat_read(c[0], &g_s)) == 10000);
	for (rt_foreach(c[0], &it, &g_m, RT_BY_NONE, RT_UP, -1); rt_next(c[0], &it, &row); rows++)
		CHECK(rt_iter_long(&it) == 33 && row.k2 == 1);
	CHECK(rows == 1);
	for (int i = 0; i < 600 && !c[0]->failed; i++) {
		key.k2 = i;
		rt_map_set(c[0], &g_m, &key, 1);
	}
	CHECK(c[0]->failed && !strncmp(c[0]->error, "Array overflow, check MAXMAPENTRIES", 35));
	for (int i = 0; i < 3; i++)
		drop(c[i]);
}

/* Above the memory budget an array has one part, and the CPUs' updates still add up. */
static void test_budget(void)
{
	u64 budget = core_percpu_budget, whole;
	struct key key = { RT_STR("k"), 1 };
	const char *name;

	core_unload();
	CHECK(!core_load(&name) && globals[0].parts == 3 && !core_shared());
	whole = core_bytes();
	core_unload();
	core_percpu_budget = 1000;
	CHECK(!core_load(&name) && globals[0].parts == 1 && core_shared() == 1 &&
	      globals[1].parts == 3);
	CHECK(core_bytes() < whole / 2);
	for (u32 i = 0; i < 3; i++) {
		struct rt_ctx *c = make(i);

		rt_map_add(c, &g_m, &key, 10);
		CHECK(rt_map_get(c, &g_m, &key) == 10 * (i + 1));
		drop(c);
	}
	core_unload();
	core_percpu_budget = budget;
	CHECK(!core_load(&name) && globals[0].parts == 3);
}

struct values { struct fmt_source source; const struct fmt_value *v; };
static int next_value(struct fmt_source *from, char kind, struct fmt_value *v)
{
	*v = *((struct values *)from)->v++;
	return 1;
}

static void print_is(const char *format, const char *want, struct fmt_value a, struct fmt_value b)
{
	struct fmt_value v[] = { a, b, { 0 }, { 0 } };
	struct values source = { { next_value }, v };
	char text[256];
	struct sink s = { .p = text, .size = sizeof(text) - 1 };

	fmt_print(&s, format, &source.source);
	text[s.used] = 0;
	CHECK(!strcmp(text, want));
}

static void test_fmt(void)
{
#define L(x) ((struct fmt_value){ .l = (x) })
#define S(x) ((struct fmt_value){ .p = (x), .len = sizeof(x) - 1 })
	print_is("%d %d", "1 -9223372036854775808", L(1), L(-9223372036854775807LL - 1));
	print_is("%5d|%-5d|", "    7|8    |", L(7), L(8));
	print_is("%016d%%", "-000000000000001%", L(-1), L(0));
	print_is("%#x %#o", "0x0 010", L(0), L(8));
	print_is("%s|%.2s", "abc|ab", S("abc"), S("abc"));
	print_is("%#c%#c", "\\t\\000", L(9), L(0));
	print_is("%*d", "   5", L(4), L(5));
	print_is("%q %", "%q %", L(0), L(0));
	print_is("%5.3d", "  007", L(7), L(0));
}

static void test_hostile_ring(void)
{
	enum { SIZE = 4096 };
	struct wire_ring *r = aligned_alloc(64, WIRE_RING_HEADER + SIZE);
	struct ring_writer w;
	u64 pos = 0;
	int bad = 0, n = 0;
	u32 len;

	memset(r, 0, WIRE_RING_HEADER + SIZE);
	ring_writer_init(&w, r, SIZE);
	/* written and read in turn, many laps */
	for (int i = 0; i < 1000; i++) {
		struct wire_record head = { .len = 24 + 8 * (u32)(i % 20),
					    .type = WIRE_OUTPUT,
					    .stamp = (u64)i };
		u64 body[20] = { (u64)i };
		const struct wire_record *got;

		ring_write(&w, &head, body, head.len - (u32)sizeof(head), 1);
		if (i % 3)
			continue;
		while ((got = ring_next(r, SIZE, &pos, ring_head(r), &len, &bad))) {
			CHECK(got->stamp == (u64)n && *(const u64 *)(got + 1) == (u64)n &&
			      len == 24 + 8 * (u32)(n % 20));
			n++;
		}
		ring_release(r, pos);
	}
	CHECK(!bad && n > 990 && r->lost == 0);
	/* never read: records that do not fit are counted, those that are in the ring stay whole */
	for (int i = 0; i < 1000; i++) {
		struct wire_record head = { .len = 24, .type = WIRE_OUTPUT, .stamp = 7 };

		ring_write(&w, &head, &pos, 8, 1);
	}
	CHECK(r->lost > 800 && r->lost_bytes == r->lost * 24 && ring_head(r) - pos <= SIZE);
	for (n = 0; ring_next(r, SIZE, &pos, ring_head(r), &len, &bad); n++)
		;
	CHECK(!bad && (u64)n + r->lost >= 1000);
	srand(2);
	for (int i = 0; i < 20000; i++) {
		const struct wire_record *got;
		u64 at = (u64)rand() & ~7ULL, head = at + ((u64)rand() % (SIZE * 2) & ~7ULL);

		for (int k = 0; k < SIZE; k++)
			((u8 *)r)[WIRE_RING_HEADER + k] =
				rand() % 5 ? (u8)(rand() % 40) & 0xf8 : (u8)rand();
		bad = 0;
		while ((got = ring_next(r, SIZE, &at, head, &len, &bad))) {
			u32 item_at = 0;
			const struct wire_item *item;

			while ((item = record_item(got, &item_at))) {
				struct fmt_item_source source;
				char text[64];
				struct sink s = { .p = text, .size = sizeof(text) };

				fmt_item_source_init(&source, item);
				fmt_print(&s, "%s %d %M", &source.source);
			}
		}
		i += 19;
	}
	free(r);
}

/* Each stack once, with SystemTap's text; a text that stays and its copy are one key, cut or not; a full table says so. */
static void test_stacks(void)
{
	static const struct rt_map_desc one = { .name = "s", .nkeys = 1, .key = { RT_STRING }, .value = RT_LONG, .capacity = 8 };
	const u64 ip[3] = { 0xffffffff81000000, 0x400123, 1 };
	void *memory = calloc(1, stacks_bytes(4, 3, 512)), *rows = calloc(1, map_bytes(&one, 512));
	struct stacks s;
	struct stack *k;
	struct rt_str text, copy;
	struct map m;
	u64 other[3] = { 0 };

	stacks_init(&s, memory, 4, 3, 512);
	k = stacks_keep(&s, ip, 3);
	CHECK(k && k == stacks_keep(&s, ip, 3) && k != stacks_keep(&s, ip, 2));
	text = (struct rt_str){ stack_text(k), (u16)k->len, k->text_hash };
	CHECK(!strncmp(text.p, "0xffffffff81000000 0x400123 0x1 ", text.len) && text.len == 32);
	map_init(&m, rows, &one, 512);
	*map_long(&m, map_need(&m, &text)) = 5;
	copy = (struct rt_str){ "0xffffffff81000000 0x400123 0x1 ", 32 };
	CHECK(map_find(&m, &copy) && map_find(&m, &copy) == map_find(&m, &text) && m.count == 1);
	copy = (struct rt_str){ 0 };
	map_key(&m, map_first(&m), &copy);
	CHECK(copy.p == text.p && copy.len == 32 && copy.hash == text.hash);
	memset(rows, 0, map_bytes(&one, 512));
	map_init(&m, rows, &one, 24);			/* as with -D MAP_STRING_LENGTH=24 */
	*map_long(&m, map_need(&m, &text)) = 6;
	copy = (struct rt_str){ "0xffffffff81000000 0x400", 24 };
	CHECK(map_find(&m, &copy) && map_find(&m, &copy) == map_find(&m, &text) && m.count == 1);
	for (other[0] = 1; other[0] < 100; other[0]++)
		stacks_keep(&s, other, 3);
	CHECK(s.refused > 90 && k == stacks_keep(&s, ip, 3));
	free(memory);
	free(rows);
}

static void test_hostile_symtab(void)
{
	u64 words[64];
	const struct wire_symtab *t = (const void *)words;
	u64 printed = 0;

	srand(3);
	for (int i = 0; i < 200000; i++) {
		u64 bytes = (u64)rand() % sizeof(words);

		for (unsigned k = 0; k < 64; k++)
			words[k] = (u64)rand() % 200 << (rand() % 2 ? 32 : 0) | (u64)(rand() % 200);
		words[0] = (u64)rand() % 4 | (16 + (u64)rand() % 200) << 32;
		words[1] = (u64)rand() % 4 | (u64)rand() % 4 << 32;
		words[2] = (u64)rand() % 3;
		((u8 *)words)[bytes ? bytes - 1 : 0] = 0;
		if (symtab_check(t, bytes))
			continue;
		for (u64 at = 0; at < 300; at += 7) {
			char text[64];
			struct sink s = { .p = text, .size = sizeof(text) };

			symbol_print(&s, t, at, at, SYMBOL_FILELINE);
			printed += s.used;
			CHECK(!symtab_caller(t, at) || symtab_caller(t, at)->start <= at);
		}
	}
	CHECK(printed > 1000);
}

/* Two calls within each other, and the lines of each: the innermost first, each where it had come to. */
static void test_inlined(void)
{
	static const struct {
		struct wire_symtab t;
		struct wire_symbol sym;
		struct wire_line line[3];
		struct wire_inlined call[2];
		char names[16];
	} table = {
		{ .nsyms = 1, .names = 160, .nlines = 3, .ninlined = 2 }, { .start = 16, .size = 32, .name = 166 },
		{ { 16, 168, 5 }, { 24, 168, 9 }, { 48, 168, 0 } },
		{ { .start = 20, .size = 20, .name = 172, .file = 168, .line = 6 },
		  { .start = 24, .size = 8, .name = 174, .file = 170, .line = 2, .outer = 1 } },
		"/path\0f\0a\0b\0o\0i",
	};
	char text[512];
	struct sink s = { .p = text, .size = sizeof(text) - 1 };

	CHECK(!symtab_check(&table.t, sizeof(table)));
	symbol_print(&s, &table.t, 26, 26, SYMBOL_FILELINE);
	symbol_print(&s, &table.t, 24, 24, SYMBOL_FILELINE | SYMBOL_RETURN);
	symbol_print(&s, &table.t, 47, 47, SYMBOL_FILELINE);
	text[s.used] = 0;
	CHECK(!strcmp(text, " 0x1a : i at a:9 [/path] (inlined)\n 0x1a : o at b:2 [/path] (inlined)\n 0x1a : f+0xa/0x20 at a:6 [/path]\n"
			    " 0x18 : o at a:5 [/path] (inlined)\n 0x18 : f+0x8/0x20 at a:6 [/path]\n 0x2f : f+0x1f/0x20 at a:9 [/path]\n"));
	CHECK(!symtab_line(&table.t, 48) && !symtab_line(&table.t, 15));
	/* Behind its last byte is where its last call returns to, and what it begins with, where one before it does. */
	CHECK(!symtab_find(&table.t, 48) && symtab_find_return(&table.t, 48) == &table.sym && !symtab_find_return(&table.t, 16));
}

static void test_context(void)
{
	struct rt_ctx *c = make(0);
	struct rt_strvar v;
	struct rt_str s = RT_STR("");

	CHECK(rt_div(c, -9223372036854775807LL - 1, -1) == -9223372036854775807LL - 1 && !c->failed);
	rt_try(c);
	CHECK(rt_div(c, 1, 0) == 0 && rt_failed(c, 1) && c->near == 1);
	v = rt_strvar(c);
	CHECK(rt_catch(c, &v) && rt_cmp(rt_get(&v), RT_STR("division by 0")) == 0 && !c->failed);
	for (int i = 0; i < 200; i++)
		s = rt_concat(c, s, RT_STR("0123456789"));
	CHECK(s.len == 63 || c->failed);
	ctx_begin(c, &probes[0]);
	CHECK(rt_charge(c, 100) == 0 && rt_charge(c, 1) == 1 && c->failed == 2 && !rt_catch(c, NULL));
	CHECK(ctx_end(c) == 1 && !strcmp(last_message, "MAXACTION exceeded"));
	ctx_begin(c, &probes[0]);
	CHECK(rt_sprint(c, 1, RT_S(RT_STR("abc")), RT_L(5), RT_L(0)).len > 0);
	CHECK(c->failed && !strncmp(c->error, "read fault", 10));
	ctx_begin(c, &probes[0]);
	for (int i = 0; i < 2000; i++)
		rt_print(c, 0, RT_L(i), RT_S(RT_STR("text")));
	CHECK(!rt_cmp(rt_text_strn(c, RT_STR("\303\251\303"), 0, 1), RT_STR("\"\\u00e9\\303\"")) &&
	      !rt_cmp(rt_text_strn(c, RT_STR("abcdef"), 7, 1), RT_STR("\"ab\"...")) &&
	      !rt_cmp(rt_text_strn(c, RT_STR("a\0b\0"), 0, 1), RT_STR("\"a\\0b\\0\"")) &&
	      !rt_cmp(rt_text_strn(c, RT_STR("abcd\t\t\t\t\t"), 10, 1), RT_STR("\"abcd\"...")) &&
	      !rt_cmp(rt_errno_str(c, -99999), RT_STR("E#99999")));
	CHECK(!rt_cmp(rt_tokenize(c, RT_STR(",a,"), RT_STR(",")), RT_STR("a")) && !rt_tokenize_on(c, RT_STR(",")).len &&
	      !rt_cmp(rt_str_replace(c, RT_STR("aba"), RT_STR("a"), RT_STR("")), RT_STR("b")) && rt_randint(c, 1) == 0);
	CHECK(!c->failed && rt_strlen(rt_ctime(c, 0)) == 24 && rt_strtol(c, RT_STR("-0x10"), 0) == -16);
	drop(c);
}

/* ---- items written in the ring itself ------------------------------------------*/

/* Reads the ring's records as text, with '/' between records, and releases them. */
static void read_all(struct wire_ring *r, u64 size, u64 *pos, char *text, u32 room)
{
	struct sink s = { .p = text, .size = room - 1 };
	const struct wire_record *rec;
	int bad = 0;
	u32 len;

	while ((rec = ring_next(r, size, pos, ring_head(r), &len, &bad))) {
		const struct wire_item *item;
		u32 at = 0;

		while ((item = record_item(rec, &at))) {
			struct fmt_item_source source;

			fmt_item_source_init(&source, item);
			fmt_print(&s, "%d %s,", &source.source);
		}
		sink_char(&s, '/');
	}
	text[s.used] = 0;
	CHECK(!bad);
	ring_release(r, *pos);
}

static void print_named(struct rt_ctx *c, s64 n)
{
	s64 *item = rt_item(c, 0, 2, 1 + RT_EXECNAME_WORDS);

	memset(item, 'x', (1 + RT_EXECNAME_WORDS) * sizeof(*item));
	item[0] = n;
	((u32 *)(item + 1))[0] = 15;
	/* bytes after the end are not printed */
	memcpy((u32 *)(item + 1) + 1, "name\0of bef\0\0\0\0", 16);
}

static void test_items(void)
{
	enum { SIZE = 65536 };
	struct wire_ring *r = aligned_alloc(64, WIRE_RING_HEADER + SIZE);
	struct ring_writer w;
	struct rt_ctx *c = make(0);
	char text[256], want[64];
	u64 pos = 0;

	memset(r, 0, WIRE_RING_HEADER + SIZE);
	ring_writer_init(&w, r, SIZE);
	c->ring = &w;
	/* a lap of the ring is 1,170 hits: the last ones of each go through the stage */
	for (int i = 0; i < 3000; i++) {
		ctx_begin(c, &probes[0]);
		print_named(c, i);
		if (i % 2)
			print_named(c, -i);
		if (c->out == c->stage) {
			struct wire_record head = output_head(c, 0);

			ring_write(&w, &head, c->out, c->out_used, 1);
		}
		ctx_end(c);
		read_all(r, SIZE, &pos, text, sizeof(text));
		snprintf(want, sizeof(want), i % 2 ? "%d name,%d name,/" : "%d name,/", i, -i);
		CHECK(!strcmp(text, want));
	}
	CHECK(pos > 2 * SIZE && !r->lost);
	ctx_begin(c, &probes[0]);
	print_named(c, 1);
	ctx_fail(c, RUN_DIVISION);
	print_named(c, 2);
	CHECK(ctx_end(c) == 1);
	read_all(r, SIZE, &pos, text, sizeof(text));
	CHECK(!strcmp(text, "1 name,/"));
	c->ring = &ring_none;
	drop(c);
	free(r);
}

/* ---- histograms: a bar longer than 50 is scaled (as in SystemTap) ------------*/

static void test_hist_scale(void)
{
	static const char want[] =
		"value |-------------------------------------------------- count\n"
		"    1 |                                                     0\n"
		"    2 |                                                     0\n"
		"    4 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           120\n"
		"    8 |@                                                    3\n"
		"   16 |                                                     0\n"
		"   32 |                                                     0\n\n";
	static const struct rt_stat_desc desc = { .ops = RT_HIST_LOG };
	static const struct rt_limits limits = { .hist_width = 50, .hist_elision = 2 };
	u64 count[HIST_BUCKETS] = { 0 };
	struct wire_hist h;
	char text[1024];
	struct sink out = { .p = text, .size = sizeof(text) };

	hist_describe(&desc, &limits, &h);
	count[hist_log_bucket(5)] = 120;
	count[hist_log_bucket(9)] = 3;
	CHECK(hist_print(&out, &h, count) == 0);
	CHECK(out.used == sizeof(want) - 1 && !memcmp(text, want, sizeof(want) - 1));
}

/* A function that is for the script's user's own processes fails in another's, who is said. */
static void test_own_process(void)
{
	struct rt_ctx *c = make(0);
	const char *text = "myproc-unprivileged tapset function called without is_myproc checking for pid 0 (euid 0)";

	core_about.uid = 0;
	rt_own_process_only(c);
	CHECK(!c->failed);
	core_about.uid = 77;
	rt_own_process_only(c);
	CHECK(c->failed && c->message.len == strlen(text) && !memcmp(c->message.p, text, strlen(text)));
	core_about.uid = 0;
	drop(c);
}

/* ---- floors ----------------------------------------------------------------*/

void runtime_books(u32 probe, struct wire_account *a)
{
	*a = (struct wire_account){ .entered = 10, .completed = 6, .in_flight = 1, .condition_off = 1, .missed_lock = 2 };
}

static void test_floors(void)
{
	struct rt_probe *p = &probes[0], was = *p;
	struct rt_ctx c = { .probe = p };

	CHECK(rt_floor(0, 1, 0, 0) == 0 && rt_floor_spread(0, 1, 0, 0) == 0);
	p->calibrates = RT_EMPTY_KERNEL;
	for (s64 i = 0; i < RT_EMPTY_CALLS + 100; i++)		/* 1000 ... 1254 in disorder; more are not wanted */
		rt_floor_take(&c, 0, 1000 + i * 97 % RT_EMPTY_CALLS);
	CHECK(rt_floor(0, 1, 0, 0) == 1127 && rt_floor_spread(0, 1, 0, 0) == 115);
	CHECK(rt_floor(0, 1, 1, 0) == 0 && rt_floor(1, 1, 0, 0) == 0 && rt_floor(-1, 1, 0, 0) == 0 && rt_floor(2, 1, 0, 0) == 0);
	p->way = RT_WAY_SLOW;
	for (int i = 0; i < 9; i++)
		rt_floor_take(&c, 0, i ? 5127 : (s64)(1ULL << 63));
	CHECK(rt_floor(0, 4, 4, 0) == 5127 && rt_floor(0, 4, 1, 0) == 2127 && rt_floor(0, 0, 1, 0) == 1127);
	CHECK(rt_floor_spread(0, 4, 1, 0) >= 115);
	p->way = RT_WAY_INSTRUCTIONS;
	for (int i = 0; i < 9; i++)
		rt_floor_take(&c, 0, 6127);
	CHECK(rt_floor(0, 4, 0, 4) == 6127 && rt_floor(0, 4, 0, 1) == 2377 && rt_floor(0, 4, 4, 0) == 5127);
	CHECK(rt_floor_spread(0, 4, 0, 4) == 123 && rt_floor_spread(0, 4, 0, 1) == 123 && rt_floor_spread(0, 4, 0, 0) == 115);
	p->way = RT_WAY_SLOW;
	rt_floor_take(&c, 7, 1);
	p->calibrates = 0;
	p->stopwatch = 3;
	rt_floor_take(&c, 1, 1);
	CHECK(rt_floor(1, 1, 1, 0) == 0);
	CHECK(rt_calls_entered(3) == 9 && rt_calls_in_flight(3) == 1 && rt_calls_missed(3) == 2 && rt_calls_entered(0) == 0);
	*p = was;
}

/* Only on a kernel that breaks programs at nops of 5 bytes do probes stand beside them, or nowhere. */
static void test_nop5(void)
{
	struct rt_probe *p = &probes[0], was = *p;
	struct rt_ctx c = { .probe = p };
	const struct rt_uprobe rows[] = {
		{ .probe = p, .path = "/x", .offset = 0x100, .address = 0x400100, .aside = 5 },
		{ .probe = p, .path = "/x", .offset = 0x200, .address = 0x400200, .aside = -1 },
		{ .probe = p, .path = "/x", .offset = 0x300, .address = 0x400300, .stuck = "why" },
	};
	struct wire_about about = core_about;

	p->stopwatch = 3;
	p->way = RT_WAY_NOP5 | RT_WAY_NOP5_SLOW;
	CHECK(core_wants() & WIRE_WANTS_NOP5);
	for (u32 breaks = 0; breaks < 2; breaks++) {
		struct rt_uprobe *copy;

		about.nop5_breaks = breaks;
		CHECK(!core_take_about(&about, sizeof(about)));
		copy = core_uprobes(rows, 3);
		CHECK(copy[0].offset == 0x100 + 5 * breaks && copy[0].address == 0x400100 + 5 * breaks);
		CHECK(copy[1].offset == 0x200 - breaks && copy[1].address == 0x400200 - breaks);
		CHECK(copy[2].offset == 0x300 && !core_uprobe_stuck(&copy[0]) && !core_uprobe_stuck(&copy[2]) == !breaks);
		CHECK(rt_is_slow(&c, 3) == (s64)breaks && !rt_is_slow(&c, 2));
		runtime_free(copy);
	}
	about.nop5_breaks = 0;
	core_take_about(&about, sizeof(about));
	*p = was;
	CHECK(!(core_wants() & WIRE_WANTS_NOP5));
}

/* Where the consumer's functions return is told with them. */
static void test_empty_places(void)
{
	static const struct rt_exit exit;
	struct rt_probe *p = &probes[0], was = *p;
	const struct rt_uprobe rows[] = { { .probe = p, .is_return = 1, .exits = &exit, .nexits = 1 }, { .probe = p, .is_return = 1 } };
	struct wire_about about = core_about, before = core_about;
	struct rt_uprobe *copy;

	p->stopwatch = 3;
	p->calibrates = RT_EMPTY_PROGRAM;
	p->way = RT_WAY_INSTRUCTIONS | RT_WAY_SLOW;
	about.empty[3][2] = 0x700;
	about.empty_first[3] = 3;
	CHECK(!core_take_about(&about, sizeof(about)));
	copy = core_uprobes(rows, 2);
	CHECK(copy[0].offset == 0x700 && copy[0].exits->offset == 0x703 && copy[0].exits->how == RT_EXIT_RETURN && copy[0].path);
	CHECK(copy[1].offset == 0x700 && !copy[1].exits);
	CHECK(core_wants() & WIRE_WANTS_EMPTY && !(core_wants() & WIRE_REPLACES));
	runtime_free(copy);
	p->calibrates = 0;
	p->way = RT_WAY_REPLACES;
	CHECK(core_wants() & WIRE_REPLACES);
	core_take_about(&before, sizeof(before));
	*p = was;
}

/* Names of errors are the C library's; what has none there has none here, up to the numbers that the kernel keeps to itself. */
static void test_errno_names(void)
{
	struct rt_ctx c = { .probe = &probes[0] };

	for (s64 n = 1; n < 512; n++) {
		const char *name = strerrorname_np((int)n);

		CHECK(rt_errno_p(n) == (name ? n : 0) && rt_errno_p(-n) == rt_errno_p(n));
		if (name) {
			struct rt_str s = rt_errno_str(&c, -n);

			CHECK(s.len == strlen(name) && !memcmp(s.p, name, s.len));
		}
	}
}

int main(void)
{
	test_load_unwinds();
	test_assign();
	test_books();
	test_refused();
	test_map_model();
	test_map_many();
	test_quantiles();
	test_budgets();
	test_budget();
	test_parts_add_up();
	test_fmt();
	test_hist_scale();
	test_hostile_ring();
	test_items();
	test_stacks();
	test_hostile_symtab();
	test_inlined();
	test_context();
	test_own_process();
	test_floors();
	test_nop5();
	test_empty_places();
	test_errno_names();
	core_unload();
	CHECK(live == 0);
	puts(failures ? "core: FAILED" : "core: all checks passed");
	return failures != 0;
}
