/* Made by lapwing from recursion.stp. */
#include "rt.h"

static s64 f_fact(struct rt_ctx *c, s64 l_n);
static struct rt_str f_rev(struct rt_ctx *c, struct rt_str l_s);

/* recursion.stp:1  function fact(n) { */
static s64 f_fact_body(struct rt_ctx *c, s64 l_n)
{
	s64 value1;
	s64 result1;

	if (l_n < 2) {
		return 1;
	}
	value1 = l_n;
	result1 = f_fact(c, l_n - 1);
	if (rt_failed(c, 1))
		return 0;
	return value1 * result1;
	return 0;
}

static s64 f_fact(struct rt_ctx *c, s64 l_n)
{
	u32 mark = rt_mark(c);
	s64 value = 0;

	if (rt_nest(c))
		return value;
	value = f_fact_body(c, l_n);
	rt_unnest(c);
	rt_release(c, mark);
	return value;
}

/* recursion.stp:4  function rev(s) { */
static struct rt_str f_rev_body(struct rt_ctx *c, struct rt_str l_s)
{
	struct rt_str result1;

	if (rt_strlen(l_s) < 2) {
		return l_s;
	}
	result1 = f_rev(c, rt_substr(c, l_s, 1, 99));
	if (rt_failed(c, 2))
		return RT_STR("");
	return rt_concat(c, result1, rt_substr(c, l_s, 0, 1));
	return RT_STR("");
}

static struct rt_str f_rev(struct rt_ctx *c, struct rt_str l_s)
{
	u32 mark = rt_mark(c);
	struct rt_str value = RT_STR("");

	if (rt_nest(c))
		return value;
	value = f_rev_body(c, l_s);
	rt_unnest(c);
	return rt_return_str(c, mark, value);
}

/* recursion.stp:7  probe begin { */
static void p0_begin(struct rt_ctx *c)
{
	s64 result1;
	s64 value1;
	struct rt_str result2;

	result1 = f_fact(c, 5);
	if (rt_failed(c, 3))
		return;
	value1 = result1;
	result2 = f_rev(c, RT_STR("abc"));
	if (rt_failed(c, 4))
		return;
	rt_print(c, 0, RT_L(value1), RT_S(result2));
	rt_exit(c);
}

static struct rt_probe probes[] = {
	{ .handler = p0_begin, .point = "begin", .where = "recursion.stp:7:7", .phase = RT_BEGIN },
};

static const struct rt_begin_end begin_end_rows[] = { { &probes[0], 0 } };
static const struct rt_family_use families[] = {
	{ &rt_family_begin_end, begin_end_rows, 1 },
};
static const struct rt_format formats[] = {
	{ "%d %s\n", "ls" },
};
static const char *const near[] = {
	"",
	"identifier 'fact' at recursion.stp:3:13",
	"identifier 'rev' at recursion.stp:6:9",
	"identifier 'fact' at recursion.stp:8:20",
	"identifier 'rev' at recursion.stp:8:29",
};
RT_SOURCE("identifier 'fact' at recursion.stp:3:13",
	"        source: \\011return n * fact(n - 1) }\\n"
	"                \\011           ^~~~");
RT_SOURCE("identifier 'rev' at recursion.stp:6:9",
	"        source: \\011return rev(substr(s, 1, 99)) . substr(s, 0, 1) }\\n"
	"                \\011       ^~~");
RT_SOURCE("identifier 'fact' at recursion.stp:8:20",
	"        source: \\011printf(\\\"%d %s\\\\n\\\", fact(5), rev(\\\"abc\\\")) exit() }\\n"
	"                \\011                  ^~~~");
RT_SOURCE("identifier 'rev' at recursion.stp:8:29",
	"        source: \\011printf(\\\"%d %s\\\\n\\\", fact(5), rev(\\\"abc\\\")) exit() }\\n"
	"                \\011                           ^~~");

const struct rt_script rt_script = {
	.abi = RT_ABI, .maxstring = 512, .name = "recursion.stp",
	.probes = probes, .nprobes = 1,
	.families = families, .nfamilies = sizeof(families) / sizeof(families[0]),
	.formats = formats, .nformats = 1,
	.near = near, .nnear = 5,
	.limits = { .maxaction = 10000, .maxnesting = 20, .maxtrylock = 100, .trylock_us = 10,
		.maxerrors = 0, .maxskipped = 100, .overload_interval = 1000000000, .overload_threshold = 500000000,
		.minstack = 1024, .kretactive = 0, .arena = 16384, .maxbacktrace = 20,
		.map_string = 512, .hist_width = 50, .hist_elision = 2, .user_stack = 0 },
};
