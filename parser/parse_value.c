/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse_value.c - values: literals, names, calls, the print family, @-operators.
 *
 * Input: the token stream at a value; output: its node, suffixes not taken.
 */
#include "parser/parse.h"

#include "parser/format.h"

#include <string.h>

struct ast_node *parse_embed(struct parser *p)
{
	const struct token *t = parse_take(p);
	struct ast_node *n = parse_node(p, AST_EMBED, t->loc, t->loc);

	if (!p->env->guru && !p->env->is_tapset) {
		/* the shape is right: go on and find more errors */
		p->errors++;
		diag(p->ast->diag, &t->loc, D_PARSE_GURU);
	}
	if (strstr(t->text, "}%"))
		diag(p->ast->diag, &t->loc, D_EMBED_CLOSE);
	n->u.embed.text = t->text;
	return parse_done(p, n);
}

static void arguments(struct parser *p, struct ast_list *args)
{
	if (!parse_at(p, ")")) {
		do {
			ast_append(p->ast, args, parse_expr(p));
		} while (parse_accept(p, ","));
	}
	parse_want(p, ")");
}

static int at_hist(struct parser *p)
{
	return parse_at(p, "@hist_log") || parse_at(p, "@hist_linear");
}

static struct ast_node *hist(struct parser *p)
{
	const struct token *t = parse_take(p);
	struct ast_node *n = parse_node(p, AST_HIST, t->loc, t->loc);

	n->u.hist.linear = token_is(t, "@hist_linear");
	parse_want(p, "(");
	n->u.hist.operand = parse_expr(p);
	if (n->u.hist.linear) {
		parse_want(p, ",");
		n->u.hist.low = parse_integer(p, INT64_MIN, INT64_MAX);
		parse_want(p, ",");
		n->u.hist.high = parse_integer(p, INT64_MIN, INT64_MAX);
		parse_want(p, ",");
		n->u.hist.step = parse_integer(p, INT64_MIN, INT64_MAX);
	}
	parse_want(p, ")");
	return parse_done(p, n);
}

struct ast_node *parse_base(struct parser *p)
{
	const struct token *t;
	struct ast_node *n;

	if (at_hist(p))
		return hist(p);
	t = parse_name(p);
	n = parse_node(p, AST_NAME, t->loc, t->loc);
	n->u.name.name = t->text;
	return parse_done(p, n);
}

/* @hist_log(x)[i]; alone it can only be printed. */
static struct ast_node *bucket(struct parser *p)
{
	struct ast_node *h = hist(p), *n;

	n = parse_node(p, AST_BUCKET, h->loc, h->mark);
	n->u.bucket.hist = h;
	parse_want(p, "[");
	n->u.bucket.index = parse_expr(p);
	parse_want(p, "]");
	return parse_done(p, n);
}

static int is_print(const char *name)
{
	static const char *const tails[] = { "", "f", "d", "ln", "dln" };

	if (!strcmp(name, "print_char"))
		return 1;
	name += *name == 's';
	if (!g_str_has_prefix(name, "print"))
		return 0;
	for (size_t i = 0; i < G_N_ELEMENTS(tails); i++) {
		if (!strcmp(name + strlen("print"), tails[i]))
			return 1;
	}
	return 0;
}

/* print(@hist_log(x)) prints the histogram; print(@hist_log(x)[i]) a bucket of it. */
static void print_arguments(struct parser *p, struct ast_node *n)
{
	unsigned before = p->at;
	struct ast_node *h;

	if (at_hist(p)) {
		h = hist(p);
		if (parse_accept(p, ")")) {
			ast_append(p->ast, &n->u.print.args, h);
			return;
		}
		p->at = before;
	}
	arguments(p, &n->u.print.args);
}

static const char *print_format(struct parser *p)
{
	struct ast_node *n = parse_string(p);
	const char *bad = NULL;

	g_free(format_kinds(n->u.string.text, &bad));
	if (bad)
		parse_fail(p, &n->loc, D_PARSE_FORMAT, bad);
	return n->u.string.text;
}

static struct ast_node *print(struct parser *p)
{
	const struct token *t = parse_take(p);
	struct ast_node *n = parse_node(p, AST_PRINT, t->loc, t->loc);
	const char *kind = t->text + (*t->text == 's') + strlen("print");
	int with_format = *kind == 'f' || *kind == 'd', delimited = *kind == 'd';

	n->u.print.name = t->text;
	n->u.print.to_string = *t->text == 's';
	parse_want(p, "(");
	if (!with_format) {
		if (strcmp(kind, "ln") && parse_at(p, ")"))
			parse_expected(p, "expression");
		print_arguments(p, n);
		return parse_done(p, n);
	}
	n->u.print.format = delimited ? parse_string(p)->u.string.text : print_format(p);
	if (delimited || !parse_at(p, ")"))
		parse_want(p, ",");
	if (parse_prev(p)->kind == TOKEN_STRING)
		parse_want(p, ")");
	else if (parse_at(p, ")"))
		parse_expected(p, "expression");
	else
		arguments(p, &n->u.print.args);
	if (delimited && n->u.print.args.n < 2)
		parse_fail(p, &t->loc, D_PARSE_PRINT, "a delimiter needs two or more values");
	return parse_done(p, n);
}

static int is_statop(const struct token *t)
{
	static const char *const ops[] = { "@count", "@sum", "@min", "@max", "@avg", "@variance", "@percentile", "@median" };

	for (size_t i = 0; i < G_N_ELEMENTS(ops); i++) {
		if (token_is(t, ops[i]))
			return 1;
	}
	return 0;
}

static struct ast_node *statop(struct parser *p)
{
	const struct token *t = parse_take(p);
	struct ast_node *n = parse_node(p, AST_STATOP, t->loc, t->loc);

	n->u.statop.op = t->text;
	n->u.statop.number = -1;
	parse_want(p, "(");
	n->u.statop.operand = parse_expr(p);
	if (token_is(t, "@variance") && parse_accept(p, ","))
		n->u.statop.number = parse_integer(p, 0, INT64_MAX);
	if (token_is(t, "@percentile")) {
		parse_want(p, ",");
		n->u.statop.number = parse_integer(p, 0, 100);
	}
	parse_want(p, ")");
	return parse_done(p, n);
}

/* Between the brackets: e expression, n name, i integer, s string; behind ? all may be left out. */
static const struct {
	const char *op, *args, *since;
	int guru;
} at_operators[] = {
	{ "@defined", "e", "0", 0 }, { "@entry", "e", "0", 0 }, { "@probewrite", "n", "0", 0 }, { "@const", "s", "3.1", 1 },
	{ "@enum", "s", "5.5", 0 }, { "@perf", "s", "0", 0 }, { "@enumname", "e?ss", "5.6", 0 }, { "@kregister", "i", "4.0", 1 },
	{ "@uregister", "i", "4.0", 1 }, { "@kderef", "ie", "4.0", 1 }, { "@uderef", "ie", "4.0", 1 },
};

/* Those with a grammar of their own. */
static const char *const other_operators[] = {
	"@define", "@cast", "@var", "@count", "@sum", "@min", "@max", "@avg", "@variance", "@percentile", "@median", "@hist_log",
	"@hist_linear",
};

int token_at_builtin(const char *word)
{
	for (size_t i = 0; i < G_N_ELEMENTS(other_operators); i++) {
		if (!strcmp(word, other_operators[i]))
			return 1;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(at_operators); i++) {
		if (!strcmp(word, at_operators[i].op))
			return 1;
	}
	return 0;
}

static struct ast_node *at_argument(struct parser *p, char what)
{
	struct ast_node *n;

	switch (what) {
	case 's':
		return parse_string(p);
	case 'n':
		return parse_base(p);
	case 'i':
		n = parse_node(p, AST_NUMBER, parse_peek(p, 0)->loc, parse_peek(p, 0)->loc);
		n->u.number.value = parse_integer(p, 0, INT64_MAX);
		return parse_done(p, n);
	default:
		return parse_expr(p);
	}
}

static void unknown_operator(struct parser *p, const struct token *t) G_GNUC_NORETURN;
static void unknown_operator(struct parser *p, const struct token *t)
{
	GPtrArray *names = g_ptr_array_new();
	char *similar;

	for (size_t i = 0; i < G_N_ELEMENTS(other_operators); i++)
		g_ptr_array_add(names, (char *)other_operators[i]);
	for (size_t i = 0; i < G_N_ELEMENTS(at_operators); i++)
		g_ptr_array_add(names, (char *)at_operators[i].op);
	similar = diag_similar(t->text, names, 1);
	diag(p->ast->diag, &t->loc, D_PARSE_OPERATOR, t->text);
	if (token_at_builtin(t->text))
		diag_hint(p->ast->diag, "it came after version %s, which --compatible asks for", p->env->systemtap_v);
	else
		diag_suggest(p->ast->diag, t->text, similar);
	g_free(similar);
	g_ptr_array_unref(names);
	parse_leave_declaration(p);
}

static struct ast_node *at_operator(struct parser *p)
{
	const struct token *t = parse_peek(p, 0);
	const char *args = NULL;
	struct ast_node *n;
	int optional = 0, guru = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(at_operators); i++) {
		if (token_is(t, at_operators[i].op) && parse_since(p->env, at_operators[i].since)) {
			args = at_operators[i].args;
			guru = at_operators[i].guru;
		}
	}
	if (!args)
		unknown_operator(p, t);
	if (guru && !p->env->guru && !p->env->is_tapset)
		parse_fail(p, &t->loc, D_PARSE_GURU_WORD, t->text);
	n = parse_node(p, AST_ATOP, t->loc, parse_take(p)->loc);
	n->u.atop.op = t->text;
	parse_want(p, "(");
	for (; *args; args++) {
		if (*args == '?') {
			optional = 1;
			continue;
		}
		if (n->u.atop.args.n && optional && !parse_at(p, ","))
			break;
		if (n->u.atop.args.n)
			parse_want(p, ",");
		ast_append(p->ast, &n->u.atop.args, at_argument(p, *args));
	}
	parse_want(p, ")");
	return parse_done(p, n);
}

/* name, name(args), name[keys] */
static struct ast_node *symbol(struct parser *p)
{
	const struct token *t = parse_take(p);
	struct ast_node *n;

	if (parse_accept(p, "(")) {
		n = parse_node(p, AST_CALL, t->loc, t->loc);
		n->u.call.name = t->text;
		arguments(p, &n->u.call.args);
	} else if (parse_accept(p, "[")) {
		n = parse_node(p, AST_INDEX, t->loc, t->loc);
		n->u.index.name = t->text;
		parse_keys(p, &n->u.index.keys);
	} else {
		n = parse_node(p, AST_NAME, t->loc, t->loc);
		n->u.name.name = t->text;
	}
	return parse_done(p, n);
}

struct ast_node *parse_value(struct parser *p)
{
	const struct token *t = parse_peek(p, 0);
	struct ast_node *n;

	if (t->kind == TOKEN_EMBED)
		return parse_embed(p);
	if (t->kind == TOKEN_STRING)
		return parse_string(p);
	if (t->kind == TOKEN_NUMBER)
		return parse_literal(p);
	if (t->kind == TOKEN_IDENT)
		return is_print(t->text) ? print(p) : symbol(p);
	if (parse_accept(p, "(")) {
		n = parse_expr(p);
		parse_want(p, ")");
		return n;
	}
	if (at_hist(p))
		return bucket(p);
	if (is_statop(t) && (strcmp(t->text, "@variance") || parse_since(p->env, "3.1")))
		return statop(p);
	if (t->kind == TOKEN_OPERATOR && *t->text == '@')
		return at_operator(p);
	parse_expected(p, "literal string or number, variable, or function call");
}
