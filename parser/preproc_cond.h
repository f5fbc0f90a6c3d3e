/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preproc_cond.h - conditions between %( and %?.
 *
 * Private to parser/.
 */
#ifndef LAPWING_PARSER_PREPROC_COND_H
#define LAPWING_PARSER_PREPROC_COND_H

#include "lib/diag.h"

struct ast;
struct parse_env;
struct token;

/* The fault of a condition: the token, and a message with its argument. at NULL: none. */
struct preproc_fault {
	const struct token *at;
	enum diag_code	code;
	const char	*argument;
};

/*
 * Evaluates the condition between %( and %?: 1 or 0, meaningless if there is a fault. n must not be
 * 0.
 */
int preproc_condition(struct ast *ast, const struct parse_env *env, const struct token *cond,
		      unsigned n, struct preproc_fault *fault);

#endif
