/* Made by lapwing from watch.stp. */
#include "rt.h"

/* watch.stp:2  global per_call, sum */
static const struct rt_stat_desc g_per_call_desc = { .ops = RT_COUNT };
static struct rt_stat g_per_call = { .desc = &g_per_call_desc };

/* watch.stp:2  global per_call, sum */
static struct rt_counter g_sum;

/* watch.stp:3  probe kernel.function("vfs_read").startwatch("cpu_cycles").startwatch("instructions:u") */
static void p0_vfs_read(struct rt_ctx *c)
{
	s64 result1;

	result1 = rt_pmu(c, 0);
	if (rt_failed(c, 1))
		return;
	rt_stat_add(c, &g_per_call, result1 - rt_kept(c)[0].l);
	result1 = rt_pmu(c, 1);
	if (rt_failed(c, 2))
		return;
	rt_counter_add(c, &g_sum, result1);
}

/* watch.stp:7  probe timer.ms(10).system.startwatch("page-faults") { sum += $pmu[0] } */
static void p1_timer(struct rt_ctx *c)
{
	s64 result1;

	result1 = rt_pmu_system(c, 2);
	if (rt_failed(c, 3))
		return;
	rt_counter_add(c, &g_sum, result1);
}

/* watch.stp:8  probe end { println(sum, @count(per_call)) } */
static void p2_end(struct rt_ctx *c)
{
	s64 *item1;

	item1 = rt_item(c, 0, 2, 2);
	item1[0] = rt_counter_get(c, &g_sum);
	item1[1] = rt_count(c, rt_stat_read(c, &g_per_call));
}

/* watch.stp:3  probe kernel.function("vfs_read").startwatch("cpu_cycles").startwatch("instructions:u") */
static void p3_vfs_read(struct rt_ctx *c)
{
	s64 result1;

	result1 = rt_pmu(c, 0);
	if (rt_failed(c, 4))
		return;
	rt_kept(c)[0].l = result1;
	rt_keep(c);
}

static struct rt_global globals[] = {
	{ "per_call", RT_G_STAT, RT_LOCK_ONLY, &g_per_call, 0 },
	{ "sum", RT_G_COUNTER, RT_LOCK_ONLY, &g_sum, 0 },
};

static const struct rt_lockuse p0_vfs_read_locks[] = { { 0, RT_LOCAL }, { 1, RT_LOCAL } };
static const struct rt_lockuse p1_timer_locks[] = { { 1, RT_LOCAL } };

static struct rt_probe probes[] = {
	{ .handler = p0_vfs_read, .point = "kernel.function(\"vfs_read\").return", .where = "watch.stp:3:7", .phase = RT_RUNNING, .written = "kernel.function(\"vfs_read\").startwatch(\"cpu_cycles\").startwatch(\"instructions:u\").return", .function = "vfs_read", .locks = p0_vfs_read_locks, .nlocks = 2, .capture = 540672, .keeper = 4 },
	{ .handler = p1_timer, .point = "timer.ms(10)", .where = "watch.stp:7:7", .phase = RT_RUNNING, .written = "timer.ms(10).system.startwatch(\"page-faults\")", .locks = p1_timer_locks, .nlocks = 1, .capture = 524288 },
	{ .handler = p2_end, .point = "end", .where = "watch.stp:8:7", .phase = RT_END },
	{ .handler = p3_vfs_read, .point = "kernel.function(\"vfs_read\")", .where = "watch.stp:3:7", .phase = RT_RUNNING, .function = "vfs_read", .capture = 540672, .keeps = 1 },
};

static const struct rt_begin_end begin_end_rows[] = { { &probes[2], 0 } };
static const struct rt_function function_rows[] = { { &probes[0], "vfs_read", .is_return = 1, .keeper = &probes[3], .nkept = 1, .keeps_text = 0 } };
static const struct rt_timer timer_rows[] = { { &probes[1], .period_ns = 10000000 } };
static const struct rt_family_use families[] = {
	{ &rt_family_begin_end, begin_end_rows, 1 },
	{ &rt_family_function, function_rows, 1 },
	{ &rt_family_timer, timer_rows, 1 },
};
RT_NOTE("returns");
static const struct rt_format formats[] = {
	{ "%d%d\n", "ll" },
};
static const char *const near[] = {
	"",
	"identifier '$pmu' at watch.stp:4:15",
	"identifier '$pmu' at watch.stp:5:9",
	"identifier '$pmu' at watch.stp:7:62",
	"identifier '$pmu' at watch.stp:4:32",
};
RT_SOURCE("identifier '$pmu' at watch.stp:4:15",
	"        source: \\011per_call <<< $pmu[0] - @entry($pmu[0])\\n"
	"                \\011             ^~~~");
RT_SOURCE("identifier '$pmu' at watch.stp:5:9",
	"        source: \\011sum += $pmu[1]\\n"
	"                \\011       ^~~~");
RT_SOURCE("identifier '$pmu' at watch.stp:7:62",
	"        source: probe timer.ms(10).system.startwatch(\\\"page-faults\\\") { sum += $pmu[0] }\\n"
	"                                                                             ^~~~");
RT_SOURCE("identifier '$pmu' at watch.stp:4:32",
	"        source: \\011per_call <<< $pmu[0] - @entry($pmu[0])\\n"
	"                \\011                              ^~~~");
static const struct rt_event events[] = {
	{ "cpu_cycles", 0, 0, 0, { 0x0, 0x0, 0x0 } },
	{ "instructions:u", 0, 0, 6, { 0x1, 0x0, 0x0 } },
	{ "page-faults", 1, 0, 0, { 0x2, 0x0, 0x0 } },
};
RT_EVENTS("0 0 0 0 0 0 0 cpu_cycles;0 1 0 0 0 6 0 instructions:u;1 2 0 0 0 0 0 page-faults;");

const struct rt_script rt_script = {
	.abi = RT_ABI, .maxstring = 512, .name = "watch.stp",
	.globals = globals, .nglobals = 2,
	.probes = probes, .nprobes = 4,
	.families = families, .nfamilies = sizeof(families) / sizeof(families[0]),
	.formats = formats, .nformats = 1,
	.near = near, .nnear = 5,
	.events = events, .nevents = 3,
	.capture = 540672,
	.limits = { .maxaction = 10000, .maxnesting = 20, .maxtrylock = 100, .trylock_us = 10,
		.maxerrors = 0, .maxskipped = 100, .overload_interval = 1000000000, .overload_threshold = 500000000,
		.minstack = 1024, .kretactive = 0, .arena = 16384, .maxbacktrace = 20,
		.map_string = 512, .hist_width = 50, .hist_elision = 2, .user_stack = 0 },
};
