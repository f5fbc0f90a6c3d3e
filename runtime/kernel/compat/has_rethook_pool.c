// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * has_rethook_pool.c - compiles if rethook_alloc() also allocates the nodes, and handlers get the
 * return address (Linux 6.7).
 */
#include <linux/bug.h>
#include <linux/rethook.h>

static void returned(struct rethook_node *node, void *data, unsigned long to, struct pt_regs *regs)
{
}

void *has_rethook_pool(void);
void *has_rethook_pool(void)
{
	return rethook_alloc(NULL, returned, sizeof(struct rethook_node), 1);
}
