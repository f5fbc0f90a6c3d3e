/* Made by lapwing from loops.stp. */
#include "rt.h"

/* loops.stp:1  global a */
static s64 g_a;

/* loops.stp:2  function sum(n) { for (i = 0; i < n; i++) t += i; return t } */
static s64 f_sum(struct rt_ctx *c, s64 l_n)
{
	s64 l_i = 0;
	s64 l_t = 0;

	l_i = 0;
	for (; l_i < l_n; l_i++) {
		rt_charge(c, 1);
		if (rt_failed(c, 1))
			return 0;
		l_t += l_i;
	}
	return l_t;
	return 0;
}

/* loops.stp:3  probe begin { while (a < 10) { a++; if (a == 5) continue; if (a == 8) break } printf("% */
static void p0_begin(struct rt_ctx *c)
{
	s64 value1;
	s64 result1;
	s64 *item1;

	while (g_a < 10) {
		rt_charge(c, 5);
		if (rt_failed(c, 2))
			return;
		g_a++;
		if (g_a == 5) {
			continue;
		}
		if (g_a == 8) {
			break;
		}
	}
	value1 = g_a;
	result1 = f_sum(c, g_a);
	if (rt_failed(c, 3))
		return;
	item1 = rt_item(c, 0, 2, 2);
	item1[0] = value1;
	item1[1] = result1;
}

static struct rt_global globals[] = {
	{ "a", RT_G_LONG, 0, &g_a, 0 },
};

static struct rt_probe probes[] = {
	{ .handler = p0_begin, .point = "begin", .where = "loops.stp:3:7", .phase = RT_BEGIN },
};

static const struct rt_begin_end begin_end_rows[] = { { &probes[0], 0 } };
static const struct rt_family_use families[] = {
	{ &rt_family_begin_end, begin_end_rows, 1 },
};
static const struct rt_format formats[] = {
	{ "%d %d\n", "ll" },
};
static const char *const near[] = {
	"",
	"keyword at loops.stp:2:19",
	"keyword at loops.stp:3:15",
	"identifier 'sum' at loops.stp:3:100",
};
RT_SOURCE("keyword at loops.stp:2:19",
	"        source: function sum(n) { for (i = 0; i < n; i++) t += i; return t }\\n"
	"                                  ^~~");
RT_SOURCE("keyword at loops.stp:3:15",
	"        source: probe begin { while (a < 10) { a++; if (a == 5) continue; if (a == 8) break } printf(\\\"%d %d\\\\n\\\", a, sum(a)) }\\n"
	"                              ^~~~~");
RT_SOURCE("identifier 'sum' at loops.stp:3:100",
	"        source: probe begin { while (a < 10) { a++; if (a == 5) continue; if (a == 8) break } printf(\\\"%d %d\\\\n\\\", a, sum(a)) }\\n"
	"                                                                                                                   ^~~");

const struct rt_script rt_script = {
	.abi = RT_ABI, .maxstring = 512, .name = "loops.stp",
	.globals = globals, .nglobals = 1,
	.probes = probes, .nprobes = 1,
	.families = families, .nfamilies = sizeof(families) / sizeof(families[0]),
	.formats = formats, .nformats = 1,
	.near = near, .nnear = 4,
	.limits = { .maxaction = 10000, .maxnesting = 20, .maxtrylock = 100, .trylock_us = 10,
		.maxerrors = 0, .maxskipped = 100, .overload_interval = 1000000000, .overload_threshold = 500000000,
		.minstack = 1024, .kretactive = 0, .arena = 16384, .maxbacktrace = 20,
		.map_string = 512, .hist_width = 50, .hist_elision = 2, .user_stack = 0 },
};
