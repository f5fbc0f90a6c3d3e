/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat_netfilter.h - hooks of netfilter, which are refused by kernels that are built without it. */
#ifndef LAPWING_KERNEL_COMPAT_NETFILTER_H
#define LAPWING_KERNEL_COMPAT_NETFILTER_H

#include <linux/errno.h>
#include <linux/netfilter.h>
#include <net/net_namespace.h>

#ifndef HAS_NF_HOOK_OPS
struct nf_hook_state {
	u8			hook, pf;
	struct net_device	*in, *out;
	int			(*okfn)(struct net *net, struct sock *sk, struct sk_buff *skb);
};
struct nf_hook_ops {
	unsigned int		(*hook)(void *priv, struct sk_buff *skb,
					const struct nf_hook_state *state);
	void			*priv;
	u8			pf;
	unsigned int		hooknum;
	int			priority;
};
#endif

#if !IS_ENABLED(CONFIG_NETFILTER)
#define nf_register_net_hook(net, ops) ((void)(net), (void)(ops), -EOPNOTSUPP)
#define nf_unregister_net_hook(net, ops) ((void)(net), (void)(ops))
#endif

#if !IS_ENABLED(CONFIG_NET)
#define register_pernet_subsys(ops) ((void)(ops), -EOPNOTSUPP)
#define unregister_pernet_subsys(ops) ((void)(ops))
#endif

#endif
