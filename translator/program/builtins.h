/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * builtins.h - the builtin functions: builtins.def.
 */
#ifndef LAPWING_PROGRAM_BUILTINS_H
#define LAPWING_PROGRAM_BUILTINS_H

#include "parser/ast.h"

enum builtin_flags {
	BUILTIN_CTX = 1,	/* its first argument is c */
	BUILTIN_FAILS = 2,	/* rt_failed() must be asked after it */
	BUILTIN_EFFECT = 4,	/* must not be dropped or reordered */
	BUILTIN_GURU = 8,	/* has an effect that can do harm: for -g and the library only */
	BUILTIN_SAFE_IN_NMI = 16,	/* whatever it captures or changes is the hit's own */
	BUILTIN_NOT_IN_NMI = 32,	/* looks at other tasks, or at a process's memory */
};
#define BUILTIN_EFFECTS	(BUILTIN_EFFECT | BUILTIN_GURU)

/* What a pass may ask about a call; most builtins are none of these. */
enum builtin_kind {
	BUILTIN_IS_OTHER,
	BUILTIN_IS_ARGUMENT,		/* of the probed function: by its slot, from 0 */
	BUILTIN_IS_ARGUMENT_FROM_1,	/* the same, as scripts count: long_arg(1) */
	BUILTIN_IS_RETURNED, BUILTIN_IS_RETURNED_HIGH, BUILTIN_IS_RETURNVAL,
	BUILTIN_IS_FIELD,		/* of the record that the kernel made of the hit */
	BUILTIN_IS_LOAD, BUILTIN_IS_USER_LOAD,
	BUILTIN_IS_KERNEL_TEXT, BUILTIN_IS_KERNEL_TEXT_N, BUILTIN_IS_USER_TEXT,
	BUILTIN_IS_USER_QUOTED,
	BUILTIN_IS_DWARF_REGISTER,
	BUILTIN_IS_REGISTERS,		/* any register, by a name that is known at the hit */
	BUILTIN_IS_USER_ADDRESS,	/* of the probed file, as linked */
	BUILTIN_IS_NARROW, BUILTIN_IS_BITS,
	BUILTIN_IS_MM_ADDRESS,		/* where arguments and environment lie */
	BUILTIN_IS_UNREAD,
	BUILTIN_IS_PMU_QUALITY,
	BUILTIN_IS_STOPWATCH,		/* its argument is the number of the handler's stopwatch */
	BUILTIN_IS_FLOOR_TAKE,		/* its first argument is the number of a floor */
};

/* A builtin function: a row of builtins.def. */
struct builtin {
	const char	*name;
	enum ast_type	type;		/* result; TYPE_UNKNOWN: none */
	const char	*args;		/* "sl": string, long */
	const char	*call;		/* the rt.h function */
	unsigned	flags;		/* enum builtin_flags, or-ed */
	unsigned	capture;	/* enum rt_capture, or-ed */
	const char	*note;		/* one line for --dump-functions */
	enum builtin_kind kind;
};
extern const struct builtin builtins[];	/* ends with a NULL name */
const struct builtin *builtin_find(const char *name, unsigned nargs);
/* Is it a call of a builtin of that kind? */
int builtin_is_call(const struct ast_node *n, enum builtin_kind kind);

#endif
