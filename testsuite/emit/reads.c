/* Made by lapwing from reads.stp. */
#include "rt.h"

/* reads.stp:1  global reads */
struct g_reads_key { struct rt_str k1; s64 k2; };
static const struct rt_map_desc g_reads_desc = {
	.name = "reads", .nkeys = 2, .key = { RT_STRING, RT_LONG }, .value = RT_LONG, .capacity = 2048, .percpu = 1, .iterators = 1,
};
static struct rt_map g_reads = { .desc = &g_reads_desc };

/* reads.stp:2  probe kernel.trace("sched_switch") { reads[execname(), pid()]++ } */
static void p0_sched_switch(struct rt_ctx *c)
{
	struct g_reads_key key1;

	key1 = (struct g_reads_key){ .k1 = rt_execname(c), .k2 = rt_pid(c) };
	rt_map_add(c, &g_reads, &key1, 1);
	if (rt_failed(c, 1))
		return;
}

/* reads.stp:3  probe timer.s(1) { exit() } */
static void p1_timer(struct rt_ctx *c)
{
	rt_exit(c);
}

/* reads.stp:1  global reads */
static void p2_end(struct rt_ctx *c)
{
	struct rt_strvar l_reads_k1 = rt_strvar(c);
	s64 l_reads_k2 = 0;
	struct rt_iter it1;
	struct g_reads_key row1;

	rt_foreach(c, &it1, &g_reads, RT_BY_VALUE, RT_DOWN, -1);
	if (rt_failed(c, 2))
		return;
	while (rt_next(c, &it1, &row1)) {
		rt_charge(c, 1);
		if (rt_failed(c, 2)) {
			rt_foreach_end(c, &it1);
			return;
		}
		rt_set(&l_reads_k1, row1.k1);
		l_reads_k2 = row1.k2;
		rt_print(c, 0, RT_S(rt_get(&l_reads_k1)), RT_L(l_reads_k2), RT_L(rt_iter_long(&it1)));
	}
	rt_foreach_end(c, &it1);
}

static struct rt_global globals[] = {
	{ "reads", RT_G_MAP, RT_LOCK_ONLY, &g_reads, 0 },
};

static const struct rt_lockuse p0_sched_switch_locks[] = { { 0, RT_LOCAL } };

static struct rt_probe probes[] = {
	{ .handler = p0_sched_switch, .point = "kernel.trace(\"sched_switch\")", .where = "reads.stp:2:7", .phase = RT_RUNNING, .function = "sched_switch", .locks = p0_sched_switch_locks, .nlocks = 1, .capture = 3 },
	{ .handler = p1_timer, .point = "timer.s(1)", .where = "reads.stp:3:7", .phase = RT_RUNNING },
	{ .handler = p2_end, .point = "end", .where = "reads.stp:1:8", .phase = RT_END },
};

static const struct rt_begin_end begin_end_rows[] = { { &probes[2], 9223372036854775807 } };
static const struct rt_tracepoint tracepoint_rows[] = { { &probes[0], 0, "sched_switch", 0 } };
static const struct rt_timer timer_rows[] = { { &probes[1], .period_ns = 1000000000 } };
static const struct rt_family_use families[] = {
	{ &rt_family_begin_end, begin_end_rows, 1 },
	{ &rt_family_tracepoint, tracepoint_rows, 1 },
	{ &rt_family_timer, timer_rows, 1 },
};
static const struct rt_format formats[] = {
	{ "reads[\"%s\",%d]=%d\n", "sll" },
};
static const char *const near[] = {
	"",
	"identifier 'reads' at reads.stp:2:38",
	"keyword at reads.stp:1:8",
};
RT_SOURCE("identifier 'reads' at reads.stp:2:38",
	"        source: probe kernel.trace(\\\"sched_switch\\\") { reads[execname(), pid()]++ }\\n"
	"                                                     ^~~~~");
RT_SOURCE("keyword at reads.stp:1:8",
	"        source: global reads\\n"
	"                       ^~~~~");

const struct rt_script rt_script = {
	.abi = RT_ABI, .maxstring = 512, .name = "reads.stp",
	.globals = globals, .nglobals = 1,
	.probes = probes, .nprobes = 3,
	.families = families, .nfamilies = sizeof(families) / sizeof(families[0]),
	.formats = formats, .nformats = 1,
	.near = near, .nnear = 3,
	.capture = 3,
	.limits = { .maxaction = 10000, .maxnesting = 20, .maxtrylock = 100, .trylock_us = 10,
		.maxerrors = 0, .maxskipped = 100, .overload_interval = 1000000000, .overload_threshold = 500000000,
		.minstack = 1024, .kretactive = 0, .arena = 16384, .maxbacktrace = 20,
		.map_string = 512, .hist_width = 50, .hist_elision = 2, .user_stack = 0 },
};
