/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *   netfilter.hook("HOOK").pf("FAMILY") netfilter.pf("FAMILY").hook("HOOK") both also
 *   .priority("PRIORITY")
 *
 * Each packet at a netfilter hook, in every network namespace. Names are those of the kernel's
 * headers; numbers need -g, except for priorities. Needs no debug information, but the variables
 * are typed by BTF. Context: mostly softirq; $verdict decides the packet's fate.
 */
#include "translator/families/family.h"
#include "translator/families/shared.h"
#include "translator/program/program.h"

#include <errno.h>
#include <string.h>

struct named {
	const char *name;
	gint64 value;
};

static const struct named protocols[] = {
	{ "NFPROTO_IPV4", 2 },
	{ "NFPROTO_ARP", 3 },
	{ "NFPROTO_BRIDGE", 7 },
	{ "NFPROTO_IPV6", 10 },
	{ 0 },
};

#define IP_HOOKS(prefix) \
	{ prefix "PRE_ROUTING", 0 }, { prefix "LOCAL_IN", 1 }, { prefix "FORWARD", 2 }, { prefix "LOCAL_OUT", 3 }, \
	{ prefix "POST_ROUTING", 4 }

static const struct named of_ipv4[] = { IP_HOOKS("NF_INET_"), IP_HOOKS("NF_IP_"), { 0 } };
static const struct named of_ipv6[] = { IP_HOOKS("NF_INET_"), IP_HOOKS("NF_IP6_"), { 0 } };
static const struct named of_arp[] = {
	{ "NF_ARP_IN", 0 }, { "NF_ARP_OUT", 1 }, { "NF_ARP_FORWARD", 2 }, { 0 }
};
static const struct named of_bridge[] = { IP_HOOKS("NF_BR_"), { "NF_BR_BROUTING", 5 }, { 0 } };

#define IP_PRIORITIES(prefix) \
	{ prefix "FIRST", G_MININT32 }, { prefix "RAW_BEFORE_DEFRAG", -450 }, { prefix "CONNTRACK_DEFRAG", -400 }, \
	{ prefix "RAW", -300 }, { prefix "SELINUX_FIRST", -225 }, { prefix "CONNTRACK", -200 }, { prefix "MANGLE", -150 }, \
	{ prefix "NAT_DST", -100 }, { prefix "FILTER", 0 }, { prefix "SECURITY", 50 }, { prefix "NAT_SRC", 100 }, \
	{ prefix "SELINUX_LAST", 225 }, { prefix "CONNTRACK_HELPER", 300 }, { prefix "CONNTRACK_CONFIRM", G_MAXINT32 }, \
	{ prefix "LAST", G_MAXINT32 }

static const struct named ipv4_priorities[] = { IP_PRIORITIES("NF_IP_PRI_"), { 0 } };
static const struct named ipv6_priorities[] = { IP_PRIORITIES("NF_IP6_PRI_"), { 0 } };
static const struct named no_priorities[] = { { 0 } };

static const struct protocol {
	gint64 number;
	const struct named *hooks, *priorities;
	gint64 last_hook;
} families_of_protocols[] = {
	{ 2, of_ipv4, ipv4_priorities, 4 },
	{ 3, of_arp, no_priorities, 2 },
	{ 7, of_bridge, no_priorities, 5 },
	{ 10, of_ipv6, ipv6_priorities, 4 },
};

static const struct family_pattern patterns[] = {
	{ "netfilter.hook(s).pf(s)", 0, 0 },
	{ "netfilter.pf(s).hook(s)", 0, 0 },
	{ "netfilter.hook(s).pf(s).priority(s)", 0, 0 },
	{ "netfilter.pf(s).hook(s).priority(s)", 0, 0 },
	{ 0 },
};

static int number_in(const char *text, gint64 *value)
{
	char *end;

	errno = 0;
	*value = g_ascii_strtoll(text, &end, 0);
	return !errno && end != text && !*end;
}

/* -1: reported. */
static int unknown(struct family_call *call, const struct point_comp *comp,
		   const struct named *names)
{
	g_autoptr(GString) text = g_string_new(NULL);

	g_string_printf(text, "netfilter has no %s '%s'%s", comp->name, comp->string, names->name
			? ": there are" : ": use a number");
	for (; names->name; names++)
		g_string_append_printf(text, " %s", names->name);
	diag(call->diag, &comp->arg_loc, D_POINT_VALUE, text->str);
	return -1;
}

/* The value of comp: by name, or by number if allowed. 0, or -1 and reported. */
static int value_of(struct family_call *call, const struct point_comp *comp,
		    const struct named *names, int numbers, gint64 *value)
{
	for (const struct named *n = names; n->name; n++)
		if (!strcmp(n->name, comp->string)) {
			*value = n->value;
			return 0;
		}
	return numbers && number_in(comp->string, value) ? 0 : unknown(call, comp, names);
}

static int out_of_range(struct family_call *call, const struct point_comp *comp)
{
	diag(call->diag, &comp->arg_loc, D_POINT_VALUE, "netfilter has no such number");
	return -1;
}

static int fill(struct family_call *call, struct rt_netfilter *row)
{
	const struct point_comp *pf = family_comp(call->point, "pf"),
				*hook = family_comp(call->point, "hook");
	const struct point_comp *at = family_comp(call->point, "priority");
	const struct protocol *protocol = NULL;
	gint64 number, place, priority = 0;

	if (value_of(call, pf, protocols, call->guru, &number))
		return -1;
	for (unsigned i = 0; i < G_N_ELEMENTS(families_of_protocols); i++)
		if (families_of_protocols[i].number == number)
			protocol = &families_of_protocols[i];
	if (!protocol)
		return out_of_range(call, pf);
	if (value_of(call, hook, protocol->hooks, call->guru, &place))
		return -1;
	if (place < 0 || place > protocol->last_hook)
		return out_of_range(call, hook);
	if (at && value_of(call, at, protocol->priorities, 1, &priority))
		return -1;
	if (priority < G_MININT32 || priority > G_MAXINT32)
		return out_of_range(call, at);
	row->protocol = (u8)number;
	row->hook = (u8)place;
	row->priority = (s32)priority;
	row->optional = call->point->optional || call->point->sufficient;
	return 0;
}

static void resolve(struct family_call *call)
{
	struct rt_netfilter *row = call->alloc(call, sizeof(*row));

	if (!fill(call, row))
		family_add(call, row);
}

static void emit_row(GString *out, const struct probe *probe)
{
	const struct rt_netfilter *row = probe->row;

	g_string_append_printf(out, "{ &probes[%u], %u, %u, %s%d", probe->index, row->protocol,
			       row->hook, row->priority == G_MININT32 ? "-1 + " : "",
			       row->priority == G_MININT32 ? row->priority + 1 : row->priority);
	if (row->optional)
		g_string_append(out, ", .optional = 1");
	g_string_append(out, " }");
}

const struct family family_netfilter = {
	.name = "netfilter",
	.row = ROW_NETFILTER,
	.patterns = patterns,
	.resolve = resolve,
	.row_type = "struct rt_netfilter",
	.emit_row = emit_row,
	.runtime = "netfilter",
	.no_user = "it needs a kernel module; add --target=vm to run it in a throw-away guest, "
		   "or --runtime=kernel on a machine that loads modules",
};
