/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exectrace.c - -D STP_EXECTRACE: each statement is printed before it is executed, among the
 * script's output, for an author who does not see which way the script goes.
 *
 * In and out: typed bodies of probes and functions.
 */
#include "parser/ast_print.h"
#include "parser/ast_walk.h"
#include "translator/passes/pass.h"

/* println("# operator '=' at x.stp:3:5") */
static struct ast_node *message(struct ast *ast, const struct ast_node *about)
{
	struct ast_node *statement = ast_node_new(ast, AST_EXPR, about->loc),
			*print = ast_node_new(ast, AST_PRINT, about->loc),
			*text = ast_node_new(ast, AST_STRING, about->loc);
	char *what = about->kind < AST_BLOCK ? ast_describe(about)
					     : g_strdup(ast_kind_word(about->kind)),
	     *where = loc_string(&about->mark), *line = g_strdup_printf("# %s at %s", what, where),
	     *escaped = g_strescape(line, NULL);

	text->type = TYPE_STRING;
	text->u.string.text = ast_strdup(ast, escaped);
	print->u.print.name = "println";
	ast_append(ast, &print->u.print.args, text);
	statement->u.expr.expr = print;
	g_free(escaped);
	g_free(line);
	g_free(where);
	g_free(what);
	return statement;
}

static void visit(struct ast_node **slot, void *data)
{
	struct ast *ast = data;
	struct ast_node *n = *slot, *block;

	if (n->kind < AST_BLOCK)
		return;		/* an expression */
	ast_children(n, visit, ast);
	if (n->kind == AST_BLOCK || n->kind == AST_EMPTY)
		return;
	block = ast_node_new(ast, AST_BLOCK, n->loc);
	ast_append(ast, &block->u.list, message(ast, n->kind == AST_EXPR ? n->u.expr.expr : n));
	ast_append(ast, &block->u.list, n);
	*slot = block;
}

void pass_exectrace(struct program *prog)
{
	if (!options_define(prog->opt, "STP_EXECTRACE", 0))
		return;
	for (unsigned i = 0; i < prog->functions->len; i++)
		visit(&((struct function *)prog->functions->pdata[i])->node->u.function.body,
		      prog->ast);
	for (unsigned i = 0; i < prog->probes->len; i++)
		visit(&((struct probe *)prog->probes->pdata[i])->body, prog->ast);
}
