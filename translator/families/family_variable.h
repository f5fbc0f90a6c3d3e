/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_variable.h - $variables that a probe family itself defines, such as procfs' $value:
 * builtins that read, set and append.
 */
#ifndef LAPWING_FAMILY_VARIABLE_H
#define LAPWING_FAMILY_VARIABLE_H

#include "translator/program/program.h"

struct family_variable {
	const char	*name;		/* "$value"; NULL ends a table */
	const char	*type;		/* for -L: "string" */
	const struct builtin *read, *set, *append;	/* NULL: not possible */
	const char	*why;		/* what to use instead, for messages */
	gint64		argument;	/* argument of read; 0: none */
};

/* True if the probe's family itself defines its variables. */
int family_variable_has(const struct probe *probe);
/*
 * The value of a variable, or of $$vars or $$parms, which list all readable ones; or NULL with *why
 * (static or arena).
 */
struct ast_node *family_variable_read(struct program *prog, const struct probe *probe,
				      const struct ast_node *target, const char **why);
/* The call for `$value = e` or `$value .= e`, or NULL with *why. */
struct ast_node *family_variable_write(struct program *prog, const struct probe *probe,
				       const struct ast_node *assign, const char **why);
/* " $value:string" or "". Caller frees. */
char *family_variable_list(const struct probe *probe);

#endif
