/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * context.c - target variables and the other words that ask about the place
 * probed: $x, @cast, @var, @entry, @perf ...
 *
 * No family offers variables, so each is an error that names the probe point
 * and what to ask instead.  @defined is gone by now (pass fold).
 */
#include "translator/pass.h"

#include <string.h>

struct context {
	struct diag_sink *diag;
	const struct probe *probe;	/* NULL in a function */
};

static const struct need {
	const char *op, *needs;
} needs[] = {
	{ "@perf",	"a perf.type().config().process().counter() probe, which no family offers" },
	{ "@const",	"the kernel's constants; write the number" },
	{ "@enum",	"the kernel's types; write the number" },
	{ "@enumname",	"the kernel's types; compare with numbers" },
	{ "@kregister",	"a probe that gives registers; addr() and uaddr() give the address" },
	{ "@uregister",	"a probe that gives registers; addr() and uaddr() give the address" },
	{ "@kderef",	"memory access at the hit, which no runtime offers" },
	{ "@uderef",	"memory access at the hit, which no runtime offers" },
	{ NULL }
};

static void report_target(struct context *c, struct ast_node *n)
{
	diag(c->diag, &n->mark, D_TARGET_UNRESOLVED);
	if (c->probe)
		diag_hint(c->diag, "probe point '%s' has no target variables; pid(), execname(), addr() and pp() "
			  "say where it fired", c->probe->point);
	else
		diag_hint(c->diag, "a function has no target variables; pass the value as an argument");
}

static void report_atop(struct context *c, struct ast_node *n)
{
	const char *op = n->u.atop.op;

	if (!strcmp(op, "@entry") && !(c->probe && strstr(c->probe->point, ".return"))) {
		diag(c->diag, &n->mark, D_ENTRY_PLACE);
		return;
	}
	for (const struct need *need = needs; need->op; need++)
		if (!strcmp(need->op, op)) {
			diag(c->diag, &n->mark, D_ATOP_CONTEXT, op, need->needs);
			return;
		}
	diag(c->diag, &n->mark, D_ATOP_CONTEXT, op, "a value kept from the entry; keep it in an array by tid()");
}

static int visit(struct ast_node **slot, void *data)
{
	switch ((*slot)->kind) {
	case AST_TARGET:
		report_target(data, *slot);
		return 0;
	case AST_ATOP:
		report_atop(data, *slot);
		return 0;
	case AST_EMBED:
		diag(((struct context *)data)->diag, &(*slot)->mark, D_EMBED);
		return 0;
	case AST_REGEX:
		diag(((struct context *)data)->diag, &(*slot)->mark, D_REGEX, (*slot)->u.regex.op);
		diag_hint(((struct context *)data)->diag, "isinstr(text, \"part\") finds fixed text");
		return 0;
	default:
		return 1;
	}
}

void pass_context(struct program *prog)
{
	struct context c = { .diag = prog->ast->diag };

	for (unsigned i = 0; i < prog->functions->len; i++)
		ast_walk(&((struct function *)prog->functions->pdata[i])->node->u.function.body, visit, &c);
	for (unsigned i = 0; i < prog->probes->len; i++) {
		struct probe *p = prog->probes->pdata[i];

		c.probe = p;
		if (p->condition)
			ast_walk(&p->condition, visit, &c);
		ast_walk(&p->body, visit, &c);
	}
}
