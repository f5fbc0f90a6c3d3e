/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lex.h - text to tokens.
 *
 * Private to parser/.
 */
#ifndef LAPWING_PARSER_LEX_H
#define LAPWING_PARSER_LEX_H

#include <glib.h>

struct ast;
struct parse_env;
struct source;

/*
 * All tokens of src, with script arguments inserted, ending with one EOF. An array of struct token;
 * caller frees.
 */
GArray *token_lex(struct ast *ast, struct source *src, const struct parse_env *env);

#endif
