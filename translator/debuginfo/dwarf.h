/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf.h - what only DWARF knows of a kernel or module: source lines, inlined copies, labels,
 * locals and where they are.
 *
 * Types come out as BTF ids (dwarf_type.c), so that whoever asks needs one kind of type only.
 * Places are symbol and offset. It knows neither probes nor the running kernel. Texts live as long
 * as the struct dwarf.
 */
#ifndef LAPWING_DWARF_H
#define LAPWING_DWARF_H

#include <glib.h>

struct btf;
struct dwarf;

/* From now on debuginfod's servers (DEBUGINFOD_URLS) are asked for what is not here. */
void dwarf_ask_servers(void);
/*
 * base: BTF whose named types are used if they have the same size; it must outlive this. NULL: *why
 * (static).
 */
struct dwarf *dwarf_open(const char *path, const struct btf *base, const char **why);
void dwarf_close(struct dwarf *d);

enum dwarf_kind { DWARF_ENTRY, DWARF_INLINE, DWARF_STATEMENT, DWARF_NEAREST, DWARF_LABEL };

/* Patterns are fnmatch's; a file matches by its end ("fs/read_write.c"). */
struct dwarf_query {
	enum dwarf_kind	kind;
	const char	*function;
	const char	*file;		/* or NULL: any */
	/* "12", "12-15", "3,7-9", "*", "+4" from the function's first line; NULL: all */
	const char	*lines;
	const char	*label;		/* pattern, of DWARF_LABEL */
};

/*
 * A return address: it is on the stack, in one frame, while the callee runs. Any of these matches.
 */
struct dwarf_return {
	const char	*symbol;
	guint64		offset;
	guint64		address;	/* as in the file */
	guint64		linked;		/* as a program is linked */
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
	const char	*label;		/* of DWARF_LABEL, or NULL */
	guint64		offset;		/* from the symbol */
	guint64		address;	/* as in the file */
	void		*die;		/* of the function or the inlined copy, in libdw */
	int		line;
	int		inlined;
	const struct dwarf_frame *frame;	/* for a callee: where its calls return to; NULL:
						 * anywhere. Owned by the struct dwarf */
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
 * For a query whose lines have no code: the nearest lines with code, "12 and 15", or NULL. Caller
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

#endif
