/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat_netfilter.h - netfilter hooks, if the kernel has netfilter. */
#ifndef LAPWING_KERNEL_COMPAT_NETFILTER_H
#define LAPWING_KERNEL_COMPAT_NETFILTER_H

#include <linux/netfilter.h>
#include <net/net_namespace.h>

#ifndef CONFIG_NETFILTER
static inline int nf_register_net_hooks(struct net *net, const struct nf_hook_ops *ops,
					unsigned int n)
{
	return -EPROTONOSUPPORT;
}
static inline void nf_unregister_net_hooks(struct net *net, const struct nf_hook_ops *ops,
					   unsigned int n)
{
}
#endif

#endif
