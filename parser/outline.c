/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outline.c - names that a source may declare for others: functions, aliases, macros and globals,
 * for an index of library files.
 *
 * Input: a source; output: names, in order. Reads tokens only: macros are not expanded and both
 * branches of a conditional count, so that the result holds for every kernel. Does not check the
 * text.
 */
#include "parser/outline.h"

#include "parser/lex.h"
#include "parser/parse.h"
#include "parser/token.h"

#include <string.h>

static const struct token *at(const GArray *tokens, unsigned i)
{
	return &g_array_index(tokens, struct token, MIN(i, tokens->len - 1));
}

/* Index after the ')' that closes the '(' at i. */
static unsigned behind_brackets(const GArray *tokens, unsigned i)
{
	unsigned level = 0;

	for (; at(tokens, i)->kind != TOKEN_EOF; i++) {
		level += token_is(at(tokens, i), "(");
		level -= token_is(at(tokens, i), ")");
		if (!level)
			return i + 1;
	}
	return i;
}

/*
 * "a.b.c" at i, without arguments, *next set past it; NULL: not the name of an alias. Caller frees.
 */
static char *point_name(const GArray *tokens, unsigned i, unsigned *next)
{
	GString *name = g_string_new(NULL);

	for (;; i++) {
		const struct token *t = at(tokens, i);

		if (token_is(t, "(")) {
			i = behind_brackets(tokens, i);
			t = at(tokens, i);
		}
		if (t->kind != TOKEN_IDENT && t->kind != TOKEN_KEYWORD && !token_is(t, "."))
			break;
		g_string_append(name, t->text);
	}
	*next = i;
	return g_string_free(name, FALSE);
}

/* probe a.b = c.d += ... at the token after `probe`. */
static void aliases(const GArray *tokens, unsigned i, outline_found *found, void *data)
{
	for (;;) {
		g_autofree char *name = point_name(tokens, i, &i);
		int named =
			*name && (token_is(at(tokens, i), "=") || token_is(at(tokens, i), "+="));

		if (named)
			found(OUTLINE_ALIAS, name, data);
		if (!named)
			return;
		i++;
	}
}

/* global a, b% [5] = 3 ... at the token after `global`. */
static void globals(const GArray *tokens, unsigned i, outline_found *found, void *data)
{
	for (; at(tokens, i)->kind == TOKEN_IDENT; i++) {
		found(OUTLINE_GLOBAL, at(tokens, i)->text, data);
		for (i++; token_is(at(tokens, i), "%") || token_is(at(tokens, i), "[") ||
			  token_is(at(tokens, i), "]") || token_is(at(tokens, i), "=") ||
			  token_is(at(tokens, i), "-") || at(tokens, i)->kind == TOKEN_NUMBER ||
			  at(tokens, i)->kind == TOKEN_STRING;
		     i++)
			;
		if (!token_is(at(tokens, i), ","))
			return;
	}
}

void ast_outline(struct source *src, outline_found *found, void *data)
{
	static const struct parse_env env;
	struct ast *ast = ast_new(NULL);
	g_autoptr(GArray) tokens = token_lex(ast, src, &env);

	for (unsigned i = 0; i < tokens->len; i++) {
		const struct token *name = at(tokens, i + 1);
		const struct token *before = i ? at(tokens, i - 1) : NULL;
		int other = before && (token_is(before, ".") || token_is(before, "->") ||
				       token_is(before, "private"));

		if (token_is(at(tokens, i), "@define") && name->kind == TOKEN_IDENT)
			found(OUTLINE_MACRO, name->text, data);
		else if (token_is(at(tokens, i), "function") && !other &&
			 (name->kind == TOKEN_IDENT || name->kind == TOKEN_KEYWORD))
			found(OUTLINE_FUNCTION, name->text, data);
		else if (token_is(at(tokens, i), "global") && !other)
			globals(tokens, i + 1, found, data);
		else if (token_is(at(tokens, i), "probe") && !other)
			aliases(tokens, i + 1, found, data);
	}
	ast_free(ast);
}
