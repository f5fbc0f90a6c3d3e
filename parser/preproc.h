/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preproc.h - macros and conditionals: tokens to tokens.
 *
 * Private to parser/.
 */
#ifndef LAPWING_PARSER_PREPROC_H
#define LAPWING_PARSER_PREPROC_H

#include <glib.h>

struct ast;
struct parse_env;

/*
 * The tokens after macros and conditionals, ending with one EOF; errors are reported. Caller frees.
 */
GArray *token_preprocess(struct ast *ast, const GArray *tokens, const struct parse_env *env);
/* An empty table of "@name" -> macro. */
GHashTable *token_macros_new(void);

#endif
