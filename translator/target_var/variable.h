/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * variable.h - target variables: $x->y[i] and @cast to loads, by BTF and the ABI.
 *
 * A location is where a value is: in an argument, a result, memory, or it is computed. Steps (->,
 * []) turn one location into another; no step emits code before the value or address is requested.
 * Errors are texts: the caller reports them, or evaluates @defined by them.
 */
#ifndef LAPWING_VARIABLE_H
#define LAPWING_VARIABLE_H

#include "translator/program/program.h"

struct btf;

/* One expression being lowered. */
struct lowering {
	struct program	*prog;
	const struct probe *probe;	/* NULL in a function, which has casts only (per_probe.c) */
	const struct ast_node *node;	/* gives new nodes their source location */
	const struct btf *btf;
	const char	*text;		/* the "near" text of a failing load's message */
	const char	*why;		/* the reason of a failure; arena */
	int		user;		/* addresses are of the process, not of the kernel */
};

struct location {
	enum { IN_NONE, IN_ARGUMENT, IN_RESULT, IN_REGISTER, IN_MEMORY, COMPUTED, IN_PIECES } where;
	guint32		type;
	unsigned	slot;		/* argument: of the ABI, from 0; register: DWARF's number */
	int		is_cast;	/* memory: a plain @cast(p, "type") without steps yet */
	int		is_member;	/* of a larger object */
	struct ast_node	*base;		/* memory: an address; computed: the value */
	guint64		bit;		/* from base, or from the slot's start */
	unsigned	width;		/* of a bitfield; 0: none */
	const struct location_piece *pieces;	/* of IN_PIECES, in order; arena */
	unsigned	npieces;
};

/* A part of a variable whose parts are in several locations. */
struct location_piece {
	struct location	location;		/* IN_NONE: it is optimized out */
	guint64		bits;		/* size of the part */
};

/* The value of an AST_TARGET as an expression of plain nodes, or NULL with *why (arena). */
struct ast_node *variable_lower(struct program *prog, const struct probe *probe,
				const struct ast_node *target, const char **why);
/*
 * User runtime: true if the AST_TARGET at p's return is a value that must be kept from the entry.
 */
int variable_is_kept(struct program *prog, const struct probe *p, const struct ast_node *target);
/*
 * The string that the AST_TARGET points to, if it must be captured at the hit. NULL with *why: it
 * cannot be; NULL without: it need not be.
 */
struct ast_node *variable_text(struct program *prog, const struct probe *probe,
			       const struct ast_node *target, const char **why);
/* A store of value, an expression of plain nodes, to the target (-g only). NULL with *why. */
struct ast_node *variable_store(struct program *prog, const struct probe *probe,
				const struct ast_node *target, struct ast_node *value,
				const char **why);
/* What a pointer's value points to: a struct or union by name, and where its types are. Arena. */
struct pointee {
	const char	*type, *module;
};
/* NULL: the target is not known here, or does not point to a struct or union that has a name. */
const struct pointee *variable_pointee(struct program *prog, const struct probe *probe,
				       const struct ast_node *target);
/* " $file:struct file* $count:size_t" of a probe, or "". Caller frees. */
char *variable_list(struct program *prog, const struct probe *probe);
/* True if the parameters of the probed function or tracepoint are known. 0 with *why (arena). */
int variable_has_prototype(struct program *prog, const struct probe *probe, const char **why);
/*
 * "NAME=0x1 OTHER=0x2 ...", the enumerators of the target's type: for decode_value(). Arena. NULL
 * with *why: the target is not known here; NULL without: its type is no enum.
 */
const char *variable_enumerators(struct program *prog, const struct probe *probe,
				 const struct ast_node *target, const char **why);
/* An enumerator's value by name; 0: none. */
int variable_enum(struct program *prog, const char *name, gint64 *value);

/* The module of a probe's code, by its family's row; NULL: the kernel proper, or no code. */
const char *variable_module(const struct probe *probe);
/* The address of a kernel variable plus offset. */
struct ast_node *lower_symbol(struct lowering *l, const char *name, const char *module,
			      gint64 offset);

#endif
