/* Made by lapwing from values.stp. */
#include "rt.h"

/* values.stp:1  global a, k */
struct g_a_key { s64 k1; };
static const struct rt_map_desc g_a_desc = {
	.name = "a", .nkeys = 1, .key = { RT_LONG }, .value = RT_LONG, .capacity = 2048,
};
static struct rt_map g_a = { .desc = &g_a_desc };

/* values.stp:1  global a, k */
static s64 g_k;

/* values.stp:2  probe begin { */
static void p0_begin(struct rt_ctx *c)
{
	s64 l_x = 0;
	s64 l_y = 0;
	struct g_a_key key1;
	s64 value1;
	s64 value2;
	s64 value3;
	s64 *item1;

	key1 = (struct g_a_key){ .k1 = 1 };
	value1 = rt_map_add(c, &g_a, &key1, 1) - 1;
	if (rt_failed(c, 1))
		return;
	value2 = value1;
	value3 = g_k--;
	l_x = value2 + value3;
	value1 = (l_x > 2) != 0;
	if (value1) {
		struct g_a_key key2;
		s64 value4;

		key2 = (struct g_a_key){ .k1 = l_x };
		value4 = rt_map_add(c, &g_a, &key2, 1) - 1;
		if (rt_failed(c, 2))
			return;
		value1 = value4 != 0;
	}
	if (value1) {
		s64 value5;

		value5 = ++g_k;
		value2 = value5;
	} else {
		value2 = 5;
	}
	l_y = value2;
	key1 = (struct g_a_key){ .k1 = l_y };
	l_x = 7;
	rt_map_set(c, &g_a, &key1, l_x);
	if (rt_failed(c, 3))
		return;
	key1 = (struct g_a_key){ .k1 = 2 };
	rt_map_add(c, &g_a, &key1, -l_x);
	if (rt_failed(c, 4))
		return;
	item1 = rt_item(c, 0, 3, 3);
	item1[0] = l_x;
	item1[1] = l_y;
	item1[2] = (-9223372036854775807LL - 1);
}

static struct rt_global globals[] = {
	{ "a", RT_G_MAP, 0, &g_a, 0 },
	{ "k", RT_G_LONG, 0, &g_k, 0 },
};

static struct rt_probe probes[] = {
	{ .handler = p0_begin, .point = "begin", .where = "values.stp:2:7", .phase = RT_BEGIN },
};

static const struct rt_begin_end begin_end_rows[] = { { &probes[0], 0 } };
static const struct rt_family_use families[] = {
	{ &rt_family_begin_end, begin_end_rows, 1 },
};
static const struct rt_format formats[] = {
	{ "%d %d %d\n", "lll" },
};
static const char *const near[] = {
	"",
	"identifier 'a' at values.stp:3:6",
	"identifier 'a' at values.stp:4:15",
	"identifier 'a' at values.stp:5:2",
	"identifier 'a' at values.stp:6:2",
};
RT_SOURCE("identifier 'a' at values.stp:3:6",
	"        source: \\011x = a[1]++ + k-- \\n"
	"                \\011    ^");
RT_SOURCE("identifier 'a' at values.stp:4:15",
	"        source: \\011y = x > 2 && a[x]++ ? ++k : 5\\n"
	"                \\011             ^");
RT_SOURCE("identifier 'a' at values.stp:5:2",
	"        source: \\011a[y] = x = 7\\n"
	"                \\011^");
RT_SOURCE("identifier 'a' at values.stp:6:2",
	"        source: \\011a[2] += -x\\n"
	"                \\011^");

const struct rt_script rt_script = {
	.abi = RT_ABI, .maxstring = 512, .name = "values.stp",
	.globals = globals, .nglobals = 2,
	.probes = probes, .nprobes = 1,
	.families = families, .nfamilies = sizeof(families) / sizeof(families[0]),
	.formats = formats, .nformats = 1,
	.near = near, .nnear = 5,
	.limits = { .maxaction = 10000, .maxnesting = 20, .maxtrylock = 100, .trylock_us = 10,
		.maxerrors = 0, .maxskipped = 100, .overload_interval = 1000000000, .overload_threshold = 500000000,
		.minstack = 1024, .kretactive = 0, .arena = 16384, .maxbacktrace = 20,
		.map_string = 512, .hist_width = 50, .hist_elision = 2, .user_stack = 0 },
};
