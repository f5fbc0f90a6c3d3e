/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_var.h - variables and their locations: steps of a stack machine, or pieces.
 */
#ifndef LAPWING_DEBUGINFO_DWARF_VAR_H
#define LAPWING_DEBUGINFO_DWARF_VAR_H

#include <glib.h>

struct btf;
struct dwarf;
struct dwarf_place;

/* One step of a stack machine that computes a value or an address. */
struct dwarf_step {
	enum {
		STEP_NUMBER,
		STEP_REGISTER,
		STEP_LOAD,
		STEP_BINARY,
		STEP_NEGATE,
		STEP_NOT,
		STEP_DUP,
		STEP_SWAP,
		STEP_SYMBOL
	} step;
	/* number; register; bytes to load; offset from the symbol */
	gint64		a;
	const char	*text;		/* "+", "<<" ...; symbol, NULL: none nearby */
	guint64		address;	/* of a symbol, as in the file */
};

struct dwarf_value {
	enum {
		VALUE_IN_REGISTER,
		VALUE_IN_MEMORY,
		VALUE_COMPUTED,
		VALUE_IN_ARGUMENT,
		VALUE_AT_ARGUMENT,
		VALUE_IN_PIECES,
		VALUE_GONE
	} where;
	/*
	 * DWARF's number; or slot of the ABI, from 0, with the value or (AT) its address
	 */
	unsigned	reg;
	/* struct dwarf_step: the address, or the value; owned by the caller, may be NULL */
	GArray		*steps;
	/*
	 * of VALUE_IN_PIECES: struct dwarf_value, from the first byte on; GONE: optimized out
	 */
	GArray		*pieces;
	guint64		bits;		/* size of a piece */
	/* that type belongs to; lives as long as the struct dwarf */
	const struct btf *btf;
	guint32		type;
};

/* Frees the steps and pieces. */
void dwarf_value_clear(struct dwarf_value *value);
/*
 * The innermost variable or parameter of that name at a place. 0 with *why (static or of d): none,
 * or optimized out there.
 */
int dwarf_variable(struct dwarf *d, const struct dwarf_place *place, const char *name,
		   struct dwarf_value *value, const char **why);
/*
 * A global variable: of the place's source file, or any that this file declares.
 */
int dwarf_file_global(struct dwarf *d, const struct dwarf_place *place, const char *name,
		      struct dwarf_value *value, const char **why);
/* A global variable of that file; NULL: of any file. */
int dwarf_global(struct dwarf *d, const char *name, const char *file, struct dwarf_value *value,
		 const char **why);
/* Names in scope at a place: enum dwarf_names, or-ed. Free with g_ptr_array_unref. */
enum dwarf_names { DWARF_PARAMETERS = 1, DWARF_LOCALS = 2 };
GPtrArray *dwarf_names(struct dwarf *d, const struct dwarf_place *place, unsigned which);

#endif
