/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preproc.h - what the preprocessor's files share.
 *
 * Private to parser/.
 */
#ifndef LAPWING_PREPROC_H
#define LAPWING_PREPROC_H

#include "parser/token.h"

/*
 * Judges the condition between %( and %?: 1 or 0.  NULL in *error, or the message and its token.
 * n must not be 0.
 */
int preproc_condition(struct ast *ast, const struct parse_env *env, const struct token *cond, unsigned n,
		      const char **error, const struct token **where);

#endif
