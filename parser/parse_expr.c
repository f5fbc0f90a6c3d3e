/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse_expr.c - expressions: operators by precedence, target variables' suffixes.
 *
 * A table of binary levels stands for the grammar's ladder; what differs from
 * C is there: one level for all comparisons, `.` above shifts, `in` below
 * comparison.  Values without suffixes are in parse_value.c.
 */
#include "parser/parse.h"

#include <string.h>

static struct ast_node *unary(struct parser *p);

/* Binary operators from loose to tight; `in` and `.` have code of their own. */
static const struct {
	const char *ops[7];
} levels[] = {
	{ { "||" } },
	{ { "&&" } },
	{ { "|" } },
	{ { "^" } },
	{ { "&" } },
	{ { "in" } },
	{ { "<", ">", "<=", ">=", "==", "!=" } },
	{ { "<<", ">>", ">>>" } },
	{ { "." } },
	{ { "+", "-" } },
	{ { "*", "/", "%" } },
};

enum { LEVEL_IN = 5, LEVEL_COMPARE = 6, LEVEL_CONCAT = 8 };

/* The level's operator that stands here, interned, or NULL. */
static const char *operator_here(struct parser *p, unsigned level)
{
	for (size_t i = 0; i < G_N_ELEMENTS(levels[level].ops) && levels[level].ops[i]; i++) {
		if (parse_at(p, levels[level].ops[i]))
			return g_intern_string(levels[level].ops[i]);
	}
	return NULL;
}

static struct ast_node *binary(struct parser *p, unsigned level);

void parse_keys(struct parser *p, struct ast_list *keys)
{
	do {
		if (parse_accept(p, "*"))
			ast_append(p->ast, keys, NULL);
		else
			ast_append(p->ast, keys, parse_expr(p));
	} while (parse_accept(p, ","));
	parse_want(p, "]");
}

/* [a, b] in array, x in array; [x] alone is x. */
static struct ast_node *membership(struct parser *p)
{
	struct loc start = parse_peek(p, 0)->loc;
	struct ast_list keys = { 0 };
	struct ast_node *n;

	if (parse_accept(p, "["))
		parse_keys(p, &keys);
	else
		ast_append(p->ast, &keys, binary(p, LEVEL_COMPARE));
	if (!parse_at(p, "in")) {
		if (keys.n != 1 || !keys.at[0])
			parse_expected(p, "'in'");
		return keys.at[0];
	}
	n = parse_node(p, AST_IN, start, parse_take(p)->loc);
	n->u.in.keys = keys;
	n->u.in.array = parse_base(p);
	return parse_done(p, n);
}

static struct ast_node *regex(struct parser *p, struct ast_node *left)
{
	struct ast_node *n = parse_node(p, AST_REGEX, left->loc, parse_peek(p, 0)->loc);

	n->u.regex.op = g_intern_string(parse_take(p)->text);
	n->u.regex.left = left;
	n->u.regex.pattern = parse_string(p)->u.string.text;
	return parse_done(p, n);
}

static struct ast_node *concat(struct parser *p)
{
	struct ast_node *left = binary(p, LEVEL_CONCAT + 1), *n;

	if (!parse_at(p, "."))
		return left;
	n = parse_node(p, AST_CONCAT, left->loc, parse_peek(p, 0)->loc);
	ast_append(p->ast, &n->u.list, left);
	while (parse_accept(p, "."))
		ast_append(p->ast, &n->u.list, binary(p, LEVEL_CONCAT + 1));
	return parse_done(p, n);
}

static struct ast_node *binary(struct parser *p, unsigned level)
{
	struct ast_node *left, *n;
	const char *op;

	if (level == G_N_ELEMENTS(levels))
		return unary(p);
	if (level == LEVEL_IN)
		return membership(p);
	if (level == LEVEL_CONCAT)
		return concat(p);
	left = binary(p, level + 1);
	if (level == LEVEL_COMPARE && (parse_at(p, "=~") || parse_at(p, "!~")))
		return regex(p, left);
	while ((op = operator_here(p, level))) {
		n = parse_node(p, AST_BINARY, left->loc, parse_take(p)->loc);
		n->u.binary.op = op;
		n->u.binary.left = left;
		n->u.binary.right = binary(p, level + 1);
		left = parse_done(p, n);
	}
	return left;
}

static struct ast_node *ternary(struct parser *p)
{
	struct ast_node *cond = binary(p, 0), *n;

	if (!parse_at(p, "?"))
		return cond;
	parse_enter(p);
	n = parse_node(p, AST_TERNARY, cond->loc, parse_take(p)->loc);
	n->u.ternary.cond = cond;
	n->u.ternary.yes = parse_expr(p);
	parse_want(p, ":");
	n->u.ternary.no = parse_since(p->env, "4.0") ? ternary(p) : parse_expr(p);
	parse_leave(p);
	return parse_done(p, n);
}

static int at_assignment(struct parser *p)
{
	static const char *const ops[] = {
		"=", "<<<", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|=", ".=",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(ops); i++) {
		if (parse_at(p, ops[i]))
			return 1;
	}
	return 0;
}

struct ast_node *parse_expr(struct parser *p)
{
	struct ast_node *left, *n;

	parse_enter(p);
	left = ternary(p);
	if (at_assignment(p)) {
		n = parse_node(p, AST_ASSIGN, left->loc, parse_peek(p, 0)->loc);
		n->u.binary.op = g_intern_string(parse_take(p)->text);
		n->u.binary.left = left;
		n->u.binary.right = parse_expr(p);
		left = parse_done(p, n);
	}
	parse_leave(p);
	return left;
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
static const char *cut_pretty(struct parser *p, const char **word)
{
	size_t len = strlen(*word), keep = len;

	while (keep && (*word)[keep - 1] == '$' && len - keep < 2)
		keep--;
	if (keep == len || strspn(*word, "$") >= keep)
		return NULL;
	/* a third one would be a mark of the marked */
	if ((*word)[keep - 1] == '$')
		parse_fail(p, &parse_prev(p)->loc, D_PARSE_EXPECTED, "at most '$$' behind a name");
	*word = ast_printf(p->ast, "%.*s", (int)keep, *word);
	return len - keep == 2 ? "$$" : "$";
}

static int is_pretty(const struct token *t)
{
	return t->kind == TOKEN_IDENT && (!strcmp(t->text, "$") || !strcmp(t->text, "$$"));
}

/* ->member, ->$ ; returns nonzero when a pretty-print mark ended the list. */
static int member(struct parser *p, struct ast_node *n)
{
	const struct token *t = parse_peek(p, 0);
	struct ast_suffix suffix = { .kind = SUFFIX_MEMBER, .member = t->text, .loc = t->loc };
	const char *pretty;

	if (t->kind != TOKEN_IDENT && t->kind != TOKEN_KEYWORD)
		parse_expected(p, "identifier");
	parse_take(p);
	if (is_pretty(t)) {
		suffix.kind = SUFFIX_PRETTY;
		add_suffix(p, n, suffix);
		return 1;
	}
	pretty = cut_pretty(p, &suffix.member);
	add_suffix(p, n, suffix);
	if (!pretty)
		return 0;
	add_suffix(p, n, (struct ast_suffix){ .kind = SUFFIX_PRETTY, .member = pretty, .loc = t->loc });
	return 1;
}

static void suffixes(struct parser *p, struct ast_node *n)
{
	struct ast_suffix suffix = { .kind = SUFFIX_INDEX };

	for (;;) {
		suffix.loc = parse_peek(p, 0)->loc;
		if (parse_accept(p, "->")) {
			if (member(p, n))
				return;
		} else if (parse_accept(p, "[")) {
			suffix.index = parse_expr(p);
			parse_want(p, "]");
			add_suffix(p, n, suffix);
		} else {
			break;
		}
	}
	if (is_pretty(parse_peek(p, 0)))
		add_suffix(p, n, (struct ast_suffix){ .kind = SUFFIX_PRETTY, .member = parse_peek(p, 0)->text,
						      .loc = parse_take(p)->loc });
}

/* @cast(e, "type" [, "module"]) and @var("name" [, "module"]), after the word. */
static void cast(struct parser *p, struct ast_node *n, int is_var)
{
	parse_want(p, "(");
	if (is_var) {
		n->u.target.form = TARGET_VAR;
		n->u.target.name = parse_string(p)->u.string.text;
	} else {
		n->u.target.form = TARGET_CAST;
		n->u.target.operand = parse_expr(p);
		parse_want(p, ",");
		n->u.target.type_name = parse_string(p)->u.string.text;
	}
	if (parse_accept(p, ","))
		n->u.target.module = parse_string(p)->u.string.text;
	parse_want(p, ")");
}

/* ($x->y)->z is $x->y->z. */
static int is_place(const struct ast_node *n)
{
	const struct ast_suffix *last = n->kind == AST_TARGET && n->u.target.nsuffixes ? &n->u.target.suffixes[n->u.target.nsuffixes - 1] : NULL;

	return n->kind == AST_TARGET && !n->u.target.address_of && (!last || last->kind != SUFFIX_PRETTY);
}

static struct ast_node *autocast(struct parser *p)
{
	struct ast_node *value = parse_value(p), *n;

	if (!parse_at(p, "->") && !parse_at(p, "["))
		return value;
	if (is_place(value)) {
		suffixes(p, value);
		return parse_done(p, value);
	}
	n = parse_node(p, AST_TARGET, value->loc, value->mark);
	n->u.target.form = TARGET_AUTOCAST;
	n->u.target.operand = value;
	suffixes(p, n);
	return parse_done(p, n);
}

/* A value or target variable with its suffixes, & in front or not. */
static struct ast_node *target(struct parser *p)
{
	const struct token *first = parse_peek(p, 0), *t;
	int address = parse_accept(p, "&"), is_var;
	const char *name, *pretty = NULL;
	struct ast_node *n;

	t = parse_peek(p, 0);
	is_var = token_is(t, "@var");
	if (!is_var && !token_is(t, "@cast") && !(t->kind == TOKEN_IDENT && *t->text == '$')) {
		n = autocast(p);
		if (address && n->kind != AST_TARGET)
			parse_fail(p, &first->loc, D_PARSE_ADDRESS);
		if (address)
			n->u.target.address_of = 1;
		return n;
	}
	n = parse_node(p, AST_TARGET, first->loc, t->loc);
	n->u.target.address_of = address;
	parse_take(p);
	if (t->kind == TOKEN_IDENT) {
		name = t->text;
		pretty = cut_pretty(p, &name);
		n->u.target.form = TARGET_DOLLAR;
		n->u.target.name = name;
	} else {
		cast(p, n, is_var);
	}
	if (pretty)
		add_suffix(p, n, (struct ast_suffix){ .kind = SUFFIX_PRETTY, .member = pretty, .loc = t->loc });
	else
		suffixes(p, n);
	return parse_done(p, n);
}

static struct ast_node *crement(struct parser *p)
{
	const struct token *t = parse_peek(p, 0);
	int prefix = token_is(t, "++") || token_is(t, "--");
	struct ast_node *operand, *n;

	if (prefix)
		parse_take(p);
	operand = target(p);
	if (!prefix) {
		t = parse_peek(p, 0);
		if (!token_is(t, "++") && !token_is(t, "--"))
			return operand;
		parse_take(p);
	}
	n = parse_node(p, AST_CREMENT, prefix ? t->loc : operand->loc, t->loc);
	n->u.crement.op = g_intern_string(t->text);
	n->u.crement.operand = operand;
	n->u.crement.prefix = prefix;
	return parse_done(p, n);
}

static struct ast_node *unary(struct parser *p)
{
	const struct token *t = parse_peek(p, 0);
	struct ast_node *n;

	if (!token_is(t, "+") && !token_is(t, "-") && !token_is(t, "!") && !token_is(t, "~"))
		return crement(p);
	parse_enter(p);
	parse_take(p);
	n = parse_node(p, AST_UNARY, t->loc, t->loc);
	n->u.unary.op = g_intern_string(t->text);
	n->u.unary.operand = unary(p);
	parse_leave(p);
	return parse_done(p, n);
}
