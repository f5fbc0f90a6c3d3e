/* Made by lapwing from counter.stp. */
#include "rt.h"

/* counter.stp:1  global n, s */
static s64 g_n;

/* counter.stp:1  global n, s */
static const struct rt_stat_desc g_s_desc = { .ops = RT_COUNT };
static struct rt_stat g_s = { .desc = &g_s_desc };

/* counter.stp:2  probe timer.profile { n++; s <<< 1 } */
static void p0_timer(struct rt_ctx *c)
{
	g_n++;
	rt_stat_add(c, &g_s, 1);
}

/* counter.stp:3  probe end { printf("%d %d\n", n, @count(s)) } */
static void p1_end(struct rt_ctx *c)
{
	s64 *item1;

	item1 = rt_item(c, 0, 2, 2);
	item1[0] = g_n;
	item1[1] = rt_count(c, rt_stat_read(c, &g_s));
}

static struct rt_global globals[] = {
	{ "n", RT_G_LONG, 0, &g_n, 0 },
	{ "s", RT_G_STAT, RT_LOCK_ONLY, &g_s, 0 },
};

static const struct rt_lockuse p0_timer_locks[] = { { 0, RT_WRITE }, { 1, RT_LOCAL } };

static struct rt_probe probes[] = {
	{ .handler = p0_timer, .point = "timer.profile", .where = "counter.stp:2:7", .phase = RT_RUNNING, .locks = p0_timer_locks, .nlocks = 2 },
	{ .handler = p1_end, .point = "end", .where = "counter.stp:3:7", .phase = RT_END },
};

static const struct rt_begin_end begin_end_rows[] = { { &probes[1], 0 } };
static const struct rt_profile profile_rows[] = { { &probes[0], .period_ns = 0 } };
static const struct rt_family_use families[] = {
	{ &rt_family_begin_end, begin_end_rows, 1 },
	{ &rt_family_profile, profile_rows, 1 },
};
static const struct rt_format formats[] = {
	{ "%d %d\n", "ll" },
};

const struct rt_script rt_script = {
	.abi = RT_ABI, .maxstring = 512, .name = "counter.stp",
	.globals = globals, .nglobals = 2,
	.probes = probes, .nprobes = 2,
	.families = families, .nfamilies = sizeof(families) / sizeof(families[0]),
	.formats = formats, .nformats = 1,
	.limits = { .maxaction = 10000, .maxnesting = 20, .maxtrylock = 100, .trylock_us = 10,
		.maxerrors = 0, .maxskipped = 100, .overload_interval = 1000000000, .overload_threshold = 500000000,
		.minstack = 1024, .kretactive = 0, .arena = 16384, .maxbacktrace = 20,
		.map_string = 512, .hist_width = 50, .hist_elision = 2, .user_stack = 0 },
};
