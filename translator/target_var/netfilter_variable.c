/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * netfilter_variable.c - see netfilter_variable.h. The values that the runtime's hook provides, in
 * its order (runtime/kernel/family_netfilter.c), with types of the kernel's BTF.
 */
#include "translator/target_var/netfilter_variable.h"

#include "translator/debuginfo/btf.h"
#include "translator/target_var/location.h"

#include <string.h>

/*
 * In the runtime's order; member: of struct nf_hook_state, NULL: an argument or the result of the
 * hook.
 */
static const struct {
	const char *name, *member;
} variables[] = {
	{ "hooknum", "hook" }, { "skb", NULL },    { "in", "in" },
	{ "out", "out" },      { "okfn", "okfn" }, { "verdict", NULL },
};
#define VERDICT	(G_N_ELEMENTS(variables) - 1)

GPtrArray *netfilter_names(void)
{
	GPtrArray *names = g_ptr_array_new();

	for (unsigned i = 0; i < G_N_ELEMENTS(variables); i++)
		g_ptr_array_add(names, (void *)variables[i].name);
	return names;
}

static struct location not_here(struct lowering *l, const char *name)
{
	g_autoptr(GString) names = g_string_new(NULL);
	const char *why;

	for (unsigned i = 0; i < G_N_ELEMENTS(variables); i++)
		g_string_append_printf(names, " $%s", variables[i].name);
	why = ast_printf(l->prog->ast, "%s has no '$%s' (available:%s)", l->probe->point, name,
			 names->str);
	return location_fail(l, why);
}

/* 0: this kernel's BTF has no such hooks. */
static guint32 type_of(const struct lowering *l, unsigned variable)
{
	guint32 hook = btf_target(l->btf, btf_find(l->btf, "nf_hookfn", BTF_TYPEDEF));
	guint32 state = btf_find(l->btf, "nf_hook_state", BTF_STRUCT);
	struct btf_field field;

	if (variables[variable].member)
		return btf_member(l->btf, state, variables[variable].member, &field) ? field.type
										     : 0;
	if (variable == VERDICT)
		return btf_target(l->btf, hook);
	return btf_field(l->btf, hook, 1, &field) ? field.type : 0;
}

struct location netfilter_variable(struct lowering *l, const char *name)
{
	struct location p = { .where = IN_ARGUMENT };

	while (p.slot < G_N_ELEMENTS(variables) && strcmp(variables[p.slot].name, name))
		p.slot++;
	if (p.slot == G_N_ELEMENTS(variables))
		return not_here(l, name);
	p.type = type_of(l, p.slot);
	if (!p.type)
		return location_fail(l, "the kernel's BTF does not know the hooks of netfilter");
	if (p.slot == VERDICT)		/* its location, so that it can be written */
		return (struct location){ .where = IN_MEMORY,
					  .type = p.type,
					  .base = lower_word(l, p, 0) };
	return p;
}
