/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse.h - a source to its tree.
 *
 * parse.c pushes tokens into the grammar (grammar.y), whose actions call the constructors of the
 * ast_make headers.
 */
#ifndef LAPWING_PARSE_H
#define LAPWING_PARSE_H

#include "parser/ast.h"

struct parser;
struct token;

/* The language version that scripts see as systemtap_v by default. */
#define PARSE_SYSTEMTAP_V "5.6"

/* The environment of the preprocessor and the lexer. */
struct parse_env {
	const char	*const *argv;	/* script arguments: $1 is argv[0] */
	unsigned	argc;
	/* for each argument: set to 1 when it is read; NULL: not needed */
	unsigned char	*used;
	int		guru;		/* embedded C allowed */
	int		is_tapset;
	const char	*kernel_v, *kernel_vr, *arch;
	const char	*runtime;	/* NULL: "kernel" */
	const char	*library_runtime;	/* what code that a declaration stands for sees */
	const char	*privilege;	/* NULL: "stapdev" */
	const char	*systemtap_v;	/* the language's version; NULL: PARSE_SYSTEMTAP_V */
	/* CONFIG_x of the target kernel, or NULL */
	char		*(*config)(const char *name, void *data);
	/*
	 * A library file that may define the macro "name" and was not returned before, or NULL. The
	 * ast takes ownership.
	 */
	struct source	*(*macros)(const char *name, void *data);
	void		*data;
};

/*
 * Parses a source (the ast takes ownership), appends to ast->files. NULL: there were parse errors
 * (reported).
 */
struct ast_node *ast_parse(struct ast *ast, struct source *src, const struct parse_env *env);

/* For parser/ only: the token at i; beyond the last one: the last one, which is the EOF. */
const struct token *parse_token(const struct parser *p, unsigned i);

#endif
