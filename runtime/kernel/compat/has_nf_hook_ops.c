// SPDX-License-Identifier: GPL-2.0-or-later
/* has_nf_hook_ops.c - compiles if there is such a structure: not in 6.1 without CONFIG_NETFILTER. */
#include <linux/netfilter.h>

unsigned long has_nf_hook_ops(void);
unsigned long has_nf_hook_ops(void)
{
	return sizeof(struct nf_hook_ops) + sizeof(struct nf_hook_state);
}
