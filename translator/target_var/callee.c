/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * callee.c - see callee.h. The return addresses on the stack of a hit are compared with those of
 * the calls, frame by frame, from the innermost outwards.
 */
#include "translator/target_var/callee.h"

#include "translator/debuginfo/dwarf.h"
#include "translator/families/shared.h"
#include "translator/families/user_site.h"
#include "translator/program/options.h"
#include "translator/target_var/location.h"
#include "translator/target_var/user_variable.h"
#include "translator/target_var/variable.h"

#include <string.h>

static const struct builtin called = {
	"called", TYPE_LONG, "ll", "rt_called", CTX, RT_CAP_STACK, ""
};
/* The user runtime has no kernel addresses, only symbol names. */
static const struct builtin called_by_name = { "called",    TYPE_LONG, "ll",
					       "rt_called", CTX,       RT_CAP_STACK | RT_CAP_KSYMS,
					       "" };

static struct ast_node *one_of(struct lowering *l, const GArray *returns, const char *module,
			       unsigned depth)
{
	const struct builtin *b = l->prog->opt->runtime == RUNTIME_USER ? &called_by_name : &called;
	struct ast_node *any = NULL;

	for (guint i = 0; i < returns->len; i++) {
		const struct dwarf_return *r = &g_array_index(returns, struct dwarf_return, i);
		gint64 symbol = program_symbol(l->prog, r->symbol, module, (gint64)r->offset);
		struct ast_node *is =
			lower_call(l, b, lower_number(l, depth), lower_number(l, symbol), NULL);

		any = any ? lower_binary(l, any, "||", is) : is;
	}
	return any;
}

/*
 * For a program: the return address of the last call, on top of the stack or in the link register;
 * at a return the program counter.
 */
static struct ast_node *user_caller(struct lowering *l)
{
	int arm64 = !strcmp(l->prog->arch, "arm64"), is_return = family_is_return(l->probe);
	struct location at = { .where = IN_REGISTER,
			       .slot = arm64 ? (is_return ? 32 : 30)
				       : is_return ? 16
				       : 7 };
	struct ast_node *value = lower_word(l, at, 0);

	return arm64 || is_return ? value : lower_load(l, value, 8);
}

static struct ast_node *user_called_by(struct lowering *l, const GArray *returns)
{
	struct ast_node *any = NULL;

	l->user = 1;
	for (guint i = 0; i < returns->len; i++) {
		const struct dwarf_return *r = &g_array_index(returns, struct dwarf_return, i);
		struct ast_node *is =
			lower_binary(l, user_caller(l), "==", lower_user_address(l, r->linked));

		any = any ? lower_binary(l, any, "||", is) : is;
	}
	return any;
}

static struct ast_node *called_by(struct lowering *l)
{
	const struct rt_function *row = l->probe->row;
	struct ast_node *all = NULL;
	unsigned depth = row->is_return ? 0 : 1;	/* at a return, the return address is
							 * the stack's first */

	for (const struct dwarf_frame *f = l->probe->place->frame; f; f = f->above) {
		struct ast_node *here = one_of(l, f->returns, row->module, depth++);

		all = all ? lower_binary(l, all, "&&", here) : here;
	}
	return all;
}

void callee_guard(struct program *prog, struct probe *p)
{
	struct ast_node *body = ast_node_new(prog->ast, AST_BLOCK, p->loc),
			*test = ast_node_new(prog->ast, AST_IF, p->loc);
	struct lowering l = { .prog = prog, .probe = p, .node = p->body, .text = "callee" };

	test->mark = p->loc;
	test->u.cond.cond = ast_node_new(prog->ast, AST_UNARY, p->loc);
	test->u.cond.cond->u.unary.op = "!";
	test->u.cond.cond->u.unary.operand =
		user_site_of(p) ? user_called_by(&l, p->place->frame->returns) : called_by(&l);
	test->u.cond.yes = ast_node_new(prog->ast, AST_NEXT, p->loc);
	ast_append(prog->ast, &body->u.list, test);
	ast_append(prog->ast, &body->u.list, p->body);
	p->body = body;
}
