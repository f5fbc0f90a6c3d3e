/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ast_make_decl.c - constructors of globals and functions, and the addition of declarations to
 * their file.
 */
#include "parser/ast_make_decl.h"

#include "parser/ast_make.h"
#include "parser/parse_message.h"
#include "parser/parser.h"
#include "parser/token.h"

#include <string.h>

void ast_make_declaration(struct parser *p, struct ast_node *n)
{
	p->deep = 0;
	ast_append(p->ast, &p->file->u.list, n);
}

void ast_make_private(struct parser *p, struct ast_node *function)
{
	function->u.function.private_ = 1;
	ast_make_declaration(p, function);
}

struct ast_node *ast_make_global(struct parser *p, const struct extent *all,
				 const struct token *name, const struct token *when_full,
				 struct integer size, const struct token *equals,
				 struct ast_node *init)
{
	struct ast_node *n = ast_begin(p, AST_GLOBAL, name->loc, name->loc);

	n->u.global.name = name->text;
	n->u.global.wrap = when_full && *when_full->text == '%';
	n->u.global.drop = when_full && *when_full->text == '?';
	if (size.token)
		n->u.global.size = ast_integer(p, size, 1, INT32_MAX);
	if (size.token && equals)
		parse_error(p, &equals->loc, D_GLOBAL_INIT_ARRAY);
	n->u.global.init = init;
	return ast_end(p, n, all);
}

/* A file has a name once, with private or without. */
static void check_global(struct parser *p, const struct ast_node *n)
{
	const struct ast_list *all = &p->file->u.list;

	for (unsigned i = 0; i < all->n; i++)
		if (all->at[i]->kind == AST_GLOBAL &&
		    !strcmp(all->at[i]->u.global.name, n->u.global.name)) {
			parse_error(p, &n->mark,
				    all->at[i]->u.global.private_ == n->u.global.private_
					    ? D_PARSE_GLOBAL
					    : D_GLOBAL_PRIVATE);
			return;
		}
}

void ast_make_globals(struct parser *p, struct ast_list *variables, int private_)
{
	for (unsigned i = 0; i < variables->n; i++) {
		variables->at[i]->u.global.private_ = private_;
		check_global(p, variables->at[i]);
		ast_make_declaration(p, variables->at[i]);
	}
}

struct params *ast_make_param(struct parser *p, struct params *params, const struct token *name,
			      enum ast_type type)
{
	if (!params)
		params = ast_alloc(p->ast, sizeof(*params));
	for (unsigned i = 0; i < params->n; i++) {
		if (strcmp(params->at[i].name, name->text))
			continue;
		parse_error(p, &name->loc, D_PARSE_PARAMETER);
		return params;
	}
	if (params->n == params->room) {
		struct ast_param *at = params->at;

		params->room = params->room ? 2 * params->room : 4;
		params->at = ast_alloc(p->ast, params->room * sizeof(*at));
		if (params->n)
			memcpy(params->at, at, params->n * sizeof(*at));
	}
	params->at[params->n++] = (struct ast_param){ name->text, type, name->loc };
	return params;
}

struct ast_node *ast_make_function_head(struct parser *p, const struct token *word,
					const struct token *name, enum ast_type type,
					struct params *params, struct integer priority)
{
	struct ast_node *n = ast_begin(p, AST_FUNCTION, word->loc, name->loc);

	n->u.function.name = name->text;
	n->u.function.type = type;
	n->u.function.params = params ? params->at : NULL;
	n->u.function.nparams = params ? params->n : 0;
	n->u.function.priority = priority.token ? ast_integer(p, priority, 1, INT64_MAX) : -1;
	p->in_function = 1;
	return n;
}

struct ast_node *ast_make_function(struct parser *p, const struct extent *all,
				   struct ast_node *function, struct ast_node *body)
{
	p->in_function = 0;
	function->u.function.body = body;
	return ast_end(p, function, all);
}
