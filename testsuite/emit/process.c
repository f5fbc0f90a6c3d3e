/* Made by lapwing from process.stp. */
#include "rt.h"

/* process.stp:2  global life, calls */
struct g_life_key { struct rt_str k1; };
static const struct rt_map_desc g_life_desc = {
	.name = "life", .nkeys = 1, .key = { RT_STRING }, .value = RT_LONG, .capacity = 2048, .percpu = 1, .iterators = 1,
};
static struct rt_map g_life = { .desc = &g_life_desc };

/* process.stp:2  global life, calls */
struct g_calls_key { s64 k1; };
static const struct rt_map_desc g_calls_desc = {
	.name = "calls", .nkeys = 1, .key = { RT_LONG }, .value = RT_LONG, .capacity = 2048, .percpu = 1, .iterators = 1,
};
static struct rt_map g_calls = { .desc = &g_calls_desc };

/* process.stp:3  probe process.begin, process.thread.end { life[execname()]++ } */
static void p0_process(struct rt_ctx *c)
{
	struct g_life_key key1;

	key1 = (struct g_life_key){ .k1 = rt_execname(c) };
	rt_map_add(c, &g_life, &key1, 1);
	if (rt_failed(c, 1))
		return;
}

/* process.stp:4  probe process(1).syscall { calls[$syscall] += $arg1 != 0 } */
static void p2_process(struct rt_ctx *c)
{
	struct g_calls_key key1;
	s64 result1;
	s64 result2;

	result1 = rt_syscall_number(c);
	if (rt_failed(c, 2))
		return;
	key1 = (struct g_calls_key){ .k1 = result1 };
	result2 = rt_syscall_arg(c, 1);
	if (rt_failed(c, 3))
		return;
	rt_map_add(c, &g_calls, &key1, result2 != 0);
	if (rt_failed(c, 4))
		return;
}

/* process.stp:5  probe process.syscall.return { if ($return < 0) calls[$syscall]-- } */
static void p3_process(struct rt_ctx *c)
{
	s64 result1;

	result1 = rt_returnval(c);
	if (rt_failed(c, 5))
		return;
	if (result1 < 0) {
		struct g_calls_key key1;
		s64 result2;

		result2 = rt_syscall_number(c);
		if (rt_failed(c, 6))
			return;
		key1 = (struct g_calls_key){ .k1 = result2 };
		rt_map_add(c, &g_calls, &key1, -1);
		if (rt_failed(c, 7))
			return;
	}
}

/* process.stp:6  probe end { foreach (name in life) println(name, life[name]) foreach (n in calls-) pr */
static void p4_end(struct rt_ctx *c)
{
	struct rt_strvar l_name = rt_strvar(c);
	s64 l_n = 0;
	struct rt_iter it1;
	struct g_life_key row1;
	struct g_calls_key row2;

	rt_foreach(c, &it1, &g_life, RT_BY_NONE, RT_DOWN, -1);
	if (rt_failed(c, 8))
		return;
	while (rt_next(c, &it1, &row1)) {
		rt_charge(c, 1);
		if (rt_failed(c, 8)) {
			rt_foreach_end(c, &it1);
			return;
		}
		rt_set(&l_name, row1.k1);
		rt_print(c, 0, RT_S(rt_get(&l_name)), RT_L(rt_iter_long(&it1)));
	}
	rt_foreach_end(c, &it1);
	rt_foreach(c, &it1, &g_calls, RT_BY_VALUE, RT_DOWN, -1);
	if (rt_failed(c, 9))
		return;
	while (rt_next(c, &it1, &row2)) {
		s64 *item1;

		rt_charge(c, 1);
		if (rt_failed(c, 9)) {
			rt_foreach_end(c, &it1);
			return;
		}
		l_n = row2.k1;
		item1 = rt_item(c, 1, 2, 2);
		item1[0] = l_n;
		item1[1] = rt_iter_long(&it1);
	}
	rt_foreach_end(c, &it1);
}

static struct rt_global globals[] = {
	{ "life", RT_G_MAP, RT_LOCK_ONLY, &g_life, 0 },
	{ "calls", RT_G_MAP, RT_LOCK_ONLY, &g_calls, 0 },
};

static const struct rt_lockuse p0_process_locks[] = { { 0, RT_LOCAL } };
static const struct rt_lockuse p2_process_locks[] = { { 1, RT_LOCAL } };

static struct rt_probe probes[] = {
	{ .handler = p0_process, .point = "process.begin", .where = "process.stp:3:7", .phase = RT_RUNNING, .locks = p0_process_locks, .nlocks = 1, .capture = 3 },
	{ .handler = p0_process, .point = "process.thread.end", .where = "process.stp:3:22", .phase = RT_RUNNING, .locks = p0_process_locks, .nlocks = 1, .capture = 3 },
	{ .handler = p2_process, .point = "process(1).syscall", .where = "process.stp:4:7", .phase = RT_RUNNING, .locks = p2_process_locks, .nlocks = 1, .capture = 32768 },
	{ .handler = p3_process, .point = "process.syscall.return", .where = "process.stp:5:7", .phase = RT_RUNNING, .locks = p2_process_locks, .nlocks = 1, .capture = 32768 },
	{ .handler = p4_end, .point = "end", .where = "process.stp:6:7", .phase = RT_END },
};

static const struct rt_begin_end begin_end_rows[] = { { &probes[4], 0 } };
static const struct rt_process process_rows[] = {
	{ &probes[0], RT_PROCESS_BEGIN, .target = 1 },
	{ &probes[1], RT_THREAD_END, .target = 1 },
	{ &probes[2], RT_PROCESS_SYSCALL, .pid = 1 },
	{ &probes[3], RT_PROCESS_SYSCALL_RETURN, .target = 1 },
};
static const struct rt_family_use families[] = {
	{ &rt_family_begin_end, begin_end_rows, 1 },
	{ &rt_family_process, process_rows, 4 },
};
static const struct rt_format formats[] = {
	{ "%s%d\n", "sl" },
	{ "%d%d\n", "ll" },
};
static const char *const near[] = {
	"",
	"identifier 'life' at process.stp:3:43",
	"identifier '$syscall' at process.stp:4:34",
	"identifier '$arg' at process.stp:4:47",
	"identifier 'calls' at process.stp:4:28",
	"identifier '$return' at process.stp:5:36",
	"identifier '$syscall' at process.stp:5:55",
	"identifier 'calls' at process.stp:5:49",
	"keyword at process.stp:6:13",
	"keyword at process.stp:6:62",
};
RT_SOURCE("identifier 'life' at process.stp:3:43",
	"        source: probe process.begin, process.thread.end { life[execname()]++ }\\n"
	"                                                          ^~~~");
RT_SOURCE("identifier '$syscall' at process.stp:4:34",
	"        source: probe process(1).syscall { calls[$syscall] += $arg1 != 0 }\\n"
	"                                                 ^~~~~~~~");
RT_SOURCE("identifier '$arg' at process.stp:4:47",
	"        source: probe process(1).syscall { calls[$syscall] += $arg1 != 0 }\\n"
	"                                                              ^~~~~");
RT_SOURCE("identifier 'calls' at process.stp:4:28",
	"        source: probe process(1).syscall { calls[$syscall] += $arg1 != 0 }\\n"
	"                                           ^~~~~");
RT_SOURCE("identifier '$return' at process.stp:5:36",
	"        source: probe process.syscall.return { if ($return < 0) calls[$syscall]-- }\\n"
	"                                                   ^~~~~~~");
RT_SOURCE("identifier '$syscall' at process.stp:5:55",
	"        source: probe process.syscall.return { if ($return < 0) calls[$syscall]-- }\\n"
	"                                                                      ^~~~~~~~");
RT_SOURCE("identifier 'calls' at process.stp:5:49",
	"        source: probe process.syscall.return { if ($return < 0) calls[$syscall]-- }\\n"
	"                                                                ^~~~~");
RT_SOURCE("keyword at process.stp:6:13",
	"        source: probe end { foreach (name in life) println(name, life[name]) foreach (n in calls-) println(n, calls[n]) }\\n"
	"                            ^~~~~~~");
RT_SOURCE("keyword at process.stp:6:62",
	"        source: probe end { foreach (name in life) println(name, life[name]) foreach (n in calls-) println(n, calls[n]) }\\n"
	"                                                                             ^~~~~~~");

const struct rt_script rt_script = {
	.abi = RT_ABI, .maxstring = 512, .name = "process.stp",
	.globals = globals, .nglobals = 2,
	.probes = probes, .nprobes = 5,
	.families = families, .nfamilies = sizeof(families) / sizeof(families[0]),
	.formats = formats, .nformats = 2,
	.near = near, .nnear = 10,
	.capture = 32771,
	.limits = { .maxaction = 10000, .maxnesting = 20, .maxtrylock = 100, .trylock_us = 10,
		.maxerrors = 0, .maxskipped = 100, .overload_interval = 1000000000, .overload_threshold = 500000000,
		.minstack = 1024, .kretactive = 0, .arena = 16384, .maxbacktrace = 20,
		.map_string = 512, .hist_width = 50, .hist_elision = 2, .user_stack = 0 },
};
