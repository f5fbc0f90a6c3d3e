// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family_netfilter.c - packets at the hooks of netfilter, in every network namespace, also in those
 * that are made later.
 *
 * What a handler decides is kept per CPU while it runs, as no other one of this family can run
 * there: interrupts are off.
 */
#include "runtime/rt.h"

#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>

#include "runtime/core/core.h"
#include "runtime/core/refuse.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/compat/compat_netfilter.h"
#include "runtime/kernel/context/arg.h"
#include "runtime/kernel/probes/family.h"

static const struct rt_netfilter *netfilter_rows;	/* constant between start and stop */
static struct nf_hook_ops *netfilter_hooks;		/* [netfilter_n]; hook NULL: is left out */
static u32 netfilter_n;
static int netfilter_armed;
static u32 netfilter_refused;				/* the row that init failed at */
static DEFINE_PER_CPU(u32, netfilter_verdict);

void rt_netfilter_verdict(s64 verdict)
{
	this_cpu_write(netfilter_verdict,
		       verdict >= 0 && verdict <= NF_MAX_VERDICT ? (u32)verdict : NF_ACCEPT);
}

static unsigned int netfilter_hit(void *priv, struct sk_buff *skb,
				  const struct nf_hook_state *state)
{
	const struct rt_netfilter *row = priv;
	const u64 args[RT_ARGS] = {
		state->hook, (unsigned long)skb, (unsigned long)state->in,
		(unsigned long)state->out, (unsigned long)state->okfn, state->pf,
	};
	unsigned long flags;
	u32 verdict;

	local_irq_save(flags);
	this_cpu_write(netfilter_verdict, NF_ACCEPT);
	enter_values(row->probe, NULL, 0, args);
	verdict = this_cpu_read(netfilter_verdict);
	local_irq_restore(flags);
	return verdict;
}

/* Those from the first one on. */
static void netfilter_leave(struct net *net, u32 first)
{
	for (; first < netfilter_n; first++)
		if (netfilter_hooks[first].hook)
			nf_unregister_net_hook(net, &netfilter_hooks[first]);
}

/*
 * For each namespace that there is, and for each that is made later. The last one is registered
 * first: of hooks with one priority the kernel calls the one that came last.
 */
static int netfilter_enter(struct net *net)
{
	u32 i;

	for (i = netfilter_n; i--; ) {
		int rc = netfilter_hooks[i].hook ? nf_register_net_hook(net, &netfilter_hooks[i])
						 : 0;

		if (rc) {
			netfilter_refused = i;
			netfilter_leave(net, i + 1);
			return rc;
		}
	}
	return 0;
}

static void netfilter_exit(struct net *net) { netfilter_leave(net, 0); }

static struct pernet_operations netfilter_everywhere = {
	.init	= netfilter_enter,
	.exit	= netfilter_exit,
};

/* Registers the hooks, less those that are left out. 0, or -errno with netfilter_refused. */
static int netfilter_register(void)
{
	int rc;

	for (netfilter_refused = 0; netfilter_refused < netfilter_n; netfilter_refused++)
		if (netfilter_hooks[netfilter_refused].hook)
			break;
	if (netfilter_refused == netfilter_n)
		return 0;
	rc = fault_inject_error() ?: register_pernet_subsys(&netfilter_everywhere);
	netfilter_armed = !rc;
	return rc;
}

static void netfilter_unregister(void) { unregister_pernet_subsys(&netfilter_everywhere); }

static void netfilter_stop(const void *rows, u32 nrows)
{
	if (netfilter_armed) {
		netfilter_unregister();
		synchronize_rcu();	/* hooks run in its read sections, and are not waited for */
	}
	netfilter_armed = 0;
	runtime_free(netfilter_hooks);
	netfilter_hooks = NULL;
}

static const struct refusal netfilter_refusals[] = {
	{ 0,	RUN_REGISTRATION },
};

static int netfilter_start(const void *rows, u32 nrows)
{
	u32 i;
	int rc;

	netfilter_rows = rows;
	netfilter_n = nrows;
	netfilter_hooks = runtime_alloc((u64)nrows * sizeof(*netfilter_hooks));
	if (!netfilter_hooks)
		return -ENOMEM;
	for (i = 0; i < nrows; i++)
		netfilter_hooks[i] = (struct nf_hook_ops){
			.hook = netfilter_hit,
			.priv = (void *)&netfilter_rows[i],
			.pf = netfilter_rows[i].pf,
			.hooknum = netfilter_rows[i].hook,
			.priority = netfilter_rows[i].priority,
		};
	while ((rc = netfilter_register())) {
		const struct rt_netfilter *row = &netfilter_rows[netfilter_refused];

		rc = refuse_errno(row->probe, row->optional, rc, netfilter_refusals);
		if (rc)
			break;
		netfilter_hooks[netfilter_refused].hook = NULL;
	}
	if (rc)
		netfilter_stop(rows, nrows);
	return rc;
}

const struct rt_family rt_family_netfilter = {
	.name	= "netfilter",
	.start	= netfilter_start,
	.stop	= netfilter_stop,
};
