// SPDX-License-Identifier: GPL-2.0-or-later
/* has_ftrace_filter_ips.c - compiles if a filter takes many addresses at once (Linux 5.18). */
#include <linux/ftrace.h>

int has_ftrace_filter_ips(struct ftrace_ops *ops, unsigned long *ips, unsigned int n);
int has_ftrace_filter_ips(struct ftrace_ops *ops, unsigned long *ips, unsigned int n)
{
	return ftrace_set_filter_ips(ops, ips, n, 0, 1);
}
