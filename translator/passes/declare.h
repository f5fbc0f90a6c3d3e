/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * declare.h - what the program's files declare: globals and functions, those of the library on
 * first use.
 */
#ifndef LAPWING_PASSES_DECLARE_H
#define LAPWING_PASSES_DECLARE_H

#include "translator/program/program.h"

/* The symbol tables of pass names. */
struct scope {
	struct program *prog;
	/* declared; library names enter the program on first use */
	GHashTable *globals;	/* name with a visibility mark -> struct declared */
	GHashTable *functions;	/* name -> GPtrArray of struct declared */
	GHashTable *cnames;	/* C names in use */
	unsigned files;		/* number of files declared so far */
	int in_library;		/* binding a library function: the user's globals are invisible */
	/* of the function or probe being bound: */
	GHashTable *locals;	/* name -> struct var; NULL in a probe condition: no new ones */
	GHashTable *taken;	/* C names of the locals */
	GPtrArray *list;	/* receives new locals */
	struct ast_node *body;	/* of the function or probe, for @probewrite */
	struct probe *probe;	/* NULL: a function, or a condition */
	int assigned;		/* binding a name that is one side of an assignment */
};

/* prefix_name, with characters that C does not allow replaced, made unique in taken. */
const char *make_cname(struct program *prog, GHashTable *taken, char prefix, const char *name);
struct var *var_new(struct program *prog, const char *name, struct loc loc);

/* Adds the declarations in the program's files; the user's globals enter the program. */
void scope_open(struct scope *s);
void scope_close(struct scope *s);
/* The global that a name in src refers to, or NULL. */
struct var *find_global(struct scope *s, const char *name, struct source *src);
/* The function that a call refers to, in the loaded files, or NULL. */
struct function *find_function(struct scope *s, const struct ast_node *call);
/* The same, after loading the library files that may have it. */
struct function *find_library_function(struct scope *s, const struct ast_node *call);

/* Refuses embedded C that cannot run in the user runtime. */
void check_embedded(struct scope *s, const struct ast_node *embed);
/*
 * Arity of a function with that name but another number of parameters, for the message. -1: none.
 */
int other_arity(struct scope *s, const struct ast_node *call);
/* The names of all functions that may be called in src, not owned. */
GPtrArray *function_names(struct scope *s, const struct source *src);
int is_function(struct scope *s, const char *name, const struct source *src);

#endif
