/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value_type.h - the types that a script's values point to, so that x->y needs no @cast: types of
 * target variables propagate through locals, arguments and results of functions, never through
 * globals.
 */
#ifndef LAPWING_VALUE_TYPE_H
#define LAPWING_VALUE_TYPE_H

#include "translator/program/program.h"

struct btf;

/* The type of a value; without btf: none. */
struct value_type {
	const struct btf *btf;
	guint32		type;		/* of the value, or of its target */
	int		is_pointer;
	int		user;		/* points into the process's memory, not the kernel's */
	const struct probe *probe;	/* for a program: provides the debuginfo of the type */
};

/*
 * Infers the types of variables and results, from unlowered bodies, and stores the type of each
 * x->y (u.target.of). Replaces earlier results.
 */
void value_types_infer(struct program *prog);
/* The type of x in n, an unlowered x->y; without btf: unknown. */
struct value_type value_type_of(struct program *prog, const struct probe *probe,
				const struct ast_node *n);
/* The type of an unlowered expression. */
struct value_type value_type_here(struct program *prog, const struct probe *probe,
				  const struct ast_node *n);

#endif
