/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * builtins.c - the table of builtins.def, and lookup in it.
 *
 * The runtimes implement the functions (rt.h).
 */
#include "translator/program/builtins.h"

#include "translator/program/program.h"

#include <string.h>

const struct builtin builtins[] = {
#define BUILTIN(name, type, args, call, flags, capture, note, ...) { name, TYPE_##type, args, call, flags, capture, note, __VA_ARGS__ },
#include "translator/program/builtins.def"
#undef BUILTIN
	{ NULL }
};

const struct builtin *builtin_find(const char *name, unsigned nargs)
{
	for (const struct builtin *b = builtins; b->name; b++)
		if (!strcmp(b->name, name) && strlen(b->args) == nargs)
			return b;
	return NULL;
}
