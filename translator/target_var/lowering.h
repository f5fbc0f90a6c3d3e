/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lowering.h - what the files of target_var/ share: one expression being lowered, and locations.
 *
 * A location is where a value lies: in an argument, a result, memory, or it is computed. Steps (->,
 * []) turn one location into another; no step emits anything before the value or address is asked
 * for. Errors are texts: the caller reports, or decides @defined by them.
 */
#ifndef LAPWING_TARGET_VAR_LOWERING_H
#define LAPWING_TARGET_VAR_LOWERING_H

#include <glib.h>

struct ast_node;
struct btf;
struct probe;
struct program;

/* One expression being lowered. */
struct lowering {
	struct program	*prog;
	const struct probe *probe;	/* NULL in a function */
	const struct ast_node *node;	/* gives new nodes their position */
	const struct btf *btf;
	const char	*text;		/* what "near" calls a failing load */
	const char	*why;		/* set where something failed; arena */
	int		user;		/* addresses are the process's, not the kernel's */
};

struct location {
	enum { IN_NONE, IN_ARGUMENT, IN_RESULT, IN_REGISTER, IN_MEMORY, COMPUTED, IN_PIECES } where;
	guint32		type;
	unsigned	slot;		/* argument: of the ABI, from 0; register: DWARF's number */
	int		is_cast;	/* memory: @cast(p, "type") so far */
	int		is_member;	/* of something larger */
	struct ast_node	*base;		/* memory: an address; computed: the value */
	guint64		bit;		/* from base, or from the slot's start */
	unsigned	width;		/* of a bitfield; 0: none */
	const struct location_piece *pieces;	/* of IN_PIECES, in their order; arena */
	unsigned	npieces;
};

/* A part of a variable that lies in several places. */
struct location_piece {
	struct location	location;		/* IN_NONE: it is optimized out */
	guint64		bits;		/* how much of the variable it is */
};

#endif
