/* Made by lapwing from stopwatch.stp. */
#include "rt.h"

/* stopwatch.stp:1  global began, latency */
struct g_began_key { s64 k1; };
static const struct rt_map_desc g_began_desc = {
	.name = "began", .nkeys = 1, .key = { RT_LONG }, .value = RT_LONG, .capacity = 2048,
};
static struct rt_map g_began = { .desc = &g_began_desc };

/* stopwatch.stp:1  global began, latency */
struct g_latency_key { struct rt_str k1; };
static const struct rt_map_desc g_latency_desc = {
	.name = "latency", .nkeys = 1, .key = { RT_STRING }, .value = RT_STAT, .capacity = 2048, .percpu = 1, .iterators = 1,
	.stat = { .ops = RT_COUNT | RT_HIST_LOG },
};
static struct rt_map g_latency = { .desc = &g_latency_desc };

/* stopwatch.stp:2  probe kernel.trace("sys_enter") { */
static void p0_sys_enter(struct rt_ctx *c)
{
	struct g_began_key key1;

	key1 = (struct g_began_key){ .k1 = rt_tid(c) };
	rt_map_set(c, &g_began, &key1, rt_gettimeofday_ns(c));
	if (rt_failed(c, 1))
		return;
}

/* stopwatch.stp:4  probe kernel.trace("sys_exit") { */
static void p1_sys_exit(struct rt_ctx *c)
{
	struct g_began_key key1;

	key1 = (struct g_began_key){ .k1 = rt_tid(c) };
	if (rt_map_has(c, &g_began, &key1, 0)) {
		struct g_latency_key key2;
		struct g_began_key key3;

		key2 = (struct g_latency_key){ .k1 = rt_execname(c) };
		key3 = (struct g_began_key){ .k1 = rt_tid(c) };
		rt_map_stat_add(c, &g_latency, &key2, rt_gettimeofday_ns(c) - rt_map_get(c, &g_began, &key3));
		if (rt_failed(c, 2))
			return;
		key3 = (struct g_began_key){ .k1 = rt_tid(c) };
		rt_map_delete(c, &g_began, &key3, 0);
	}
}

/* stopwatch.stp:7  probe end { */
static void p2_end(struct rt_ctx *c)
{
	struct rt_strvar l_name = rt_strvar(c);
	struct rt_iter it1;
	struct g_latency_key row1;

	rt_foreach(c, &it1, &g_latency, RT_BY_VALUE, RT_DOWN, 5);
	if (rt_failed(c, 3))
		return;
	while (rt_next(c, &it1, &row1)) {
		rt_charge(c, 1);
		if (rt_failed(c, 3)) {
			rt_foreach_end(c, &it1);
			return;
		}
		rt_set(&l_name, row1.k1);
		rt_print_hist(c, rt_iter_stat(c, &it1));
		if (rt_failed(c, 4)) {
			rt_foreach_end(c, &it1);
			return;
		}
	}
	rt_foreach_end(c, &it1);
}

static struct rt_global globals[] = {
	{ "began", RT_G_MAP, 0, &g_began, 0 },
	{ "latency", RT_G_MAP, RT_LOCK_ONLY, &g_latency, 0 },
};

static const struct rt_lockuse p0_sys_enter_locks[] = { { 0, RT_WRITE } };
static const struct rt_lockuse p1_sys_exit_locks[] = { { 0, RT_WRITE }, { 1, RT_LOCAL } };

static struct rt_probe probes[] = {
	{ .handler = p0_sys_enter, .point = "kernel.trace(\"sys_enter\")", .where = "stopwatch.stp:2:7", .phase = RT_RUNNING, .function = "sys_enter", .locks = p0_sys_enter_locks, .nlocks = 1, .capture = 5 },
	{ .handler = p1_sys_exit, .point = "kernel.trace(\"sys_exit\")", .where = "stopwatch.stp:4:7", .phase = RT_RUNNING, .function = "sys_exit", .locks = p1_sys_exit_locks, .nlocks = 2, .capture = 7 },
	{ .handler = p2_end, .point = "end", .where = "stopwatch.stp:7:7", .phase = RT_END },
};

static const struct rt_begin_end begin_end_rows[] = { { &probes[2], 0 } };
static const struct rt_tracepoint tracepoint_rows[] = {
	{ &probes[0], 0, "sys_enter", 0 },
	{ &probes[1], 0, "sys_exit", 0 },
};
static const struct rt_family_use families[] = {
	{ &rt_family_begin_end, begin_end_rows, 1 },
	{ &rt_family_tracepoint, tracepoint_rows, 2 },
};
static const char *const near[] = {
	"",
	"identifier 'began' at stopwatch.stp:3:2",
	"identifier 'latency' at stopwatch.stp:5:24",
	"keyword at stopwatch.stp:8:2",
	"operator '@hist_log' at stopwatch.stp:8:43",
};
RT_SOURCE("identifier 'began' at stopwatch.stp:3:2",
	"        source: \\011began[tid()] = gettimeofday_ns() }\\n"
	"                \\011^~~~~");
RT_SOURCE("identifier 'latency' at stopwatch.stp:5:24",
	"        source: \\011if (tid() in began) { latency[execname()] <<< gettimeofday_ns() - began[tid()]\\n"
	"                \\011                      ^~~~~~~");
RT_SOURCE("keyword at stopwatch.stp:8:2",
	"        source: \\011foreach (name in latency- limit 5) print(@hist_log(latency[name])) }\\n"
	"                \\011^~~~~~~");
RT_SOURCE("operator '@hist_log' at stopwatch.stp:8:43",
	"        source: \\011foreach (name in latency- limit 5) print(@hist_log(latency[name])) }\\n"
	"                \\011                                         ^~~~~~~~~");

const struct rt_script rt_script = {
	.abi = RT_ABI, .maxstring = 512, .name = "stopwatch.stp",
	.globals = globals, .nglobals = 2,
	.probes = probes, .nprobes = 3,
	.families = families, .nfamilies = sizeof(families) / sizeof(families[0]),
	.near = near, .nnear = 5,
	.capture = 7,
	.joins = 1,
	.limits = { .maxaction = 10000, .maxnesting = 20, .maxtrylock = 100, .trylock_us = 10,
		.maxerrors = 0, .maxskipped = 100, .overload_interval = 1000000000, .overload_threshold = 500000000,
		.minstack = 1024, .kretactive = 0, .arena = 16384, .maxbacktrace = 20,
		.map_string = 512, .hist_width = 50, .hist_elision = 2, .user_stack = 0 },
};
