/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse_decl.c - declarations: globals, functions, the file, and going on after
 * an error.  Probes are in parse_probe.c.
 */
#include "parser/parse.h"

#include <string.h>

static void global(struct parser *p, struct ast_node *file, int private_)
{
	const struct token *t = parse_name(p);
	struct ast_node *n = parse_node(p, AST_GLOBAL, t->loc, t->loc);

	n->u.global.name = t->text;
	n->u.global.private_ = private_;
	n->u.global.wrap = parse_accept(p, "%");
	n->u.global.drop = !n->u.global.wrap && parse_accept(p, "?");
	if (parse_accept(p, "[")) {
		n->u.global.size = parse_integer(p, 1, INT32_MAX);
		parse_want(p, "]");
	}
	if (n->u.global.size && parse_at(p, "="))
		parse_fail(p, &parse_peek(p, 0)->loc, D_GLOBAL_INIT_ARRAY);
	if (parse_accept(p, "="))
		n->u.global.init = parse_literal(p);
	ast_append(p->ast, &file->u.list, parse_done(p, n));
}

static void globals(struct parser *p, struct ast_node *file, int private_)
{
	do {
		global(p, file, private_);
	} while (parse_accept(p, ","));
	parse_accept(p, ";");
}

static enum ast_type typed(struct parser *p)
{
	if (!parse_accept(p, ":"))
		return TYPE_UNKNOWN;
	if (parse_accept(p, "string"))
		return TYPE_STRING;
	if (parse_accept(p, "long"))
		return TYPE_LONG;
	parse_expected(p, "'string' or 'long'");
}

static void parameter(struct parser *p, struct ast_node *n)
{
	const struct token *t = parse_name(p);
	unsigned count = n->u.function.nparams;
	struct ast_param *all;

	for (unsigned i = 0; i < count; i++) {
		if (!strcmp(n->u.function.params[i].name, t->text))
			parse_fail(p, &t->loc, D_PARSE_PARAMETER);
	}
	all = ast_alloc(p->ast, (count + 1) * sizeof(*all));
	if (count)
		memcpy(all, n->u.function.params, count * sizeof(*all));
	all[count] = (struct ast_param){ .name = t->text, .type = typed(p), .loc = t->loc };
	n->u.function.params = all;
	n->u.function.nparams = count + 1;
}

static void function(struct parser *p, struct ast_node *file, int private_)
{
	const struct token *t = parse_peek(p, 0);
	struct ast_node *n = parse_node(p, AST_FUNCTION, parse_prev(p)->loc, t->loc);

	if (!parse_at(p, "string") && !parse_at(p, "long"))
		parse_name(p);
	else
		parse_take(p);
	n->u.function.name = t->text;
	n->u.function.private_ = private_;
	n->u.function.priority = -1;
	n->u.function.type = typed(p);
	parse_want(p, "(");
	while (!parse_at(p, ")")) {
		parameter(p, n);
		if (!parse_accept(p, ","))
			break;
	}
	parse_want(p, ")");
	if (parse_accept(p, ":"))
		n->u.function.priority = parse_integer(p, 1, INT64_MAX);
	p->in_function = 1;
	n->u.function.body = parse_peek(p, 0)->kind == TOKEN_EMBED ? parse_embed(p) : parse_block(p);
	p->in_function = 0;
	ast_append(p->ast, &file->u.list, parse_done(p, n));
}

static void declaration(struct parser *p, struct ast_node *file)
{
	int private_ = parse_accept(p, "private");

	if (parse_accept(p, "function"))
		function(p, file, private_);
	else if (parse_accept(p, "global") || private_)
		globals(p, file, private_);
	else if (parse_accept(p, "probe"))
		ast_append(p->ast, &file->u.list, parse_probe(p));
	else if (parse_peek(p, 0)->kind == TOKEN_EMBED)
		ast_append(p->ast, &file->u.list, parse_embed(p));
	else if (parse_at_statement(p))
		parse_statement(p, file);
	else
		parse_expected(p, "'probe', 'global', 'private', 'function', or '%{'");
}

/* Behind an error a word may be anything, but hardly so at the beginning of a line. */
static int begins_line(const struct token *t)
{
	guint at = t->loc.start;

	if (!t->loc.src)
		return 0;
	while (at && strchr(" \t", t->loc.src->text[at - 1]))
		at--;
	return !at || t->loc.src->text[at - 1] == '\n';
}

static int at_declaration(struct parser *p)
{
	if (p->at && token_is(parse_prev(p), "."))
		return 0;			/* kernel.function */
	if (parse_at_statement(p) && begins_line(parse_peek(p, 0)))
		return 1;
	return parse_at(p, "probe") || parse_at(p, "global") || parse_at(p, "private") || parse_at(p, "function") ||
		parse_peek(p, 0)->kind == TOKEN_EMBED;
}

/* At least one token goes, else the same error would come again. */
static void skip_to_declaration(struct parser *p, unsigned start)
{
	if (p->at == start)
		p->at++;
	while (parse_peek(p, 0)->kind != TOKEN_EOF && !at_declaration(p))
		p->at++;
}

void parse_file(struct parser *p, struct ast_node *file)
{
	while (parse_peek(p, 0)->kind != TOKEN_EOF) {
		volatile unsigned start = p->at;

		p->nest = 0;
		p->in_function = 0;
		if (!setjmp(p->recover))
			declaration(p, file);
		else
			skip_to_declaration(p, start);
	}
}
