/* Made by lapwing from strings.stp. */
#include "rt.h"

/* strings.stp:1  global text = "x" */
static char g_text_text[512] = "x";
static struct rt_strvar g_text = RT_STRVAR(g_text_text, "x");

/* strings.stp:2  function longer:string(s:string) { s .= "!"; return s . text } */
static struct rt_str f_longer_body(struct rt_ctx *c, struct rt_str l_s_in)
{
	struct rt_strvar l_s = rt_strvar(c);

	rt_set(&l_s, l_s_in);
	rt_set(&l_s, rt_concat(c, rt_get(&l_s), RT_STR("!")));
	return rt_concat(c, rt_get(&l_s), rt_get(&g_text));
	return RT_STR("");
}

static struct rt_str f_longer(struct rt_ctx *c, struct rt_str l_s_in)
{
	u32 mark = rt_mark(c);
	struct rt_str value = RT_STR("");

	if (rt_nest(c))
		return value;
	value = f_longer_body(c, l_s_in);
	rt_unnest(c);
	return rt_return_str(c, mark, value);
}

/* strings.stp:3  probe timer.ms(100) { text = longer(execname()); println(sprintf("%5s|%d", text, strl */
static void p0_timer(struct rt_ctx *c)
{
	struct rt_str result1;

	result1 = f_longer(c, rt_execname(c));
	if (rt_failed(c, 1))
		return;
	rt_set(&g_text, result1);
	rt_print(c, 1, RT_S(rt_sprint(c, 0, RT_S(rt_get(&g_text)), RT_L(rt_strlen(rt_get(&g_text))))));
}

static struct rt_global globals[] = {
	{ "text", RT_G_STRING, 0, &g_text, 0 },
};

static const struct rt_lockuse p0_timer_locks[] = { { 0, RT_WRITE } };

static struct rt_probe probes[] = {
	{ .handler = p0_timer, .point = "timer.ms(100)", .where = "strings.stp:3:7", .phase = RT_RUNNING, .locks = p0_timer_locks, .nlocks = 1, .capture = 3 },
};

static const struct rt_timer timer_rows[] = { { &probes[0], .period_ns = 100000000 } };
static const struct rt_family_use families[] = {
	{ &rt_family_timer, timer_rows, 1 },
};
static const struct rt_format formats[] = {
	{ "%5s|%d", "sl" },
	{ "%s\n", "s" },
};
static const char *const near[] = {
	"",
	"identifier 'longer' at strings.stp:3:30",
};
RT_SOURCE("identifier 'longer' at strings.stp:3:30",
	"        source: probe timer.ms(100) { text = longer(execname()); println(sprintf(\\\"%5s|%d\\\", text, strlen(text))) }\\n"
	"                                             ^~~~~~");

const struct rt_script rt_script = {
	.abi = RT_ABI, .maxstring = 512, .name = "strings.stp",
	.globals = globals, .nglobals = 1,
	.probes = probes, .nprobes = 1,
	.families = families, .nfamilies = sizeof(families) / sizeof(families[0]),
	.formats = formats, .nformats = 2,
	.near = near, .nnear = 2,
	.capture = 3,
	.limits = { .maxaction = 10000, .maxnesting = 20, .maxtrylock = 100, .trylock_us = 10,
		.maxerrors = 0, .maxskipped = 100, .overload_interval = 1000000000, .overload_threshold = 500000000,
		.minstack = 1024, .kretactive = 0, .arena = 16384, .maxbacktrace = 20,
		.map_string = 512, .hist_width = 50, .hist_elision = 2, .user_stack = 0 },
};
