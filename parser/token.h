/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * token.h - what lexer, preprocessor and parser hand each other: arrays of tokens.
 *
 * Private to parser/.  Texts live in the arena of the ast.
 */
#ifndef LAPWING_TOKEN_H
#define LAPWING_TOKEN_H

#include "parser/ast.h"

enum token_kind {
	TOKEN_EOF, TOKEN_IDENT, TOKEN_KEYWORD, TOKEN_OPERATOR, TOKEN_STRING, TOKEN_NUMBER, TOKEN_EMBED,
	TOKEN_JUNK,			/* bad input: reported only when somebody needs the token */
};

struct token {
	enum token_kind	kind;
	const char	*text;		/* STRING: between the quotes; EMBED: between the marks; JUNK: the message's argument */
	enum diag_code	junk;		/* JUNK: the message */
	struct loc	loc;
	int		glued;		/* no blank between it and the token before */
	int		commented;	/* a comment stands before it */
};

/* Nonzero if the token is this operator or keyword. */
int token_is(const struct token *token, const char *text);
/* All tokens of src, script arguments put in, closed by one EOF. An array of struct token; caller frees. */
GArray *token_lex(struct ast *ast, struct source *src, const struct parse_env *env);
/* The tokens after macros and conditionals, closed by one EOF; errors are reported. Caller frees. */
GArray *token_preprocess(struct ast *ast, const GArray *tokens, const struct parse_env *env);
/* Nonzero if this @word means something without being a macro. */
int token_at_builtin(const char *word);
/* "@name" -> macro, empty. */
GHashTable *token_macros_new(void);
/* A number token's value; 0 if it is none or out of range. */
int token_number(const struct token *token, uint64_t *value);

#endif
