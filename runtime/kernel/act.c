// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * act.c - what a handler may do to the machine: lines in the kernel's log and trace buffer, signals, delays, the end.
 *
 * All but ftrace() need -g, because they can do harm: printing and signals take locks that a probed function may hold.
 */
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "runtime/core/core.h"

const char *runtime_name(void)
{
	return THIS_MODULE->name;
}

/* A line ends here, whatever the script's text says. */
void rt_printk(struct rt_ctx *c, s64 level, struct rt_str text)
{
	static const char *const levels[] = {
		KERN_EMERG, KERN_ALERT, KERN_CRIT, KERN_ERR, KERN_WARNING, KERN_NOTICE, KERN_INFO, KERN_DEBUG,
	};

	if (text.len && text.p[text.len - 1] == '\n')
		text.len--;
	_printk("%s%.*s\n", level >= 0 && level < ARRAY_SIZE(levels) ? levels[level] : "", text.len, text.p);
}

void rt_ftrace(struct rt_ctx *c, struct rt_str text)
{
	__trace_puts(_THIS_IP_, text.p, text.len);
}

void rt_raise(struct rt_ctx *c, s64 signal)
{
	if (!valid_signal((unsigned long)signal) || signal <= 0)
		ctx_fail(c, "no such signal");
	else
		send_sig((int)signal, current, 0);
}

void rt_mdelay(struct rt_ctx *c, s64 ms)
{
	for (; ms > 0; ms--)
		udelay(1000);
}

void rt_udelay(struct rt_ctx *c, s64 us)
{
	rt_mdelay(c, us / 1000);
	if (us > 0)
		udelay((unsigned long)us % 1000);
}

void rt_panic(struct rt_ctx *c, struct rt_str text)
{
	panic("%.*s", text.len, text.p);
}

void rt_dump_stack(struct rt_ctx *c)
{
	dump_stack();
}
