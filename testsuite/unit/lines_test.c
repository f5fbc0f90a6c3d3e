// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lines_test.c - no cache line is written by two CPUs while tier-one handlers run.
 *
 * The core, the kernel runtime's locks and this file are compiled with -fsanitize=thread but linked
 * without its library: the compiler puts a call before every write, and the functions below record
 * which CPU wrote which cache line (the memcpy family, which the library would have intercepted, by
 * --wrap). Two CPUs run each handler as enter.h does, first many times one, then many times the
 * other; then no line may be in both records. Handlers of tier two are run as well: they must share
 * lines, else the recorder records nothing.
 */
#include "runtime/kernel/context/locks.h"

#include "runtime/core/core.h"
#include "runtime/core/ctx.h"
#include "runtime/core/global.h"
#include "runtime/core/procfs.h"
#include "runtime/core/frame.h"
#include "runtime/core/num.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CPUS = 2, LINES = 1 << 16, HITS = 300 };
#define UNWATCHED __attribute__((__no_sanitize_thread__))


/* ---- the recorder ------------------------------------------------------------------*/

static struct { u64 line; u8 cpus; } lines[LINES];	/* by address, open addressing */
static int cpu, recording;
static u64 stack_low, stack_high;	/* each CPU has its own stack */

UNWATCHED static void record(const void *p, u64 n)
{
	u64 line = (u64)p / RT_LINE, last = ((u64)p + n - 1) / RT_LINE;

	if (!recording || !n || ((u64)p > stack_low && (u64)p < stack_high))
		return;
	for (; line <= last; line++) {
		u64 i = line * 0x9e3779b97f4a7c15ULL >> 48;

		while (lines[i].line && lines[i].line != line)
			i = (i + 1) % LINES;
		lines[i].line = line;
		lines[i].cpus |= (u8)(1 << cpu);
	}
}

/* What the compiler calls. Reads and the ends of functions are none of our business. */
#define WRITE(n) \
	void __tsan_write##n(void *p); \
	UNWATCHED void __tsan_write##n(void *p) { record(p, n); } \
	void __tsan_unaligned_write##n(void *p); \
	UNWATCHED void __tsan_unaligned_write##n(void *p) { record(p, n); } \
	void __tsan_read##n(void *p); \
	UNWATCHED void __tsan_read##n(void *p) { (void)p; } \
	void __tsan_unaligned_read##n(void *p); \
	UNWATCHED void __tsan_unaligned_read##n(void *p) { (void)p; }
WRITE(1) WRITE(2) WRITE(4) WRITE(8) WRITE(16)

void __tsan_init(void);
UNWATCHED void __tsan_init(void) { }
void __tsan_func_entry(void *p);
UNWATCHED void __tsan_func_entry(void *p) { (void)p; }
void __tsan_func_exit(void *p);
UNWATCHED void __tsan_func_exit(void *p) { (void)p; }
void __tsan_write_range(void *p, unsigned long n);
UNWATCHED void __tsan_write_range(void *p, unsigned long n) { record(p, n); }
void __tsan_read_range(void *p, unsigned long n);
UNWATCHED void __tsan_read_range(void *p, unsigned long n) { (void)p; (void)n; }
u64 __tsan_atomic64_load(const u64 *p, int order);
UNWATCHED u64 __tsan_atomic64_load(const u64 *p, int order) { (void)order; return *p; }
void __tsan_atomic64_store(u64 *p, u64 v, int order);
UNWATCHED void __tsan_atomic64_store(u64 *p, u64 v, int order)
{
	(void)order;
	record(p, 8);
	*p = v;
}

void *__real_memset(void *p, int c, size_t n);
void *__real_memcpy(void *p, const void *q, size_t n);
void *__real_memmove(void *p, const void *q, size_t n);
void *__wrap_memset(void *p, int c, size_t n);
UNWATCHED void *__wrap_memset(void *p, int c, size_t n)
{
	record(p, n);
	return __real_memset(p, c, n);
}
void *__wrap_memcpy(void *p, const void *q, size_t n);
UNWATCHED void *__wrap_memcpy(void *p, const void *q, size_t n)
{
	record(p, n);
	return __real_memcpy(p, q, n);
}
void *__wrap_memmove(void *p, const void *q, size_t n);
UNWATCHED void *__wrap_memmove(void *p, const void *q, size_t n)
{
	record(p, n);
	return __real_memmove(p, q, n);
}

/* Counts the lines that were written, and returns the number that both CPUs wrote. */
UNWATCHED static u32 lines_shared(u32 *written)
{
	u32 i, shared = 0;

	for (i = *written = 0; i < LINES; i++) {
		*written += lines[i].cpus != 0;
		shared += lines[i].cpus == (1 << CPUS) - 1;
	}
	return shared;
}

/* ---- a runtime of two CPUs, and the script ---------------------------------------------*/

static struct ring_writer *writer;

/* of linux/atomic.h, for another test */
void scheduling_point(void) { }
void shared_read(const void *object) { (void)object; }
void shared_write(const void *object) { (void)object; }
void lock_write(const atomic_t *a) { (void)a; }
void udelay(unsigned long us) { (void)us; }

u32 runtime_parts(void) { return CPUS; }
void runtime_comm(struct rt_ctx *c) { c->comm_len = 2; memcpy(c->comm, "me", 2); }

void runtime_flush(struct rt_ctx *c, int more)
{
	struct wire_record head = { .len = (u32)sizeof(head) + c->out_used,
				    .type = WIRE_OUTPUT,
				    .cpu = (u16)c->cpu };

	ring_write(&writer[c->cpu], &head, c->out, c->out_used, 1);
}

static const struct rt_stat_desc plain = { .ops = RT_COUNT | RT_SUM },
				 rich = { .ops = RT_COUNT | RT_VARIANCE | RT_HIST_LOG };
static const struct rt_map_desc longs = {
	.name = "longs", .nkeys = 1, .key = { RT_LONG }, .percpu = 1, .capacity = 77, .wrap = 1
};
static const struct rt_map_desc names = { .name = "names",
					  .nkeys = 1,
					  .key = { RT_STRING },
					  .percpu = 1,
					  .capacity = 100,
					  .iterators = 1 };
static const struct rt_map_desc times = { .name = "times",
					  .nkeys = 2,
					  .key = { RT_STRING, RT_LONG },
					  .value = RT_STAT,
					  .percpu = 1,
					  .capacity = 500,
					  .iterators = 2,
					  .stat = { .ops = RT_COUNT | RT_HIST_LOG } };
static const struct rt_map_desc common = {
	.name = "common", .nkeys = 1, .key = { RT_LONG }, .capacity = 100
};
static struct rt_counter g_counter, g_watched;
static struct rt_stat g_plain = { .desc = &plain }, g_rich = { .desc = &rich };
static struct rt_map g_longs = { .desc = &longs }, g_names = { .desc = &names },
		     g_times = { .desc = &times };
static struct rt_map g_common = { .desc = &common };
static s64 g_number;
static struct rt_global globals[] = {
	{ "counter", RT_G_COUNTER, RT_LOCK_ONLY, &g_counter, 0, 0 },
	{ "watched", RT_G_COUNTER, RT_LOCK_PARTS, &g_watched, 0, 0 },
	{ "plain", RT_G_STAT, RT_LOCK_PARTS, &g_plain, 0, 0 },
	{ "rich", RT_G_STAT, RT_LOCK_PARTS, &g_rich, 0, 0 },
	{ "longs", RT_G_MAP, RT_LOCK_PARTS, &g_longs, 0, 0 },
	{ "names", RT_G_MAP, RT_LOCK_PARTS, &g_names, 0, 0 },
	{ "times", RT_G_MAP, RT_LOCK_PARTS, &g_times, 0, 0 },
	{ "number", RT_G_LONG, 0, &g_number, 0, 0 },
	{ "common", RT_G_MAP, 0, &g_common, 0, 0 },
};

static void count(struct rt_ctx *c) { rt_counter_add(c, &g_counter, 1); }
static void count_watched(struct rt_ctx *c) { rt_counter_add(c, &g_watched, 1); }
static void add(struct rt_ctx *c) { rt_stat_add(c, &g_plain, 5); }
static void add_rich(struct rt_ctx *c) { rt_stat_add(c, &g_rich, rand()); }
static void by_long(struct rt_ctx *c) { s64 key = rand() % 100; rt_map_add(c, &g_longs, &key, 1); }
static void by_name(struct rt_ctx *c)
{
	struct rt_str key = rt_execname(c);
	rt_map_add(c, &g_names, &key, 1);
}

static void by_both(struct rt_ctx *c)
{
	struct { struct rt_str k1; s64 k2; } key = { rt_execname(c), rand() % 100 };

	rt_map_stat_add(c, &g_times, &key, rand());
}

/* Entry and return of one call; its entry values belong to the CPU, as the call does. */
static void stopwatch(struct rt_ctx *c)
{
	static struct {
		union rt_kept now;
		char rest[RT_LINE - sizeof(union rt_kept)];
	} calls[CPUS] __attribute__((__aligned__(RT_LINE)));
	struct rt_keeping call = { .kept = &calls[cpu].now };

	c->hit = &call;
	rt_kept(c)->l = rand();
	rt_stat_add(c, &g_rich, rand() - rt_kept(c)->l);
}

static void output(struct rt_ctx *c) { rt_print(c, 0, RT_L(cpu), RT_S(rt_execname(c))); }
static void set(struct rt_ctx *c) { (void)c; g_number = g_number * 2 + 1; }
static void set_row(struct rt_ctx *c)
{
	s64 key = rand() % 50;
	rt_map_set(c, &g_common, &key, cpu);
}

#define USE(global, mode) (const struct rt_lockuse[]){ { global, mode } }
static struct rt_probe probes[] = {
	{ .point = "counter++", .handler = count, .locks = USE(0, RT_LOCAL), .nlocks = 1 },
	{ .point = "counter++, read elsewhere",
	  .handler = count_watched,
	  .locks = USE(1, RT_LOCAL),
	  .nlocks = 1 },
	{ .point = "s <<< x", .handler = add, .locks = USE(2, RT_LOCAL), .nlocks = 1 },
	{ .point = "s <<< x, histogram",
	  .handler = add_rich,
	  .locks = USE(3, RT_LOCAL),
	  .nlocks = 1 },
	{ .point = "s <<< now - @entry(now)",
	  .handler = stopwatch,
	  .locks = USE(3, RT_LOCAL),
	  .nlocks = 1 },
	{ .point = "a[n]++", .handler = by_long, .locks = USE(4, RT_LOCAL), .nlocks = 1 },
	{ .point = "a[execname()]++", .handler = by_name, .locks = USE(5, RT_LOCAL), .nlocks = 1 },
	{ .point = "a[execname(), n] <<< x",
	  .handler = by_both,
	  .locks = USE(6, RT_LOCAL),
	  .nlocks = 1 },
	{ .point = "printf", .handler = output },
	{ .point = "n = x: tier two", .handler = set, .locks = USE(7, RT_WRITE), .nlocks = 1 },
	{ .point = "a[n] = x: tier two",
	  .handler = set_row,
	  .locks = USE(8, RT_WRITE),
	  .nlocks = 1 },
};
enum { PROBES = sizeof(probes) / sizeof(probes[0]), TIER_ONE = PROBES - 2 };
static const struct rt_format formats[] = { { "%d %s\n", "ls" } };
const struct rt_script rt_script = {
	.abi = RT_ABI,
	.maxstring = 64,
	.globals = globals,
	.nglobals = sizeof(globals) / sizeof(globals[0]),
	.probes = probes,
	.nprobes = PROBES,
	.formats = formats,
	.nformats = 1,
	.limits = { .maxaction = 100,
		    .map_string = 64,
		    .maxtrylock = 10,
		    .trylock_us = 1,
		    .arena = 4096 },
};

/* ---- the CPUs ---------------------------------------------------------------------------*/

static void hit(struct rt_ctx *c, const struct rt_probe *p)
{
	ctx_begin(c, p);
	if (!locks_take(p, c->cpu))
		abort();
	p->handler(c);
	locks_drop(p, c->cpu);
	if (ctx_end(c))
		abort();
}

UNWATCHED static int check_probe(struct rt_ctx *const *ctx, const struct rt_probe *p, int tier_one)
{
	u32 i, shared, written;

	memset(lines, 0, sizeof(lines));
	for (cpu = 0; cpu < CPUS; cpu++) {
		recording = 1;
		for (i = 0; i < HITS; i++)
			hit(ctx[cpu], p);
		recording = 0;
	}
	cpu = 0;
	shared = lines_shared(&written);
	printf("%-28s %5u lines written, %u by both CPUs\n", p->point, written, shared);
	return written < CPUS || (tier_one ? shared > 0 : shared == 0);
}

int main(void)
{
	struct rt_ctx *ctx[CPUS];
	const char *name;
	char here;
	int failed = 0;
	u32 i;

	stack_high = (u64)&here + 65536;
	stack_low = (u64)&here - 65536;
	if (core_load(&name) || locks_load())
		abort();
	writer = runtime_alloc(CPUS * sizeof(*writer));
	for (i = 0; i < CPUS; i++) {
		ctx[i] = runtime_alloc(sizeof(struct rt_ctx));
		ctx_init(ctx[i], runtime_alloc(ctx_bytes()), i, 0);
		ring_writer_init(&writer[i], runtime_alloc(WIRE_RING_HEADER + 65536), 65536);
	}
	for (i = 0; i < PROBES; i++)
		if (check_probe(ctx, &probes[i], i < TIER_ONE)) {
			printf("FAIL: %s\n", probes[i].point);
			failed = 1;
		}
	return failed;
}
