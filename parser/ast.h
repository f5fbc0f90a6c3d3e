/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ast.h - the tree.
 *
 * Built by the grammar through ast_* constructors, changed by translator passes.
 * Nodes live in the arena of the struct ast they were built in and are freed
 * with it.  The parser fills everything but the members marked "pass NAME".
 * Statement and argument lists are arrays that can grow through ast_append().
 */
#ifndef LAPWING_AST_H
#define LAPWING_AST_H

#include "lib/diag.h"
#include "lib/source.h"
#include "parser/probe_point.h"

#include <stdint.h>

enum ast_kind {
#define AST(kind, word, member) AST_##kind,
#include "parser/ast.def"
#undef AST
	AST_KINDS
};

enum ast_type { TYPE_UNKNOWN, TYPE_LONG, TYPE_STRING, TYPE_STATS };

/* Operators as text: "+", "<<=", "!~" ...: interned (g_intern_string), so == compares them. */

struct ast_list {
	struct ast_node	**at;
	unsigned	n, room;
};

struct ast_param {
	const char	*name;
	enum ast_type	type;		/* declared, or TYPE_UNKNOWN */
	struct loc	loc;
};

/* One suffix of a target variable: ->name, [expr], or a pretty-print mark. */
struct ast_suffix {
	enum { SUFFIX_MEMBER, SUFFIX_INDEX, SUFFIX_PRETTY } kind;
	const char	*member;	/* for PRETTY: "$" or "$$" */
	struct ast_node	*index;
	struct loc	loc;
};

/* A column of the record that stp() writes. */
struct ast_column {
	const char	*name;
	int		is_named;	/* by the script */
	char		kind;		/* as in wire.h's records. pass columns */
};

struct var;				/* translator/program/program.h */
struct function;

struct ast_node {
	enum ast_kind	kind;
	enum ast_type	type;		/* of an expression; pass types */
	struct loc	loc;		/* all of it */
	/* the token that errors point at: the operator, the name ... */
	struct loc	mark;
	/* levels of nodes below; the parser keeps it under AST_DEPTH_MAX */
	unsigned	depth;
	union {
		struct { int64_t value; } number;
		struct { const char *text; } string;	/* escapes kept: C between quotes */
		struct { const char *name; struct var *var; } name;	/* var: pass names */
		struct {
			enum { TARGET_DOLLAR, TARGET_CAST, TARGET_VAR, TARGET_AUTOCAST } form;
			const char	*name;		/* "$x", or @var's argument */
			const char	*type_name, *module;	/* @cast / @var strings, or NULL */
			struct ast_node	*operand;	/* @cast, autocast */
			struct ast_suffix *suffixes;
			unsigned	nsuffixes;
			int		address_of;	/* & in front */
		} target;
		struct {
			const char	*name;
			struct ast_list	keys;		/* a NULL entry is '*' */
			struct var	*var;		/* pass names */
		} index;
		struct {
			const char	*name;
			struct ast_list	args;
			struct function	*function;	/* pass names: a script function, or NULL */
			const struct builtin *builtin;	/* pass names: or one of builtins.def */
		} call;
		struct {
			const char	*name;		/* printf, sprintln ... */
			int		to_string;	/* sprint family */
			/* printf's format or printd's delimiter, escapes kept; else NULL */
			const char	*format;
			/* values; a single HIST for print(@hist...) */
			struct ast_list	args;
			struct ast_column *columns;	/* stp(): one per value; else NULL */
		} print;
		struct { const char *name; struct ast_node *value; } named;
		struct { const char *op; struct ast_node *operand; int64_t number; } statop; /* "@count" ...; 2nd argument or -1 */
		struct {
			int		linear;
			struct ast_node	*operand;	/* NAME or INDEX */
			int64_t		low, high, step;
		} hist;
		struct { struct ast_node *hist, *index; } bucket;
		struct { const char *op; struct ast_node *operand; } unary;
		struct { const char *op; struct ast_node *operand; int prefix; } crement;
		struct { const char *op; struct ast_node *left, *right; } binary;
		struct { const char *op; struct ast_node *left; const char *pattern; } regex;
		struct { struct ast_node *cond, *yes, *no; } ternary;
		/* array: NAME or HIST; NULL key is '*' */
		struct { struct ast_list keys; struct ast_node *array; } in;
		struct { const char *op; struct ast_list args; } atop;		/* op: "@defined" ... */
		struct {
			const char	*text;		/* between %{ and %} */
			/* globals that its pragmas name. pass names */
			struct var	**vars;
			int		*writes;	/* for each: 1 if it may be written */
			unsigned	nvars;
		} embed;
		struct ast_list	list;
		struct { struct ast_node *expr; } expr;
		struct { struct ast_node *cond, *yes, *no; } cond;		/* no may be NULL */
		/* init, cond, step may be NULL */
		struct { struct ast_node *init, *cond, *step, *body; } loop;
		struct {
			const char	*value;		/* v of foreach (v = [k] in a), or NULL */
			struct loc	value_loc;
			struct ast_param *keys;		/* names */
			unsigned	nkeys;
			struct ast_node	*array;		/* NAME or HIST */
			struct ast_list	slice;		/* empty: none; NULL entry: '*' */
			/* 0: none; 1..n: key; -1: by value (or sort_op) */
			int		sort_key;
			int		sort_dir;	/* +1, -1 */
			const char	*sort_op;	/* "@count" ... or NULL */
			struct ast_node	*limit, *body;
			struct var	**key_vars;	/* pass names */
			struct var	*value_var;	/* pass names */
			struct var	*array_var;	/* pass names */
		} foreach;
		struct {
			struct ast_node	*body;
			const char	*name;		/* catch (name), or NULL */
			struct loc	name_loc;
			struct ast_node	*handler;
			struct var	*var;		/* pass names */
		} try_;
		struct {
			const char	*name;
			/* when it is full: wrap or drop; neither: an error */
			int		wrap, drop, private_;
			int		hidden;		/* created by a pass: never displayed */
			int64_t		size;		/* 0: not given */
			struct ast_node	*init;		/* NUMBER or STRING, or NULL */
		} global;
		struct {
			const char	*name;
			enum ast_type	type;		/* declared, or TYPE_UNKNOWN */
			struct ast_param *params;
			unsigned	nparams;
			int64_t		priority;	/* -1: not given */
			int		private_;
			struct ast_node	*body;		/* BLOCK or EMBED */
		} function;
		struct {
			struct probe_point *points;
			unsigned	npoints;
			struct ast_node	*body;
			/* its position in lists with '!', or NULL. pass alias */
			struct probe_turn *turn;
		} probe;
		struct {
			struct probe_point *names;	/* chained names: probe a = b = ... */
			unsigned	nnames;
			int		epilogue;	/* '+=' */
			struct probe_point *points;
			unsigned	npoints;
			struct ast_node	*body;
			struct ast_node	*epilogue_body;	/* second block, or NULL */
		} alias;
	} u;
};

/* Walking, copying and printing recurse: this bounds their stack. */
#define AST_DEPTH_MAX	2000

/* One compilation's trees: the arena and the sink. */
struct ast {
	struct diag_sink *diag;
	GPtrArray	*sources;	/* struct source, owned */
	GPtrArray	*files;		/* struct ast_node of kind FILE */
	GHashTable	*macros;	/* library macros read so far: preproc.c's */
	void		*arena;
	unsigned	stopwatches;	/* declared so far, including parts of callgraphs */
	unsigned	floors;		/* floors that they and the script's handlers read */
	int		has_callgraph;
};

struct ast *ast_new(struct diag_sink *diag);
void ast_free(struct ast *ast);
/* Zeroed memory and strings that live as long as the ast. */
void *ast_alloc(struct ast *ast, size_t bytes);
char *ast_strdup(struct ast *ast, const char *text);
char *ast_printf(struct ast *ast, const char *format, ...) G_GNUC_PRINTF(2, 3);

struct ast_node *ast_node_new(struct ast *ast, enum ast_kind kind, struct loc loc);
void ast_append(struct ast *ast, struct ast_list *list, struct ast_node *node);
/* Deep copy, with what passes have found out about the nodes. */
struct ast_node *ast_copy(struct ast *ast, const struct ast_node *node);
/*
 * Records in node, a copy, and in everything below it, that it came from the expansion via, after
 * earlier expansions.
 */
void ast_mark_expanded(struct ast *ast, struct ast_node *node, const struct expansion *via);
/* The same for one location. */
void ast_expand_loc(struct ast *ast, struct loc *loc, const struct expansion *via);

const char *ast_kind_word(enum ast_kind kind);
const char *type_word(enum ast_type type);

#endif
