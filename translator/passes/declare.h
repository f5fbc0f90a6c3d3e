/* SPDX-License-Identifier: GPL-2.0-or-later */
/* declare.h - globals and functions: who declares them, who sees them, which a name means. */
#ifndef LAPWING_PASSES_DECLARE_H
#define LAPWING_PASSES_DECLARE_H

#include "translator/program/program.h"

struct scope {
	struct program *prog;
	/* declared; made in the program when first wanted if they are the library's */
	GHashTable *globals;	/* name with a mark of who sees it -> struct declared */
	GHashTable *functions;	/* name -> GPtrArray of struct declared */
	GHashTable *cnames;	/* taken in C */
	unsigned files;		/* declared so far */
	int in_library;		/* a library function is being bound: the user's globals are not in sight */
	/* of the function or probe being bound */
	GHashTable *locals;	/* name -> struct var; NULL at a probe condition: no new ones */
	GHashTable *taken;	/* their names in C */
	GPtrArray *list;	/* where new locals go */
	struct ast_node *body;	/* of it, for @probewrite */
	struct probe *probe;	/* NULL: a function, or a condition */
	int assigned;		/* a name that is one side of an assignment is being bound */
};

/* prefix_name, with what C does not allow replaced and made unique in taken. */
const char *make_cname(struct program *prog, GHashTable *taken, char prefix, const char *name);
struct var *var_new(struct program *prog, const char *name, struct loc loc);

/* Declares what the program's files hold; the user's globals enter the program. */
void scope_open(struct scope *s);
void scope_close(struct scope *s);
/* The global that a name written in src means, or NULL. */
struct var *find_global(struct scope *s, const char *name, struct source *src);
/* The function a call means, of the files that are there, or NULL. */
struct function *find_function(struct scope *s, const struct ast_node *call);
/* The same from library files that come in for it. */
struct function *find_library_function(struct scope *s, const struct ast_node *call);

/* Refuses embedded C that cannot run in the user runtime. */
void check_embedded(struct scope *s, const struct ast_node *embed);
/* A function of that name with another number of parameters, for the message. -1: there is none. */
int other_arity(struct scope *s, const struct ast_node *call);
/* The names of all functions that may be called in src, not owned. */
GPtrArray *function_names(struct scope *s, const struct source *src);
int is_function(struct scope *s, const char *name, const struct source *src);

#endif
