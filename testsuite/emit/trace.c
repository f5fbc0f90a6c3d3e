/* Made by lapwing from trace.stp. */
#include "rt.h"

/* trace.stp:2  global depth */
static s64 g_depth;

/* trace.stp:3  probe timer.profile { */
static void p0_timer(struct rt_ctx *c)
{
	s64 value1;
	s64 value2;
	s64 value3;
	s64 value4;
	s64 *item1;
	s64 result1;

	value1 = rt_pid(c);
	value2 = rt_addr(c);
	value3 = rt_addr(c);
	value4 = g_depth++;
	item1 = rt_record(c, 0, 7, 9);
	item1[2] = value1;
	rt_item_execname(c, item1 + 3);
	item1[6] = value2;
	item1[7] = value3;
	item1[8] = value4;
	value1 = rt_user_mode(c);
	result1 = rt_stack(c, 1);
	if (rt_failed(c, 1))
		return;
	rt_print(c, 1, RT_L(rt_thread(c)), RT_L(rt_probe_row(c)), RT_S(RT_STR("sample")), RT_L(value1), RT_S(rt_symname(c, result1)));
}

static struct rt_global globals[] = {
	{ "depth", RT_G_LONG, 0, &g_depth, 0 },
};

static const struct rt_lockuse p0_timer_locks[] = { { 0, RT_WRITE } };

static struct rt_probe probes[] = {
	{ .handler = p0_timer, .point = "timer.profile", .where = "trace.stp:3:7", .phase = RT_RUNNING, .locks = p0_timer_locks, .nlocks = 1, .capture = 201332891 },
};

static const struct rt_profile profile_rows[] = { { &probes[0], .period_ns = 0 } };
static const struct rt_family_use families[] = {
	{ &rt_family_profile, profile_rows, 1 },
};
static const struct rt_format formats[] = {
	{ "pid\tname\tip\timage\tdepth\t", "TPlsail" },
	{ "what\tstack\tfunction\t", "TPsSs" },
};
static const char *const near[] = {
	"",
	"identifier 'stack' at trace.stp:5:51",
};
RT_SOURCE("identifier 'stack' at trace.stp:5:51",
	"        source: \\011stp(what: \\\"sample\\\", stack($pt_regs->sp), symname(stack(1)))\\n"
	"                \\011                                                 ^~~~~");

const struct rt_script rt_script = {
	.abi = RT_ABI, .maxstring = 512, .name = "trace.stp",
	.globals = globals, .nglobals = 1,
	.probes = probes, .nprobes = 1,
	.families = families, .nfamilies = sizeof(families) / sizeof(families[0]),
	.formats = formats, .nformats = 2,
	.near = near, .nnear = 2,
	.capture = 201332891,
	.limits = { .maxaction = 10000, .maxnesting = 20, .maxtrylock = 100, .trylock_us = 10,
		.maxerrors = 0, .maxskipped = 100, .overload_interval = 1000000000, .overload_threshold = 500000000,
		.minstack = 1024, .kretactive = 0, .arena = 16384, .maxbacktrace = 20,
		.map_string = 512, .hist_width = 50, .hist_elision = 2, .user_stack = 0 },
};
