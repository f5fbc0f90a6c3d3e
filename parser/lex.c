/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lex.c - script text to tokens, script arguments put in where a token may begin.
 *
 * Input: a source and the script's arguments; output: an array of tokens.  Bad
 * input becomes a JUNK token that carries its message, because skipped branches
 * of conditionals may hold anything.  Does not expand macros or glue strings.
 */
#include "parser/token.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct lexer {
	struct ast	*ast;
	const struct parse_env *env;
	GArray		*out;
	struct source	*src;
	const char	*text;		/* the source's, or an argument's */
	size_t		at, len;
	int		nested;		/* text is an argument: its tokens stand at `place` */
	struct loc	place;
	int		glued, commented;
};

int token_is(const struct token *token, const char *text)
{
	return (token->kind == TOKEN_OPERATOR || token->kind == TOKEN_KEYWORD) && *token->text == *text && !strcmp(token->text, text);
}

int parse_since(const struct parse_env *env, const char *version)
{
	return strverscmp(env->systemtap_v ? env->systemtap_v : PARSE_SYSTEMTAP_V, version) >= 0;
}

int token_number(const struct token *token, uint64_t *value)
{
	char *end;

	if (token->kind != TOKEN_NUMBER)
		return 0;
	errno = 0;
	*value = g_ascii_strtoull(token->text, &end, 0);
	return !errno && !*end;
}

static int peek(const struct lexer *lx, size_t ahead)
{
	return lx->at + ahead < lx->len ? (unsigned char)lx->text[lx->at + ahead] : -1;
}

static int is_word(int c)
{
	return c >= 0 && (isalnum(c) || c == '_' || c == '$');
}

static void emit(struct lexer *lx, enum token_kind kind, const char *text, size_t start)
{
	struct token token = { .kind = kind, .text = text, .glued = lx->glued, .commented = lx->commented };

	token.loc = lx->nested ? lx->place : (struct loc){ .src = lx->src, .start = start, .end = lx->at };
	g_array_append_val(lx->out, token);
	lx->glued = 1;
	lx->commented = 0;
}

static void emit_junk(struct lexer *lx, enum diag_code code, const char *argument, size_t start)
{
	emit(lx, TOKEN_JUNK, argument, start);
	g_array_index(lx->out, struct token, lx->out->len - 1).junk = code;
}

static const char *copy(struct lexer *lx, size_t start, size_t end)
{
	char *text = ast_alloc(lx->ast, end - start + 1);

	memcpy(text, lx->text + start, end - start);
	return text;
}

static void skip_to(struct lexer *lx, const char *mark)
{
	const char *found = lx->at < lx->len ?
		g_strstr_len(lx->text + lx->at, lx->len - lx->at, mark) : NULL;

	lx->at = found ? (size_t)(found - lx->text) + strlen(mark) : lx->len;
}

/* Passes blanks and comments. */
static void skip_blanks(struct lexer *lx)
{
	size_t before;

	do {
		before = lx->at;
		while (peek(lx, 0) >= 0 && isspace(peek(lx, 0)))
			lx->at++;
		if (peek(lx, 0) == '#' || (peek(lx, 0) == '/' && peek(lx, 1) == '/')) {
			while (peek(lx, 0) >= 0 && peek(lx, 0) != '\n')
				lx->at++;
			lx->commented = 1;
		} else if (peek(lx, 0) == '/' && peek(lx, 1) == '*') {
			lx->at += 2;
			skip_to(lx, "*/");
			lx->commented = 1;
		}
		if (lx->at != before)
			lx->glued = 0;
	} while (lx->at != before);
}

/* After the opening quote.  Escapes that C knows are kept, others lose their backslash. */
static void lex_string(struct lexer *lx, size_t start)
{
	GString *body = g_string_new(NULL);
	int c;

	while ((c = peek(lx, 0)) >= 0 && c != '\n' && c != '"') {
		lx->at++;
		if (c == '\\' && peek(lx, 0) >= 0 && peek(lx, 0) != '\n') {
			c = peek(lx, 0);
			lx->at++;
			if (c == 'x' && !parse_since(lx->env, "2.3"))
				;		/* not an escape yet */
			else if (c && strchr("abtnvfr\\01234567x\"", c))
				g_string_append_c(body, '\\');
		}
		g_string_append_c(body, c);
	}
	if (c == '"') {
		lx->at++;
		emit(lx, TOKEN_STRING, ast_strdup(lx->ast, body->str), start);
	} else {
		emit_junk(lx, D_LEX_QUOTE, "", start);
	}
	g_string_free(body, TRUE);
}

/* After the opening mark. */
static void lex_embed(struct lexer *lx, size_t start)
{
	size_t body = lx->at, end;

	skip_to(lx, "%}");
	end = lx->at;
	if (end - body >= 2 && !memcmp(lx->text + end - 2, "%}", 2))
		emit(lx, TOKEN_EMBED, copy(lx, body, end - 2), start);
	else
		emit_junk(lx, D_LEX_EMBED, "", start);
}

static int is_keyword(const char *word)
{
	static const char *const words[] = {
		"probe", "global", "private", "function", "if", "else", "for", "foreach", "in", "limit", "return",
		"delete", "while", "break", "continue", "next", "string", "long", "try", "catch",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		if (!strcmp(word, words[i]))
			return 1;
	}
	return 0;
}

static void lex_word(struct lexer *lx, size_t start)
{
	const char *word;

	while (is_word(peek(lx, 0)))
		lx->at++;
	word = copy(lx, start, lx->at);
	if (isdigit((unsigned char)*word))
		emit(lx, TOKEN_NUMBER, word, start);
	else
		emit(lx, is_keyword(word) && (strcmp(word, "private") || parse_since(lx->env, "3.0")) ? TOKEN_KEYWORD : TOKEN_IDENT,
		     word, start);
}

/* The longest operator at the place; any other character is one of its own. */
static void lex_operator(struct lexer *lx, size_t start)
{
	static const char *const longs[] = {
		"<<<", ">>>", "<<=", ">>=", "==", "!=", "<=", ">=", "=~", "!~", "+=", "-=", "*=", "/=", "%=", "&=",
		"^=", "|=", ".=", "&&", "||", "++", "--", "->", "<<", ">>", "%(", "%?", "%:", "%)",
	};
	const char *at = lx->text + start;
	char one[] = { *at, 0 };

	for (size_t i = 0; ispunct((unsigned char)at[0]) && ispunct((unsigned char)at[1]) && i < G_N_ELEMENTS(longs); i++) {
		size_t n = strlen(longs[i]);

		if (at[0] == longs[i][0] && !strncmp(at, longs[i], n)) {
			lx->at = start + n;
			emit(lx, TOKEN_OPERATOR, g_intern_static_string(longs[i]), start);
			return;
		}
	}
	lx->at = start + 1;
	emit(lx, TOKEN_OPERATOR, g_intern_string(one), start);
}

static void lex_all(struct lexer *lx);

/* $N: the argument's text is read as script; its tokens stand where the $N does. */
static void lex_nested(struct lexer *lx, const char *text, size_t start)
{
	struct lexer inner = *lx;

	inner.text = text;
	inner.at = 0;
	inner.len = strlen(text);
	inner.nested = 1;
	inner.place = (struct loc){ .src = lx->src, .start = start, .end = lx->at };
	lex_all(&inner);
	lx->glued = inner.glued;
}

/* The argument as a literal: characters that would end or change it are escaped. */
static char *quoted(struct lexer *lx, const char *text)
{
	GString *body = g_string_new(NULL);
	char *kept;

	for (; *text; text++) {
		unsigned char c = *text;

		if (c == '"' || c == '\\')
			g_string_append_c(body, '\\');
		if (c < ' ' || c == 0x7f)
			g_string_append_printf(body, "\\%03o", c);
		else
			g_string_append_c(body, c);
	}
	kept = ast_strdup(lx->ast, body->str);
	g_string_free(body, TRUE);
	return kept;
}

static int mark_used(struct lexer *lx, unsigned long number)
{
	if (lx->env->used)
		lx->env->used[number - 1] = 1;
	return 1;
}

/* $1 @1 $# @#: returns nonzero if one stood here. */
static int lex_argument(struct lexer *lx, size_t start)
{
	int raw = lx->text[start] == '$';
	unsigned long number = 0;
	const char *value;

	if (peek(lx, 1) == '#' && lx->nested) {
		lx->at += 2;
		emit_junk(lx, D_LEX_NESTED, "", start);
		return 1;
	}
	if (peek(lx, 1) == '#') {
		lx->at += 2;
		value = ast_printf(lx->ast, "%u", lx->env->argc);
		emit(lx, raw ? TOKEN_NUMBER : TOKEN_STRING, value, start);
		return 1;
	}
	if (peek(lx, 1) < 0 || !isdigit(peek(lx, 1)))
		return 0;
	for (lx->at++; peek(lx, 0) >= 0 && isdigit(peek(lx, 0)); lx->at++)
		number = MIN(number * 10 + (peek(lx, 0) - '0'), 100000UL);
	if (lx->nested)
		emit_junk(lx, D_LEX_NESTED, "", start);
	else if (number < 1 || number > lx->env->argc)
		emit_junk(lx, D_LEX_ARGUMENT, ast_printf(lx->ast, "%u", lx->env->argc), start);
	else if (mark_used(lx, number) && raw)
		lex_nested(lx, lx->env->argv[number - 1], start);
	else
		emit(lx, TOKEN_STRING, quoted(lx, lx->env->argv[number - 1]), start);
	return 1;
}

static void lex_one(struct lexer *lx)
{
	size_t start = lx->at;
	int c = peek(lx, 0);

	if ((c == '$' || c == '@') && lex_argument(lx, start))
		return;
	if (c == '"') {
		lx->at++;
		lex_string(lx, start);
	} else if (c == '%' && peek(lx, 1) == '{') {
		lx->at += 2;
		lex_embed(lx, start);
	} else if (c == '@') {
		lx->at++;
		while (is_word(peek(lx, 0)))
			lx->at++;
		emit(lx, TOKEN_OPERATOR, g_intern_string(copy(lx, start, lx->at)), start);
	} else if (is_word(c)) {
		lex_word(lx, start);
	} else {
		lex_operator(lx, start);
	}
}

static void lex_all(struct lexer *lx)
{
	for (skip_blanks(lx); lx->at < lx->len; skip_blanks(lx))
		lex_one(lx);
}

GArray *token_lex(struct ast *ast, struct source *src, const struct parse_env *env)
{
	struct lexer lx = { .ast = ast, .env = env, .src = src, .text = src->text, .len = src->len };

	lx.out = g_array_new(FALSE, FALSE, sizeof(struct token));
	lex_all(&lx);
	lx.at = src->len;
	emit(&lx, TOKEN_EOF, "", src->len);
	return lx.out;
}
