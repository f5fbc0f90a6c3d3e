/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_variable.h - $variables that a probe family makes up itself, such as procfs' $value: builtins that read, set and append.
 */
#ifndef LAPWING_FAMILY_VARIABLE_H
#define LAPWING_FAMILY_VARIABLE_H

#include "translator/program/program.h"

struct family_variable {
	const char	*name;		/* "$value"; NULL ends a table */
	const char	*type;		/* for -L: "string" */
	const struct builtin *read, *set, *append;	/* NULL: that cannot be done */
	const char	*why;		/* what can be done instead; for messages */
	gint64		argument;	/* what read is called with; 0: nothing */
};

/* Does the probe's family make up its variables? */
int family_variable_has(const struct probe *probe);
/* The value of a variable, or of $$vars or $$parms, which list all that can be read; or NULL with *why (static or arena). */
struct ast_node *family_variable_read(struct program *prog, const struct probe *probe, const struct ast_node *target, const char **why);
/* `$value = e` and `$value .= e` as a call, or NULL with *why. */
struct ast_node *family_variable_write(struct program *prog, const struct probe *probe, const struct ast_node *assign, const char **why);
/* " $value:string" or "". Caller frees. */
char *family_variable_list(const struct probe *probe);

#endif
