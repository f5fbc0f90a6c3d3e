/* Made by lapwing from slices.stp. */
#include "rt.h"

/* slices.stp:1  global m, w%[4] */
struct g_m_key { s64 k1; struct rt_str k2; };
static const struct rt_map_desc g_m_desc = {
	.name = "m", .nkeys = 2, .key = { RT_LONG, RT_STRING }, .value = RT_LONG, .capacity = 2048, .iterators = 1,
};
static struct rt_map g_m = { .desc = &g_m_desc };

/* slices.stp:1  global m, w%[4] */
struct g_w_key { s64 k1; };
static const struct rt_map_desc g_w_desc = {
	.name = "w", .nkeys = 1, .key = { RT_LONG }, .value = RT_LONG, .capacity = 4, .wrap = 1, .sized = 1, .iterators = 1,
};
static struct rt_map g_w = { .desc = &g_w_desc };

/* slices.stp:2  probe begin { */
static void p0_begin(struct rt_ctx *c)
{
	s64 l_i = 0;
	struct rt_strvar l_s = rt_strvar(c);
	struct g_m_key key1;
	struct g_w_key key2;
	struct rt_iter it1;
	struct g_m_key row1;

	key1 = (struct g_m_key){ .k1 = 1, .k2 = RT_STR("x") };
	rt_map_set(c, &g_m, &key1, 2);
	if (rt_failed(c, 1))
		return;
	key2 = (struct g_w_key){ .k1 = 3 };
	rt_map_set(c, &g_w, &key2, 4);
	if (rt_failed(c, 2))
		return;
	key1 = (struct g_m_key){ .k1 = 1 };
	rt_foreach_slice(c, &it1, &g_m, RT_BY_KEY + 1, RT_DOWN, 3, &key1, 2);
	if (rt_failed(c, 3))
		return;
	while (rt_next(c, &it1, &row1)) {
		rt_charge(c, 1);
		if (rt_failed(c, 3)) {
			rt_foreach_end(c, &it1);
			return;
		}
		l_i = row1.k1;
		rt_set(&l_s, row1.k2);
		rt_print(c, 0, RT_L(l_i), RT_S(rt_get(&l_s)));
	}
	rt_foreach_end(c, &it1);
	key1 = (struct g_m_key){ .k2 = RT_STR("x") };
	rt_map_delete(c, &g_m, &key1, 1);
	key1 = (struct g_m_key){ .k2 = RT_STR("y") };
	if (rt_map_has(c, &g_m, &key1, 1)) {
		rt_map_clear(c, &g_w);
	}
}

/* slices.stp:1  global m, w%[4] */
static void p1_end(struct rt_ctx *c)
{
	s64 l_w_k1 = 0;
	struct rt_iter it1;
	struct g_w_key row1;

	rt_foreach(c, &it1, &g_w, RT_BY_VALUE, RT_DOWN, -1);
	if (rt_failed(c, 4))
		return;
	while (rt_next(c, &it1, &row1)) {
		s64 *item1;

		rt_charge(c, 1);
		if (rt_failed(c, 4)) {
			rt_foreach_end(c, &it1);
			return;
		}
		l_w_k1 = row1.k1;
		item1 = rt_item(c, 1, 2, 2);
		item1[0] = l_w_k1;
		item1[1] = rt_iter_long(&it1);
	}
	rt_foreach_end(c, &it1);
}

static struct rt_global globals[] = {
	{ "m", RT_G_MAP, 0, &g_m, 0 },
	{ "w", RT_G_MAP, 0, &g_w, 0 },
};

static struct rt_probe probes[] = {
	{ .handler = p0_begin, .point = "begin", .where = "slices.stp:2:7", .phase = RT_BEGIN },
	{ .handler = p1_end, .point = "end", .where = "slices.stp:1:11", .phase = RT_END },
};

static const struct rt_begin_end begin_end_rows[] = {
	{ &probes[0], 0 },
	{ &probes[1], 9223372036854775807 },
};
static const struct rt_family_use families[] = {
	{ &rt_family_begin_end, begin_end_rows, 2 },
};
static const struct rt_format formats[] = {
	{ "%d%s\n", "ls" },
	{ "w[%d]=%d\n", "ll" },
};
static const char *const near[] = {
	"",
	"identifier 'm' at slices.stp:3:2",
	"identifier 'w' at slices.stp:4:2",
	"keyword at slices.stp:5:2",
	"keyword at slices.stp:1:11",
};
RT_SOURCE("identifier 'm' at slices.stp:3:2",
	"        source: \\011m[1, \\\"x\\\"] = 2\\n"
	"                \\011^");
RT_SOURCE("identifier 'w' at slices.stp:4:2",
	"        source: \\011w[3] = 4\\n"
	"                \\011^");
RT_SOURCE("keyword at slices.stp:5:2",
	"        source: \\011foreach ([i, s-] in m[1, *] limit 3) printf(\\\"%d%s\\\\n\\\", i, s)\\n"
	"                \\011^~~~~~~");
RT_SOURCE("keyword at slices.stp:1:11",
	"        source: global m, w%[4]\\n"
	"                          ^");

const struct rt_script rt_script = {
	.abi = RT_ABI, .maxstring = 512, .name = "slices.stp",
	.globals = globals, .nglobals = 2,
	.probes = probes, .nprobes = 2,
	.families = families, .nfamilies = sizeof(families) / sizeof(families[0]),
	.formats = formats, .nformats = 2,
	.near = near, .nnear = 5,
	.limits = { .maxaction = 10000, .maxnesting = 20, .maxtrylock = 100, .trylock_us = 10,
		.maxerrors = 0, .maxskipped = 100, .overload_interval = 1000000000, .overload_threshold = 500000000,
		.minstack = 1024, .kretactive = 0, .arena = 16384, .maxbacktrace = 20,
		.map_string = 512, .hist_width = 50, .hist_elision = 2, .user_stack = 0 },
};
