// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * about.c - information for a script on its own run, and its requests to the consumer: a shell
 * command, the next output file.
 */
#include "runtime/core/about.h"

#include "runtime/core/core.h"
#include "runtime/core/ctx.h"
#include "runtime/core/fmt.h"
#include "runtime/core/port.h"
#include "runtime/core/str.h"

struct wire_about core_about = { .zone = "UTC" };

int core_take_about(const void *p, u64 len)
{
	u32 i;

	if (len < sizeof(core_about))
		return -EINVAL;
	memcpy(&core_about, p, sizeof(core_about));
	core_about.zone[sizeof(core_about.zone) - 1] = 0;
	core_about.machine[sizeof(core_about.machine) - 1] = 0;
	for (i = 0; core_about.nop5_breaks && i < rt_script.nprobes; i++)
		if (rt_script.probes[i].way & RT_WAY_NOP5_SLOW)
			rt_script.probes[i].way |= RT_WAY_SLOW;
	return 0;
}

static struct rt_str about_text(const char *p)
{
	u64 n = strlen(p), most = rt_script.maxstring - 1;

	return (struct rt_str){ p, (u16)(n < most ? n : most) };
}

s64 rt_stp_pid(void) { return core_about.pid; }
s64 rt_is_myproc(struct rt_ctx *c) { return rt_euid(c) == core_about.uid; }

void rt_own_process_only(struct rt_ctx *c)
{
	char text[128];
	struct sink s = { .p = text, .size = sizeof(text) - 1 };

	if (rt_is_myproc(c))
		return;
	sink_text(&s, "pid ");
	fmt_decimal(&s, rt_pid(c));
	sink_text(&s, " (euid ");
	fmt_decimal(&s, rt_euid(c));
	sink_text(&s, ")");
	text[s.used] = 0;
	ctx_fail_with(c, RUN_OWN, text);
}

s64 rt_tz_gmtoff(void) { return core_about.gmtoff; }
struct rt_str rt_tz_name(void) { return about_text(core_about.zone); }
struct rt_str rt_machine(void) { return about_text(core_about.machine); }
struct rt_str rt_module_name(void) { return about_text(runtime_name()); }

struct rt_str rt_pn(struct rt_ctx *c)
{
	return about_text(c->probe->written ? c->probe->written : c->probe->point);
}

void rt_system(struct rt_ctx *c, struct rt_str command)
{
	core_message(WIRE_SYSTEM, command);
}

void rt_switch_file(struct rt_ctx *c)
{
	runtime_message(WIRE_NEXT_FILE, 0, "", 0);
}
