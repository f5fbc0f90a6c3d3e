// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family_netfilter.c - netfilter.hook: packets at netfilter hooks.
 *
 * Each row is a hook in every network namespace, including later ones. A handler that does not run,
 * or does not set $verdict, lets the packet pass.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "runtime/core/core.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/base/run_state.h"
#include "runtime/kernel/compat/compat_netfilter.h"
#include "runtime/kernel/context/arg.h"
#include "runtime/kernel/context/enter.h"
#include "runtime/kernel/probes/family.h"
#include "runtime/wire.h"

static struct nf_hook_ops *netfilter_ops;	/* [netfilter_nops], while armed */
static u32 netfilter_nops;

/* The order of the arguments must match the translator's netfilter_variable.c. */
static notrace unsigned int netfilter_hit(void *data, struct sk_buff *packet,
					  const struct nf_hook_state *state)
{
	int verdict = NF_ACCEPT;
	const u64 args[RT_ARGS] = {
		state->hook,
		(unsigned long)packet,
		(unsigned long)state->in,
		(unsigned long)state->out,
		(unsigned long)state->okfn,
		(unsigned long)&verdict,
	};

	enter_values(data, NULL, 0, args);
	barrier();		/* the handler writes by address */
	return (unsigned int)verdict;
}

static int netfilter_enter(struct net *net)
{
	return nf_register_net_hooks(net, netfilter_ops, netfilter_nops);
}

static void netfilter_leave(struct net *net)
{
	nf_unregister_net_hooks(net, netfilter_ops, netfilter_nops);
}

static struct pernet_operations netfilter_nets = {
	.init = netfilter_enter,
	.exit = netfilter_leave,
};

/* The kernel warns, with a stack trace, about hooks of protocols that it was built without. */
static int netfilter_has(u8 protocol)
{
	return protocol == NFPROTO_ARP ? IS_ENABLED(CONFIG_NETFILTER_FAMILY_ARP) :
	       protocol == NFPROTO_BRIDGE ? IS_ENABLED(CONFIG_NETFILTER_FAMILY_BRIDGE) :
	       IS_ENABLED(CONFIG_NETFILTER);
}

static int netfilter_arm(const struct rt_netfilter *row)
{
	if (!netfilter_has(row->protocol))
		return -EPROTONOSUPPORT;
	netfilter_ops[netfilter_nops++] = (struct nf_hook_ops){
		.hook = netfilter_hit,
		.priv = (void *)row->probe,
		.pf = row->protocol,
		.hooknum = row->hook,
		.priority = row->priority,
	};
	return 0;
}

static int netfilter_start_nets(void)
{
	int rc = fault_inject_error() ?: register_pernet_subsys(&netfilter_nets);

	if (rc)
		netfilter_nops = 0;
	return rc;
}

static void netfilter_stop(const void *rows, u32 nrows)
{
	if (netfilter_nops) {
		unregister_pernet_subsys(&netfilter_nets);
		synchronize_rcu();	/* hooks run as RCU readers, and may be running */
	}
	netfilter_nops = 0;
	runtime_free(netfilter_ops);
	netfilter_ops = NULL;
}

static int netfilter_refuse(const struct rt_netfilter *row, int rc)
{
	char text[256];

	scnprintf(text, sizeof(text), "probe %s %s (rc %d)%s", row->probe->point,
		  row->optional ? "skipped" : "registration error [man warning::pass5]", rc,
		  rc == -EPROTONOSUPPORT ? ": this kernel has no such hooks" : "");
	runtime_message(row->optional ? WIRE_WARNING : WIRE_ERROR, 0, text, strlen(text) + 1);
	run_state.unarmed += row->optional != 0;
	return row->optional ? 0 : rc;
}

static int netfilter_start(const void *rows, u32 nrows)
{
	const struct rt_netfilter *row = rows;
	u32 i;
	int rc = 0;

	netfilter_ops = runtime_alloc((u64)nrows * sizeof(*netfilter_ops));
	if (!netfilter_ops)
		return -ENOMEM;
	for (i = 0; i < nrows && !rc; i++) {
		rc = netfilter_arm(&row[i]);
		if (rc)
			rc = netfilter_refuse(&row[i], rc);
	}
	if (!rc && netfilter_nops)
		rc = netfilter_start_nets();
	if (rc)
		netfilter_stop(rows, nrows);
	return rc;
}

const struct rt_family rt_family_netfilter = {
	.name	= "netfilter",
	.start	= netfilter_start,
	.stop	= netfilter_stop,
};
