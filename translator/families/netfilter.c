/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *   netfilter.hook("NF_INET_PRE_ROUTING").pf("NFPROTO_IPV4")[.priority("NF_IP_PRI_FIRST")]
 *   netfilter.pf(...).hook(...)[.priority(...)]
 *
 * Each packet that passes a hook of the network stack, in every network namespace. Names are those
 * of the kernel's headers; with -g also numbers. Priority: a name or a number, 0 without it; lower
 * ones come first. Needs no debug information. Context: the softirq or the process that moves the
 * packet. With -g the handler decides what becomes of it: $verdict.
 */
#include "translator/families/family.h"
#include "translator/families/family_variable.h"
#include "translator/families/shared.h"
#include "translator/program/program.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct family_pattern patterns[] = {
	{ "netfilter.hook(s).pf(s)", 0, 0 },
	{ "netfilter.hook(s).pf(s).priority(s)", 0, 0 },
	{ "netfilter.pf(s).hook(s)", 0, 0 },
	{ "netfilter.pf(s).hook(s).priority(s)", 0, 0 },
	{ 0 },
};

struct named {
	const char	*name;
	gint64		value;
};

/* enum of include/uapi/linux/netfilter.h */
static const struct named protocols[] = {
	{ "NFPROTO_IPV4", 2 }, { "NFPROTO_ARP", 3 },	{ "NFPROTO_BRIDGE", 7 },
	{ "NFPROTO_IPV6", 10 }, { "PF_INET", 2 },	{ "PF_INET6", 10 },
	{ "PF_BRIDGE", 7 },	{ 0 },
};

static const struct named inet_hooks[] = {
	{ "NF_INET_PRE_ROUTING", 0 },  { "NF_INET_LOCAL_IN", 1 },
	{ "NF_INET_FORWARD", 2 },      { "NF_INET_LOCAL_OUT", 3 },
	{ "NF_INET_POST_ROUTING", 4 }, { "NF_IP_PRE_ROUTING", 0 },
	{ "NF_IP_LOCAL_IN", 1 },       { "NF_IP_FORWARD", 2 },
	{ "NF_IP_LOCAL_OUT", 3 },      { "NF_IP_POST_ROUTING", 4 },
	{ "NF_IP6_PRE_ROUTING", 0 },   { "NF_IP6_LOCAL_IN", 1 },
	{ "NF_IP6_FORWARD", 2 },       { "NF_IP6_LOCAL_OUT", 3 },
	{ "NF_IP6_POST_ROUTING", 4 },  { 0 },
};
static const struct named arp_hooks[] = {
	{ "NF_ARP_IN", 0 }, { "NF_ARP_OUT", 1 }, { "NF_ARP_FORWARD", 2 }, { 0 },
};
static const struct named bridge_hooks[] = {
	{ "NF_BR_PRE_ROUTING", 0 }, { "NF_BR_LOCAL_IN", 1 },	 { "NF_BR_FORWARD", 2 },
	{ "NF_BR_LOCAL_OUT", 3 },   { "NF_BR_POST_ROUTING", 4 }, { 0 },
};

/* NF_IP6_PRI_* are the same: include/uapi/linux/netfilter_ipv4.h, netfilter_ipv6.h */
static const struct named priorities[] = {
	{ "NF_IP_PRI_FIRST", INT_MIN },
	{ "NF_IP_PRI_RAW_BEFORE_DEFRAG", -450 },
	{ "NF_IP_PRI_CONNTRACK_DEFRAG", -400 },
	{ "NF_IP_PRI_RAW", -300 },
	{ "NF_IP_PRI_SELINUX_FIRST", -225 },
	{ "NF_IP_PRI_CONNTRACK", -200 },
	{ "NF_IP_PRI_MANGLE", -150 },
	{ "NF_IP_PRI_NAT_DST", -100 },
	{ "NF_IP_PRI_FILTER", 0 },
	{ "NF_IP_PRI_SECURITY", 50 },
	{ "NF_IP_PRI_NAT_SRC", 100 },
	{ "NF_IP_PRI_SELINUX_LAST", 225 },
	{ "NF_IP_PRI_CONNTRACK_HELPER", 300 },
	{ "NF_IP_PRI_CONNTRACK_CONFIRM", INT_MAX },
	{ "NF_IP_PRI_LAST", INT_MAX },
	{ 0 },
};

static const struct builtin value = { "value", TYPE_LONG,   "l", "rt_long_arg",
				      CTX,     RT_CAP_ARGS, "",  KIND_ARGUMENT_FROM_1 };
static const struct builtin set = { "$verdict", TYPE_UNKNOWN, "l", "rt_netfilter_verdict",
				    EFFECT,	RT_CAP_KERNEL, "" };

#define VALUES \
	{ "$hooknum", "long", &value, NULL, NULL, "it can only be read", 1 }, \
	{ "$skb", "long", &value, NULL, NULL, "it can only be read", 2 }, \
	{ "$in", "long", &value, NULL, NULL, "it can only be read", 3 }, \
	{ "$out", "long", &value, NULL, NULL, "it can only be read", 4 }, \
	{ "$okfn", "long", &value, NULL, NULL, "it can only be read", 5 }, \
	{ "$pf", "long", &value, NULL, NULL, "it can only be read", 6 }

static const struct family_variable read_only[] = {
	VALUES,
	{ "$verdict", "long", NULL, NULL, NULL, "-g lets it be written: 0 drops the packet, 1 accepts it" },
	{ 0 },
};
static const struct family_variable with_verdict[] = {
	VALUES, { "$verdict", "long", NULL, &set, NULL, "it can only be written" }, { 0 },
};

/* The point's row, and whether the script may decide. */
struct hook {
	struct rt_netfilter	row;	/* first */
	int			guru;
};

static const struct family_variable *variables(const struct probe *probe)
{
	return ((const struct hook *)probe->row)->guru ? with_verdict : read_only;
}

static int is_number(const char *text, gint64 low, gint64 high, gint64 *number)
{
	char *end;

	errno = 0;
	*number = strtoll(text, &end, 0);
	return *text && !*end && !errno && *number >= low && *number <= high;
}

/* 0, or -1 after a message. */
static int take(struct family_call *call, const struct point_comp *comp, const struct named *names,
		int may_number, gint64 low, gint64 high, gint64 *number)
{
	GString *known;

	for (const struct named *n = names; n->name; n++)
		if (!strcmp(n->name, comp->string)) {
			*number = n->value;
			return 0;
		}
	if (may_number && is_number(comp->string, low, high, number))
		return 0;
	known = g_string_new(NULL);
	for (const struct named *n = names; n->name; n++)
		g_string_append_printf(known, "%s%s", known->len ? ", " : "", n->name);
	diag(call->diag, &comp->arg_loc, D_NETFILTER, comp->name, comp->string, known->str,
	     may_number ? " or a number" : "; with -g a number");
	g_string_free(known, TRUE);
	return -1;
}

static int take_priority(struct family_call *call, const struct point_comp *comp, gint64 *number)
{
	static const char six[] = "NF_IP6_PRI_";
	struct point_comp name = *comp;
	char *four = NULL;
	int rc;

	if (g_str_has_prefix(comp->string, six))
		name.string = four = g_strconcat("NF_IP_PRI_", comp->string + strlen(six), NULL);
	rc = take(call, &name, priorities, 1, INT_MIN, INT_MAX, number);
	g_free(four);
	return rc;
}

static void resolve(struct family_call *call)
{
	const struct probe_point *point = call->point;
	int reversed = !strcmp(point->comps[1].name, "pf");
	const struct point_comp *pf = &point->comps[reversed ? 1 : 2],
				*hook = &point->comps[reversed ? 2 : 1];
	struct hook *h = call->alloc(call, sizeof(*h));
	gint64 family, number, priority = 0;

	if (take(call, pf, protocols, call->guru, 0, 12, &family) ||
	    take(call, hook,
		 family == 3   ? arp_hooks
		 : family == 7 ? bridge_hooks
			       : inet_hooks,
		 call->guru, 0, 7, &number) ||
	    (point->ncomps > 3 && take_priority(call, &point->comps[3], &priority)))
		return;
	h->row.pf = (u8)family;
	h->row.hook = (u8)number;
	h->row.priority = (s32)priority;
	h->row.optional = point->optional || point->sufficient;
	h->guru = call->guru;
	family_add(call, h);
}

static void emit_row(GString *out, const struct probe *probe)
{
	const struct rt_netfilter *row = probe->row;

	g_string_append_printf(out, "{ &probes[%u], .pf = %u, .hook = %u, .priority = %lld",
			       probe->index, row->pf, row->hook, (long long)row->priority);
	if (row->optional)
		g_string_append(out, ", .optional = 1");
	g_string_append(out, " }");
}

const struct family family_netfilter = {
	.name		= "netfilter",
	.made_by_us	= 0,
	.patterns	= patterns,
	.resolve	= resolve,
	.row_type	= "struct rt_netfilter",
	.emit_row	= emit_row,
	.variables	= variables,
	.runtime	= "netfilter",
	.no_user	= "its hooks need a kernel module; add --target=vm to run it in a throw-away "
			  "guest, or --runtime=kernel on a machine that loads modules",
};
