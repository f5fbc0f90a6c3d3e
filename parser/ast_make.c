/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ast_make.c - constructors: common parts of nodes, lists, literals. */
#include "parser/ast_make.h"

#include "parser/ast_walk.h"
#include "parser/parse.h"
#include "parser/parse_message.h"
#include "parser/parser.h"
#include "parser/token.h"

#include <string.h>

struct ast_node *ast_begin(struct parser *p, enum ast_kind kind, struct loc start, struct loc mark)
{
	struct ast_node *n = ast_node_new(p->ast, kind, start);

	n->mark = mark;
	return n;
}

static void child_depth(struct ast_node **slot, void *data)
{
	unsigned *depth = data;

	*depth = MAX(*depth, (*slot)->depth + 1);
}

struct ast_node *ast_end(struct parser *p, struct ast_node *n, const struct extent *all)
{
	n->loc = loc_join(n->loc, all->last->loc);
	n->depth = 0;
	ast_children(n, child_depth, &n->depth);
	if (n->depth < AST_DEPTH_MAX)
		return n;
	if (!p->deep)
		parse_error(p, &n->mark, D_PARSE_DEPTH);
	p->deep = 1;
	return ast_node_new(p->ast, AST_EMPTY, n->loc);
}

int64_t ast_integer(struct parser *p, struct integer integer, int64_t low, int64_t high)
{
	uint64_t value = 0;
	int64_t number;
	int good = token_number(integer.token, &value) && (!integer.minus ||
							   value <= (uint64_t)INT64_MAX + 1);

	number = integer.minus ? (int64_t)(0 - value) : (int64_t)value;
	if (good && number >= low && number <= high)
		return number;
	parse_error(p, &integer.token->loc, D_LEX_NUMBER);
	return low;
}

struct ast_list *ast_make_list(struct parser *p, struct ast_list *list, struct ast_node *node)
{
	if (!list)
		list = ast_alloc(p->ast, sizeof(*list));
	ast_append(p->ast, list, node);
	return list;
}

struct ast_list *ast_make_list_after(struct parser *p, struct ast_node *first,
				     struct ast_list *list)
{
	ast_append(p->ast, list, NULL);
	memmove(list->at + 1, list->at, (list->n - 1) * sizeof(*list->at));
	list->at[0] = first;
	return list;
}

static struct ast_node *number(struct parser *p, const struct extent *all,
			       struct integer integer, int64_t low)
{
	struct ast_node *n = ast_begin(p, AST_NUMBER, all->first->loc, all->first->loc);

	n->u.number.value = ast_integer(p, integer, low, INT64_MAX);
	return ast_end(p, n, all);
}

struct ast_node *ast_make_integer(struct parser *p, const struct extent *all,
				  struct integer integer)
{
	return number(p, all, integer, INT64_MIN);
}

struct ast_node *ast_make_count(struct parser *p, const struct extent *all, struct integer integer)
{
	return number(p, all, integer, 0);
}

struct text *ast_make_text(struct parser *p, struct text *text, const struct token *token)
{
	size_t len = strlen(token->text);

	if (!text) {
		text = ast_alloc(p->ast, sizeof(*text));
		text->at = token->text;
		text->len = len;
		return text;
	}
	if (text->len + len >= text->room) {
		text->room = 2 * (text->len + len) + 1;
		text->own = ast_alloc(p->ast, text->room);
		memcpy(text->own, text->at, text->len);
		text->at = text->own;
	}
	memcpy(text->own + text->len, token->text, len + 1);
	text->len += len;
	return text;
}

struct ast_node *ast_make_string(struct parser *p, const struct extent *all,
				 const struct text *text)
{
	struct ast_node *n = ast_begin(p, AST_STRING, all->first->loc, all->first->loc);

	n->u.string.text = text->at;
	return ast_end(p, n, all);
}

struct ast_node *ast_make_embed(struct parser *p, const struct token *token)
{
	struct ast_node *n = ast_begin(p, AST_EMBED, token->loc, token->loc);

	if (!p->env->guru && !p->env->is_tapset)
		parse_error(p, &token->loc, D_PARSE_GURU);
	if (strstr(token->text, "}%"))
		diag(p->ast->diag, &token->loc, D_EMBED_CLOSE);
	n->u.embed.text = token->text;
	return n;
}
