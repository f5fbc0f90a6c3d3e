/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * builtins.c - the table of builtins.def, and look-up in it.
 *
 * The functions themselves are in the runtimes (rt.h).
 */
#include "translator/program/builtins.h"

#include "runtime/rt.h"

#include <string.h>

const struct builtin builtins[] = {
#define CTX BUILTIN_CTX
#define FAILS BUILTIN_FAILS
#define EFFECT BUILTIN_EFFECT
#define GURU BUILTIN_GURU
#define SAFE_IN_NMI BUILTIN_SAFE_IN_NMI
#define NOT_IN_NMI BUILTIN_NOT_IN_NMI
#define BUILTIN(name, type, args, call, flags, capture, ...) \
	ROW(name, type, args, call, flags, capture, __VA_ARGS__, OTHER, )
#define ROW(name, type, args, call, flags, capture, note, kind, ...) \
	{ name, TYPE_##type, args, call, flags, capture, note, BUILTIN_IS_##kind },
#include "translator/program/builtins.def"
#undef ROW
#undef BUILTIN
#undef CTX
#undef FAILS
#undef EFFECT
#undef GURU
#undef SAFE_IN_NMI
#undef NOT_IN_NMI
	{ NULL }
};

const struct builtin *builtin_find(const char *name, unsigned nargs)
{
	for (const struct builtin *b = builtins; b->name; b++)
		if (!strcmp(b->name, name) && strlen(b->args) == nargs)
			return b;
	return NULL;
}

int builtin_is_call(const struct ast_node *n, enum builtin_kind kind)
{
	return n->kind == AST_CALL && n->u.call.builtin && n->u.call.builtin->kind == kind;
}
