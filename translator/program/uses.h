/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uses.h - effects of a subtree on variables: the only place that knows which constructs read, set,
 * add to, clear and loop over a variable.
 *
 * Works on trees bound by pass names; needs no types.
 */
#ifndef LAPWING_USES_H
#define LAPWING_USES_H

#include "translator/program/program.h"

enum use {
	USE_READ = 1,	/* the value is used */
	USE_WRITE = 2,	/* set, or changed so that order or the new value matters */
	USE_ADD = 4,	/* ++ -- += -= <<< whose value is unused: updates that commute */
	USE_CLEAR = 8,	/* delete, of everything or of an element */
	USE_LOOP = 16,	/* foreach over it */
};
#define USE_CHANGE	(USE_WRITE | USE_ADD | USE_CLEAR)

struct use_visitor {
	/*
	 * One use of a variable; use is enum use, or-ed. node is the location for errors. May be
	 * NULL.
	 */
	void (*var)(struct var *var, unsigned use, struct ast_node *node, void *data);
	/* One call of a script function or a builtin, after its arguments. May be NULL. */
	void (*call)(struct ast_node *call, void *data);
	/* A print statement that writes to the output. May be NULL. */
	void (*output)(struct ast_node *print, void *data);
};

/* Visits a statement or expression in evaluation order. NULL nodes are fine. */
void uses_walk(struct ast_node *node, const struct use_visitor *visitor, void *data);

/*
 * Recounts var->reads and var->writes of all variables; a += whose value is unused is a write only.
 */
void uses_count(struct program *prog);

/*
 * Fills function->reads and ->writes (globals, transitive over calls) and function->recursive;
 * earlier sets are replaced. A write is any of USE_CHANGE.
 */
void uses_functions(struct program *prog);
/*
 * The same sets for one probe, condition included: new tables, caller frees. After
 * uses_functions().
 */
void uses_probe(const struct probe *probe, GHashTable **reads, GHashTable **writes);

/*
 * True if evaluating the node changes more than the hit's temporaries: a variable, output, the
 * session, the result of matched().
 */
int has_effect(struct ast_node *node);
/* The same where possible errors do not count, as the value is unused. */
int changes_something(struct ast_node *node);
/* The same for the script's own code, where calls of KEPT builtins count. */
int script_changes_something(struct ast_node *node);
/* The same for a function's body, whose local variables end with it. */
int body_changes_something(struct ast_node *body);

#endif
