// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * has_uprobe_data.c - compiles if uprobe handlers have a data word per pending call (Linux 6.13).
 */
#include <linux/uprobes.h>

static int hit(struct uprobe_consumer *consumer, struct pt_regs *regs, __u64 *data)
{
	return 0;
}

struct uprobe_consumer has_uprobe_data(void);
struct uprobe_consumer has_uprobe_data(void)
{
	return (struct uprobe_consumer){ .handler = hit };
}
