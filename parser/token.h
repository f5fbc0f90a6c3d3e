/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * token.h - arrays of tokens, passed between scanner, preprocessor and parser.
 *
 * Private to parser/. Texts live in the arena of the ast.
 */
#ifndef LAPWING_TOKEN_H
#define LAPWING_TOKEN_H

#include "parser/ast.h"

struct parse_env;

enum token_kind {
	TOKEN_EOF,
	TOKEN_IDENT,
	TOKEN_KEYWORD,
	TOKEN_OPERATOR,
	TOKEN_STRING,
	TOKEN_NUMBER,
	TOKEN_EMBED,
	TOKEN_JUNK, /* bad input: reported only if the token is used */
};

struct token {
	enum token_kind	kind;
	int		type;		/* in the grammar, independent of position; parse.c
					 * refines it */
	/* STRING, EMBED: the text between the delimiters; JUNK: the argument of the message */
	const char	*text;
	enum diag_code	junk;		/* JUNK: the message */
	struct loc	loc;
	int		glued;		/* no blank between it and the token before */
	int		commented;	/* a comment precedes it */
};

/* Nonzero if the token is this operator or keyword. */
int token_is(const struct token *token, const char *text);
/* Nonzero if this @word is built in, not a macro. */
int token_at_builtin(const char *word);
/*
 * The type in the grammar of an @word in the language version of env; unknown words have a type,
 * too.
 */
int token_at_type(const char *word, const struct parse_env *env);
/* Nonzero if this @word is for guru mode only. */
int token_at_guru(const char *word);
/* Appends all built-in @words, const char *. */
void token_at_words(GPtrArray *words);
/* Sets the value of a number token; returns 0 if it is not a number or out of range. */
int token_number(const struct token *token, uint64_t *value);

/* True if the language version is this one or later. */
int parse_since(const struct parse_env *env, const char *version);

#endif
