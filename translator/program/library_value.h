/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * library_value.h - who needs an expression of the library that has no value: what an alias sets
 * from it, and where the script reads that.
 */
#ifndef LAPWING_LIBRARY_VALUE_H
#define LAPWING_LIBRARY_VALUE_H

#include "translator/program/program.h"

struct library_value {
	struct loc	place;		/* in the user's script; src NULL: nothing there needs it */
	const char	*what;		/* "'code' cannot be read here" */
};

/*
 * Who needs expr, which is in the library: in the body of function f, or if that is NULL of probe
 * p. The script's first read of a variable that comes from it, or first call of a function that
 * needs it, else the script's name of the alias. Sets var->unset of all locals that come from it,
 * and probe->refused where it is not for a variable. After pass names; expr is still in its tree.
 */
struct library_value library_value_of(struct program *prog, struct probe *p, struct function *f,
				      const struct ast_node *expr);

#endif
