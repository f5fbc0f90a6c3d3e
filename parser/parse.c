/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse.c - ast_parse(): the token stream, nodes, errors and what literals share.
 *
 * Input: a source; output: a FILE node, or messages.  The grammar is a recursive
 * descent in parse_decl.c, parse_stmt.c and parse_expr.c; after an error it goes
 * on at the next declaration.  Does not check names or types.
 */
#include "parser/parse.h"

#include <string.h>

const struct token *parse_peek(struct parser *p, unsigned ahead)
{
	return &g_array_index(p->tokens, struct token, MIN(p->at + ahead, p->tokens->len - 1));
}

const struct token *parse_prev(struct parser *p)
{
	return &g_array_index(p->tokens, struct token, p->at ? p->at - 1 : 0);
}

void parse_fail(struct parser *p, const struct loc *loc, enum diag_code code, ...)
{
	va_list args;

	p->errors++;
	va_start(args, code);
	diag_args(p->ast->diag, loc, code, args);
	va_end(args);
	longjmp(p->recover, 1);
}

/* Where the file ends too early: the bracket that nobody closed, the innermost one. */
static void hint_open(struct parser *p)
{
	unsigned closed = 0;

	for (unsigned i = p->at; i-- > 0; ) {
		const struct token *t = &g_array_index(p->tokens, struct token, i);
		char *place;

		if (token_is(t, ")") || token_is(t, "]") || token_is(t, "}")) {
			closed++;
		} else if (token_is(t, "(") || token_is(t, "[") || token_is(t, "{")) {
			if (closed--)
				continue;
			place = loc_string(&t->loc);
			diag_hint(p->ast->diag, "the '%s' at %s is not closed", t->text, place);
			g_free(place);
			return;
		}
	}
}

/* A word at the top level that opens no declaration. */
static void hint_opener(struct parser *p, const struct token *token)
{
	static const char *const openers[] = { "probe", "global", "private", "function" };
	static const char types[] = " int char long unsigned void float double bool string var let ";
	GPtrArray *names = g_ptr_array_new();
	char *word = g_strdup_printf(" %s ", token->text), *similar;

	for (size_t i = 0; i < G_N_ELEMENTS(openers); i++)
		g_ptr_array_add(names, (char *)openers[i]);
	similar = diag_similar(token->text, names, 1);
	if (strstr(types, word))
		diag_hint(p->ast->diag, "types are found by themselves; a variable of all handlers is declared with 'global NAME'");
	else
		diag_suggest(p->ast->diag, token->text, similar);
	g_free(similar);
	g_free(word);
	g_ptr_array_unref(names);
}

static void hint_at(struct parser *p, const struct token *token, const char *what)
{
	if (token_is(token, "'"))
		diag_hint(p->ast->diag, "strings stand between double quotes; a character is a string of one");
	else if (token->kind == TOKEN_EOF)
		hint_open(p);
	else if (g_str_has_prefix(what, "'probe'"))
		hint_opener(p, token);
	else if (token_is(token, ")") && p->at > 1 && token_is(&g_array_index(p->tokens, struct token, p->at - 2), "in"))
		diag_hint(p->ast->diag, "foreach goes through an array: foreach (key in array)");
}

void parse_leave_declaration(struct parser *p)
{
	p->errors++;
	longjmp(p->recover, 1);
}

void parse_expected(struct parser *p, const char *what)
{
	const struct token *token = parse_peek(p, 0);

	if (token->kind == TOKEN_JUNK)
		parse_fail(p, &token->loc, token->junk, token->text);
	diag(p->ast->diag, &token->loc, D_PARSE_EXPECTED, what);
	hint_at(p, token, what);
	parse_leave_declaration(p);
}

const struct token *parse_take(struct parser *p)
{
	const struct token *token = parse_peek(p, 0);

	if (token->kind == TOKEN_JUNK)
		parse_fail(p, &token->loc, token->junk, token->text);
	if (token->kind != TOKEN_EOF)
		p->at++;
	return token;
}

int parse_at(struct parser *p, const char *text)
{
	return token_is(parse_peek(p, 0), text);
}

int parse_accept(struct parser *p, const char *text)
{
	if (!parse_at(p, text))
		return 0;
	p->at++;
	return 1;
}

struct loc parse_want(struct parser *p, const char *text)
{
	char what[32];

	if (!parse_at(p, text)) {
		g_snprintf(what, sizeof(what), "'%s'", text);
		parse_expected(p, what);
	}
	return parse_take(p)->loc;
}

const struct token *parse_name(struct parser *p)
{
	if (parse_peek(p, 0)->kind != TOKEN_IDENT)
		parse_expected(p, "identifier");
	return parse_take(p);
}

struct ast_node *parse_string(struct parser *p)
{
	struct ast_node *n = parse_node(p, AST_STRING, parse_peek(p, 0)->loc, parse_peek(p, 0)->loc);
	GString *all = g_string_new(NULL);

	if (parse_peek(p, 0)->kind != TOKEN_STRING) {
		g_string_free(all, TRUE);
		parse_expected(p, "literal string");
	}
	do	/* before 2.0 a comment kept literals apart */
		g_string_append(all, parse_take(p)->text);
	while (parse_peek(p, 0)->kind == TOKEN_STRING && (!parse_peek(p, 0)->commented || parse_since(p->env, "2.0")));
	n->u.string.text = ast_strdup(p->ast, all->str);
	g_string_free(all, TRUE);
	return parse_done(p, n);
}

int64_t parse_integer(struct parser *p, int64_t low, int64_t high)
{
	int minus = parse_accept(p, "-");
	const struct token *token = parse_peek(p, 0);
	uint64_t value;
	int64_t number;

	if (token->kind != TOKEN_NUMBER)
		parse_expected(p, "literal number");
	parse_take(p);
	if (!token_number(token, &value) || (minus && value > (uint64_t)INT64_MAX + 1))
		parse_fail(p, &token->loc, D_LEX_NUMBER);
	number = minus ? (int64_t)(0 - value) : (int64_t)value;
	if (number < low || number > high)
		parse_fail(p, &token->loc, D_LEX_NUMBER);
	return number;
}

struct ast_node *parse_literal(struct parser *p)
{
	struct ast_node *n;

	if (parse_peek(p, 0)->kind == TOKEN_STRING)
		return parse_string(p);
	if (parse_peek(p, 0)->kind != TOKEN_NUMBER && !parse_at(p, "-"))
		parse_expected(p, "literal string or number");
	n = parse_node(p, AST_NUMBER, parse_peek(p, 0)->loc, parse_peek(p, 0)->loc);
	n->u.number.value = parse_integer(p, INT64_MIN, INT64_MAX);
	return parse_done(p, n);
}

void parse_enter(struct parser *p)
{
	if (++p->nest > PARSE_NEST_MAX)
		parse_fail(p, &parse_peek(p, 0)->loc, D_PARSE_DEPTH);
}

void parse_leave(struct parser *p)
{
	p->nest--;
}

struct ast_node *parse_node(struct parser *p, enum ast_kind kind, struct loc start, struct loc mark)
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

struct ast_node *parse_done(struct parser *p, struct ast_node *n)
{
	n->loc = loc_join(n->loc, parse_prev(p)->loc);
	n->depth = 0;
	ast_children(n, child_depth, &n->depth);
	if (n->depth >= AST_DEPTH_MAX)
		parse_fail(p, &n->mark, D_PARSE_DEPTH);
	return n;
}

struct ast_node *ast_parse(struct ast *ast, struct source *src, const struct parse_env *env)
{
	struct parser p = { .ast = ast, .env = env };
	struct ast_node *file = ast_node_new(ast, AST_FILE, (struct loc){ .src = src, .end = src->len });
	unsigned before = ast->diag->parse_errors;
	GArray *raw;

	g_ptr_array_add(ast->sources, src);
	raw = token_lex(ast, src, env);
	p.tokens = token_preprocess(ast, raw, env);
	if (p.tokens->len == 1 && !env->is_tapset && ast->diag->parse_errors == before)
		diag(ast->diag, NULL, raw->len > 1 ? D_FILE_EMPTIED : D_FILE_EMPTY, src->name);
	parse_file(&p, file);
	g_array_free(raw, TRUE);
	g_array_free(p.tokens, TRUE);
	if (ast->diag->parse_errors != before || p.errors)
		return NULL;
	g_ptr_array_add(ast->files, file);
	return file;
}
