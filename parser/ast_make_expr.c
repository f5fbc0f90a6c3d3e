/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ast_make_expr.c - constructors of operators, and of target variables with their suffixes.
 */
#include "parser/ast_make_expr.h"

#include "parser/ast_make.h"
#include "parser/parse_message.h"
#include "parser/parser.h"
#include "parser/token.h"

#include <string.h>

static struct ast_node *two_operands(struct parser *p, enum ast_kind kind, struct ast_node *left,
				     const struct token *op, struct ast_node *right)
{
	struct ast_node *n = ast_begin(p, kind, left->loc, op->loc);

	n->u.binary.op = op->text;
	n->u.binary.left = left;
	n->u.binary.right = right;
	return n;
}

struct ast_node *ast_make_binary(struct parser *p, const struct extent *all, struct ast_node *left,
				 const struct token *op, struct ast_node *right)
{
	return ast_end(p, two_operands(p, AST_BINARY, left, op, right), all);
}

struct ast_node *ast_make_assignment(struct parser *p, const struct extent *all,
				     struct ast_node *left, const struct token *op,
				     struct ast_node *right)
{
	return ast_end(p, two_operands(p, AST_ASSIGN, left, op, right), all);
}

struct ast_node *ast_make_regex(struct parser *p, const struct extent *all, struct ast_node *left,
				const struct token *op, const struct ast_node *pattern)
{
	struct ast_node *n = ast_begin(p, AST_REGEX, left->loc, op->loc);

	n->u.regex.op = op->text;
	n->u.regex.left = left;
	n->u.regex.pattern = pattern->u.string.text;
	return ast_end(p, n, all);
}

struct ast_node *ast_make_ternary(struct parser *p, const struct extent *all,
				  struct ast_node *condition, const struct token *op,
				  struct ast_node *yes, struct ast_node *no)
{
	struct ast_node *n = ast_begin(p, AST_TERNARY, condition->loc, op->loc);

	n->u.ternary.cond = condition;
	n->u.ternary.yes = yes;
	n->u.ternary.no = no;
	return ast_end(p, n, all);
}

struct ast_node *ast_make_in(struct parser *p, const struct extent *all,
			     const struct ast_list *keys, const struct token *word,
			     struct ast_node *array)
{
	struct ast_node *n = ast_begin(p, AST_IN, all->first->loc, word->loc);

	n->u.in.keys = *keys;
	n->u.in.array = array;
	return ast_end(p, n, all);
}

struct ast_node *ast_make_concatenated(struct parser *p, struct ast_node *left,
				       const struct token *op, struct ast_node *right)
{
	struct ast_node *n = ast_begin(p, AST_CONCAT, left->loc, op->loc);

	ast_append(p->ast, &n->u.list, left);
	ast_append(p->ast, &n->u.list, right);
	return n;
}

struct ast_node *ast_make_concatenated_more(struct parser *p, struct ast_node *n,
					    struct ast_node *right)
{
	ast_append(p->ast, &n->u.list, right);
	return n;
}

struct ast_node *ast_make_concatenation(struct parser *p, const struct extent *all,
					struct ast_node *n)
{
	return ast_end(p, n, all);
}

struct ast_node *ast_make_unary(struct parser *p, const struct extent *all, const struct token *op,
				struct ast_node *operand)
{
	struct ast_node *n = ast_begin(p, AST_UNARY, op->loc, op->loc);

	n->u.unary.op = op->text;
	n->u.unary.operand = operand;
	return ast_end(p, n, all);
}

struct ast_node *ast_make_crement(struct parser *p, const struct extent *all,
				  const struct token *op, struct ast_node *operand, int prefix)
{
	struct ast_node *n = ast_begin(p, AST_CREMENT, prefix ? op->loc : operand->loc, op->loc);

	n->u.crement.op = op->text;
	n->u.crement.operand = operand;
	n->u.crement.prefix = prefix;
	return ast_end(p, n, all);
}

struct ast_node *ast_make_address(struct parser *p, const struct extent *all,
				  const struct token *op, struct ast_node *n)
{
	if (n->kind != AST_TARGET) {
		parse_error(p, &op->loc, D_PARSE_ADDRESS);
		return n;
	}
	n->u.target.address_of = 1;
	if (n->u.target.form != TARGET_AUTOCAST)
		n->loc = loc_join(op->loc, all->last->loc);
	return n;
}

static void add_suffix(struct parser *p, struct ast_node *n, struct ast_suffix suffix)
{
	unsigned count = n->u.target.nsuffixes;
	struct ast_suffix *all;

	/* room doubles at powers of two */
	if (!(count & (count - 1))) {
		all = ast_alloc(p->ast, MAX(1, 2 * count) * sizeof(*all));
		if (count)
			memcpy(all, n->u.target.suffixes, count * sizeof(*all));
		n->u.target.suffixes = all;
	}
	n->u.target.suffixes[n->u.target.nsuffixes++] = suffix;
}

/* Cuts a trailing $ or $$ off a word; returns it, or NULL. */
static const char *cut_pretty(struct parser *p, const struct token *token, const char **word)
{
	size_t len = strlen(*word), keep = len;

	while (keep && (*word)[keep - 1] == '$' && len - keep < 2)
		keep--;
	if (keep == len || strspn(*word, "$") >= keep)
		return NULL;
	/* a third $ would mark the marked name */
	if ((*word)[keep - 1] == '$')
		parse_error(p, &token->loc, D_PARSE_EXPECTED, "at most '$$' after a name");
	*word = ast_printf(p->ast, "%.*s", (int)keep, *word);
	return len - keep == 2 ? "$$" : "$";
}

/* A target variable ends with at most one mark, after the name or alone. */
static void add_pretty(struct parser *p, struct ast_node *n, const char *mark,
		       const struct token *token)
{
	add_suffix(p, n, (struct ast_suffix){ .kind = SUFFIX_PRETTY, .member = mark,
					      .loc = token->loc });
}

struct ast_node *ast_make_pretty(struct parser *p, struct ast_node *target,
				 const struct token *mark)
{
	add_pretty(p, target, mark->text, mark);
	return target;
}

struct ast_node *ast_make_member(struct parser *p, struct ast_node *target,
				 const struct token *name)
{
	const char *word = name->text, *mark;

	if (!strcmp(word, "$") || !strcmp(word, "$$"))
		return ast_make_pretty(p, target, name);
	mark = cut_pretty(p, name, &word);
	add_suffix(p, target, (struct ast_suffix){ .kind = SUFFIX_MEMBER, .member = word,
						   .loc = name->loc });
	if (mark)
		add_pretty(p, target, mark, name);
	return target;
}

struct ast_node *ast_make_element(struct parser *p, struct ast_node *target,
				  const struct token *bracket, struct ast_node *index)
{
	add_suffix(p, target, (struct ast_suffix){ .kind = SUFFIX_INDEX, .index = index,
						   .loc = bracket->loc });
	return target;
}

struct ast_node *ast_make_target(struct parser *p, const struct extent *all, struct ast_node *n)
{
	return ast_end(p, n, all);
}

struct ast_node *ast_make_dollar(struct parser *p, const struct token *name)
{
	struct ast_node *n = ast_begin(p, AST_TARGET, name->loc, name->loc);
	const char *word = name->text, *mark = cut_pretty(p, name, &word);

	n->u.target.form = TARGET_DOLLAR;
	n->u.target.name = word;
	if (mark)
		add_pretty(p, n, mark, name);
	return n;
}

struct ast_node *ast_make_cast(struct parser *p, const struct token *word,
			       struct ast_node *operand, const struct ast_node *type,
			       const struct ast_node *module)
{
	struct ast_node *n = ast_begin(p, AST_TARGET, word->loc, word->loc);

	n->u.target.form = TARGET_CAST;
	n->u.target.operand = operand;
	n->u.target.type_name = type->u.string.text;
	n->u.target.module = module ? module->u.string.text : NULL;
	return n;
}

struct ast_node *ast_make_var(struct parser *p, const struct token *word,
			      const struct ast_node *name, const struct ast_node *module)
{
	struct ast_node *n = ast_begin(p, AST_TARGET, word->loc, word->loc);

	n->u.target.form = TARGET_VAR;
	n->u.target.name = name->u.string.text;
	n->u.target.module = module ? module->u.string.text : NULL;
	return n;
}

/* True for a target variable that can be continued: ($x->y)->z is $x->y->z. */
static int is_place(const struct ast_node *n)
{
	const struct ast_suffix *last;

	if (n->kind != AST_TARGET || n->u.target.address_of)
		return 0;
	last = n->u.target.nsuffixes ? &n->u.target.suffixes[n->u.target.nsuffixes - 1] : NULL;
	return !last || last->kind != SUFFIX_PRETTY;
}

struct ast_node *ast_make_autocast(struct parser *p, struct ast_node *value)
{
	struct ast_node *n;

	if (is_place(value))
		return value;
	n = ast_begin(p, AST_TARGET, value->loc, value->mark);
	n->u.target.form = TARGET_AUTOCAST;
	n->u.target.operand = value;
	return n;
}
