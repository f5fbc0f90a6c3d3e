/* Made by lapwing from try.stp. */
#include "rt.h"

/* try.stp:2  probe begin { for (i = 0; i < 3; i++) { try { if (i == 2) break; x = 1 / zero } catch (m) */
static void p0_begin(struct rt_ctx *c)
{
	s64 l_i = 0;
	struct rt_strvar l_m = rt_strvar(c);

	l_i = 0;
	for (; l_i < 3; l_i++) {
		s64 leave1;

		rt_charge(c, 4);
		if (rt_failed(c, 1))
			return;
		leave1 = 0;
		rt_try(c);
		do {
			if (l_i == 2) {
				leave1 = 1;
				break;
			}
		} while (0);
		if (rt_catch(c, &l_m)) {
			rt_print(c, 0, RT_S(rt_get(&l_m)));
		}
		if (rt_failed(c, 0))
			return;
		if (leave1 == 1) {
			break;
		}
		if (leave1 == 2) {
			continue;
		}
	}
}

static struct rt_probe probes[] = {
	{ .handler = p0_begin, .point = "begin", .where = "try.stp:2:7", .phase = RT_BEGIN },
};

static const struct rt_begin_end begin_end_rows[] = { { &probes[0], 0 } };
static const struct rt_family_use families[] = {
	{ &rt_family_begin_end, begin_end_rows, 1 },
};
static const struct rt_format formats[] = {
	{ "%s\n", "s" },
};
static const char *const near[] = {
	"",
	"keyword at try.stp:2:15",
};
RT_SOURCE("keyword at try.stp:2:15",
	"        source: probe begin { for (i = 0; i < 3; i++) { try { if (i == 2) break; x = 1 / zero } catch (m) { println(m) } } }\\n"
	"                              ^~~");

const struct rt_script rt_script = {
	.abi = RT_ABI, .maxstring = 512, .name = "try.stp",
	.probes = probes, .nprobes = 1,
	.families = families, .nfamilies = sizeof(families) / sizeof(families[0]),
	.formats = formats, .nformats = 1,
	.near = near, .nnear = 2,
	.limits = { .maxaction = 10000, .maxnesting = 20, .maxtrylock = 100, .trylock_us = 10,
		.maxerrors = 0, .maxskipped = 100, .overload_interval = 1000000000, .overload_threshold = 500000000,
		.minstack = 1024, .kretactive = 0, .arena = 16384, .maxbacktrace = 20,
		.map_string = 512, .hist_width = 50, .hist_elision = 2, .user_stack = 0 },
};
