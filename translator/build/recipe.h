/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recipe.h - how to build modules for one kernel: commands, shared objects, and the symbols that
 * modules may import.
 */
#ifndef LAPWING_RECIPE_H
#define LAPWING_RECIPE_H

#include <glib.h>

struct recipe {
	GPtrArray	*steps;		/* char **: argument vectors, in order */
	char		**embedded;	/* in place of the first, for scripts with embedded C: it
					 * finds the kernel's headers */
	GPtrArray	*objects;	/* char *: file names of the shared objects */
	/* names that a module may import: those whose versions are known */
	GHashTable	*imports;
};

void recipe_free(struct recipe *r);
/*
 * Reads how kbuild built NAME.ko in dir; scripts will include rt.h from `include`. imports is
 * empty. NULL: the kernel's build has an unknown step. recipe_free() frees.
 */
struct recipe *recipe_capture(const char *dir, const char *name, const char *include);
/* As text, one line per item. Caller frees. */
char *recipe_print(const struct recipe *r);
/* Parses the text. NULL: invalid. recipe_free() frees. */
struct recipe *recipe_parse(const char *text);

#endif
