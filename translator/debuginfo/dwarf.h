/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf.h - what only DWARF describes of a kernel or module: source lines, inlined subroutines,
 * labels, local variables and their locations.
 *
 * Types are returned as BTF ids (dwarf_type.c), so that callers handle one kind of type only.
 * Places are symbol and offset. It knows neither probes nor the running kernel. Strings live as
 * long as the struct dwarf.
 */
#ifndef LAPWING_DWARF_H
#define LAPWING_DWARF_H

#include <glib.h>

struct btf;
struct dwarf;

/* From now on, missing files are requested from the debuginfod servers (DEBUGINFOD_URLS). */
void dwarf_ask_servers(void);
/*
 * base: BTF whose named types are used if they have the same size; it must outlive the result. NULL
 * with *why (static).
 */
struct dwarf *dwarf_open(const char *path, const struct btf *base, const char **why);
void dwarf_close(struct dwarf *d);

enum dwarf_kind { DWARF_ENTRY, DWARF_INLINE, DWARF_STATEMENT, DWARF_NEAREST, DWARF_LABEL };

/* Patterns are fnmatch's; a file matches by the end of its path ("fs/read_write.c"). */
struct dwarf_query {
	enum dwarf_kind	kind;
	const char	*function;
	const char	*file;		/* or NULL: any */
	/* "12", "12-15", "3,7-9", "*", "+4" from the function's first line; NULL: all */
	const char	*lines;
	const char	*label;		/* pattern, for DWARF_LABEL */
};

/*
 * A return address, which is in one frame on the stack while the callee runs. Any address of
 * struct dwarf_frame.returns matches.
 */
struct dwarf_return {
	const char	*symbol;
	guint64		offset;
	guint64		address;	/* as in the file */
	guint64		linked;		/* link address of a program */
};

struct dwarf_frame {
	GArray		*returns;	/* struct dwarf_return */
	const struct dwarf_frame *above;	/* the caller's own return; NULL: any */
};

struct dwarf_place {
	const char	*function;	/* in the source: for an inlined copy, the inlined
					 * function */
	const char	*symbol;	/* the function of the symbol table that contains it */
	const char	*file;		/* base name */
	const char	*label;		/* for DWARF_LABEL, else NULL */
	guint64		offset;		/* from the symbol */
	guint64		address;	/* as in the file */
	void		*die;		/* libdw's, of the function or the inlined copy */
	int		line;
	int		inlined;
	const struct dwarf_frame *frame;	/* for a callee: return addresses of its calls;
						 * NULL: any. Owned by the struct dwarf */
};

/*
 * True if a function with a matching name has inlined copies. Cheap: the names are collected once.
 */
int dwarf_inlines(struct dwarf *d, const char *pattern);
/* struct dwarf_place in source order; free with g_array_unref. */
GArray *dwarf_places(struct dwarf *d, const struct dwarf_query *query);
/* The first split DWARF file (.dwo) that is missing, or NULL. */
const char *dwarf_missing(struct dwarf *d);
/*
 * The nearest lines with code, "12 and 15", for a query whose lines have none; NULL: none. Caller
 * frees.
 */
char *dwarf_lines_near(struct dwarf *d, const struct dwarf_query *query);

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
	const char	*text;		/* operator: "+", "<<" ...; symbol, NULL: none nearby */
	guint64		address;	/* of the symbol, as in the file */
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
	 * DWARF register number; or the ABI's argument slot, from 0, that holds the value or (AT)
	 * its address
	 */
	unsigned	reg;
	/* struct dwarf_step that compute the address or value; owned by the caller, may be NULL */
	GArray		*steps;
	/*
	 * for VALUE_IN_PIECES: struct dwarf_value, from the first byte on; GONE: optimized out
	 */
	GArray		*pieces;
	guint64		bits;		/* size of a piece */
	/* the BTF of type; lives as long as the struct dwarf */
	const struct btf *btf;
	guint32		type;
};

#endif
