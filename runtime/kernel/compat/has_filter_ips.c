// SPDX-License-Identifier: GPL-2.0-or-later
/* has_filter_ips.c - compiles if an ftrace filter takes many addresses at once (Linux 5.18). */
#include <linux/ftrace.h>

int has_filter_ips(struct ftrace_ops *ops, unsigned long *ips);
int has_filter_ips(struct ftrace_ops *ops, unsigned long *ips)
{
	return ftrace_set_filter_ips(ops, ips, 1, 0, 0);
}
