// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * has_ftrace_regs.c - compiles if functions that ftrace calls get a struct ftrace_regs
 * (Linux 5.11).
 */
#include <linux/ftrace.h>

static void entered(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
		    struct ftrace_regs *regs)
{
	ops->private = ftrace_get_regs(regs);
}

ftrace_func_t has_ftrace_regs(void);
ftrace_func_t has_ftrace_regs(void)
{
	return entered;
}
