/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recipe.h - how one kernel's modules are made: commands, the objects that every script shares, the symbols they import.
 */
#ifndef LAPWING_RECIPE_H
#define LAPWING_RECIPE_H

#include <glib.h>

struct recipe {
	GPtrArray	*steps;		/* char **: argument vectors, in order */
	GPtrArray	*objects;	/* char *: file names of the shared objects */
	GHashTable	*imports;	/* names that the module may import: those with known versions */
};

struct recipe *recipe_new(void);
void recipe_free(struct recipe *r);
/*
 * Reads back how kbuild made NAME.ko in dir; scripts are to find rt.h in `include`. imports stays empty. NULL: this kernel's build does
 * something that we do not know. recipe_free() frees.
 */
struct recipe *recipe_capture(const char *dir, const char *name, const char *include);
/* As text, one line an item. Caller frees. */
char *recipe_print(const struct recipe *r);
/* Back from text. NULL: it is none. recipe_free() frees. */
struct recipe *recipe_parse(const char *text);

#endif
