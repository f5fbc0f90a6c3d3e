/* Made by lapwing from condition.stp. */
#include "rt.h"

/* condition.stp:1  global on, hits */
static s64 g_on;

/* condition.stp:1  global on, hits */
static struct rt_counter g_hits;

/* condition.stp:2  probe timer.s(1) { on = !on } */
static void p0_timer(struct rt_ctx *c)
{
	g_on = !g_on;
}

static int p1_timer_if(struct rt_ctx *c)
{
	return (g_on) != 0;
}

/* condition.stp:3  probe timer.ms(10) if (on) { hits++ } */
static void p1_timer(struct rt_ctx *c)
{
	rt_counter_add(c, &g_hits, 1);
}

/* condition.stp:4  probe end { println(hits) } */
static void p2_end(struct rt_ctx *c)
{
	s64 *item1;

	item1 = rt_item(c, 0, 1, 1);
	item1[0] = rt_counter_get(c, &g_hits);
}

static struct rt_global globals[] = {
	{ "on", RT_G_LONG, 0, &g_on, 0 },
	{ "hits", RT_G_COUNTER, RT_LOCK_ONLY, &g_hits, 0 },
};

static const struct rt_lockuse p0_timer_locks[] = { { 0, RT_WRITE } };
static const struct rt_lockuse p1_timer_locks[] = { { 0, RT_READ }, { 1, RT_LOCAL } };

static struct rt_probe probes[] = {
	{ .handler = p0_timer, .point = "timer.s(1)", .where = "condition.stp:2:7", .phase = RT_RUNNING, .locks = p0_timer_locks, .nlocks = 1 },
	{ .handler = p1_timer, .point = "timer.ms(10)", .where = "condition.stp:3:7", .phase = RT_RUNNING, .condition = p1_timer_if, .locks = p1_timer_locks, .nlocks = 2 },
	{ .handler = p2_end, .point = "end", .where = "condition.stp:4:7", .phase = RT_END },
};

static const struct rt_begin_end begin_end_rows[] = { { &probes[2], 0 } };
static const struct rt_timer timer_rows[] = {
	{ &probes[0], .period_ns = 1000000000 },
	{ &probes[1], .period_ns = 10000000 },
};
static const struct rt_family_use families[] = {
	{ &rt_family_begin_end, begin_end_rows, 1 },
	{ &rt_family_timer, timer_rows, 2 },
};
static const struct rt_format formats[] = {
	{ "%d\n", "l" },
};

const struct rt_script rt_script = {
	.abi = RT_ABI, .maxstring = 512, .name = "condition.stp",
	.globals = globals, .nglobals = 2,
	.probes = probes, .nprobes = 3,
	.families = families, .nfamilies = sizeof(families) / sizeof(families[0]),
	.formats = formats, .nformats = 1,
	.limits = { .maxaction = 10000, .maxnesting = 20, .maxtrylock = 100, .trylock_us = 10,
		.maxerrors = 0, .maxskipped = 100, .overload_interval = 1000000000, .overload_threshold = 500000000,
		.minstack = 1024, .kretactive = 0, .arena = 16384, .maxbacktrace = 20,
		.map_string = 512, .hist_width = 50, .hist_elision = 2, .user_stack = 0 },
};
