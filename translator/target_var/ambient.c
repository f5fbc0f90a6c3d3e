/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ambient.c - see ambient.h. A variable of the probed function with the same name takes precedence
 * (variable.c).
 */
#include "translator/target_var/ambient.h"

#include "translator/program/builtins.h"

#include <string.h>

static const struct ambient {
	const char *name, *member;	/* a struct with members, one row each; NULL: none */
	const char *call;		/* a builtin without arguments, or register */
	const char *x86_64, *arm64;	/* the register's names */
} ambients[] = {
	{ "$timestamp",	NULL,	"ktime_get_ns" },
	{ "$pid_name",	NULL,	"execname" },
	{ "$current",	"pid",	"pid" },
	{ "$current",	"tgid",	"pid" },
	{ "$current",	"tid",	"tid" },
	{ "$current",	"comm",	"execname" },
	{ "$pt_regs",	"ip",	"addr" },
	{ "$pt_regs",	"eip",	"addr" },
	{ "$pt_regs",	"rip",	"addr" },
	{ "$pt_regs",	"pc",	"addr" },
	{ "$pt_regs",	"sp",	"register", "rsp", "sp" },
	{ "$pt_regs",	"esp",	"register", "rsp", "sp" },
	{ "$pt_regs",	"rsp",	"register", "rsp", "sp" },
	{ NULL }
};

static const struct ambient *find(const struct ast_node *target)
{
	const char *name = target->u.target.name, *member = NULL;

	if (target->u.target.form != TARGET_DOLLAR || target->u.target.address_of ||
	    target->u.target.nsuffixes > 1)
		return NULL;
	if (target->u.target.nsuffixes && target->u.target.suffixes[0].kind != SUFFIX_MEMBER)
		return NULL;
	if (target->u.target.nsuffixes)
		member = target->u.target.suffixes[0].member;
	if (!strcmp(name, "$ptregs"))
		name = "$pt_regs";
	for (const struct ambient *a = ambients; a->name; a++)
		if (!strcmp(a->name, name) && !g_strcmp0(a->member, member))
			return a;
	return NULL;
}

int ambient_has(const struct ast_node *target)
{
	return find(target) != NULL;
}

struct ast_node *ambient_lower(struct program *prog, const struct ast_node *target)
{
	const struct ambient *a = find(target);
	struct ast_node *call, *text;

	if (!a)
		return NULL;
	call = ast_node_new(prog->ast, AST_CALL, target->loc);
	call->mark = target->mark;
	call->u.call.builtin = builtin_find(a->call, a->x86_64 ? 1 : 0);
	call->u.call.name = call->u.call.builtin->name;
	if (a->x86_64) {
		text = ast_node_new(prog->ast, AST_STRING, target->loc);
		text->mark = target->mark;
		text->u.string.text = !g_strcmp0(prog->arch, "arm64") ? a->arm64 : a->x86_64;
		ast_append(prog->ast, &call->u.call.args, text);
	}
	return call;
}
