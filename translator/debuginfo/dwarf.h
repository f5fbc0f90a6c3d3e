/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf.h - what only DWARF knows of a kernel or module: source lines, inlined copies, labels, locals and where they are.
 *
 * Types come out as BTF ids (dwarf_type.c), so that whoever asks needs one kind of type only. Places are symbol and offset. It knows
 * neither probes nor the running kernel. Texts live as long as the struct dwarf.
 */
#ifndef LAPWING_DWARF_H
#define LAPWING_DWARF_H

#include <glib.h>

struct btf;
struct dwarf;

/* From now on debuginfod's servers (DEBUGINFOD_URLS) are asked for what is not here. */
void dwarf_ask_servers(void);
/* base: BTF whose named types are taken where they have the same size; it must outlive this. NULL: *why (static). */
struct dwarf *dwarf_open(const char *path, const struct btf *base, const char **why);
void dwarf_close(struct dwarf *d);

enum dwarf_kind { DWARF_ENTRY, DWARF_INLINE, DWARF_STATEMENT, DWARF_NEAREST, DWARF_LABEL };

/* Patterns are fnmatch's; a file matches by its end ("fs/read_write.c"). */
struct dwarf_query {
	enum dwarf_kind	kind;
	const char	*function;
	const char	*file;		/* or NULL: any */
	const char	*lines;		/* "12", "12-15", "3,7-9", "*", "+4" from the function's first line; NULL: all */
	const char	*label;		/* pattern, of DWARF_LABEL */
};

/* Where a call returns to: what the stack holds, in one frame, while the callee runs. Any of the places will do. */
struct dwarf_return {
	const char	*symbol;
	guint64		offset;
	guint64		address;	/* as in the file */
	guint64		linked;		/* as a program is linked */
};

struct dwarf_frame {
	GArray		*returns;	/* struct dwarf_return */
	const struct dwarf_frame *above;	/* what the caller must have been called by; NULL: anything */
};

struct dwarf_place {
	const char	*function;	/* in the source: of an inlined copy, what was inlined */
	const char	*symbol;	/* the function of the symbol table it lies in */
	const char	*file;		/* base name */
	const char	*label;		/* of DWARF_LABEL, or NULL */
	guint64		offset;		/* from the symbol */
	guint64		address;	/* as in the file */
	void		*die;		/* of the function, or of the inlined copy: where libdw has it */
	int		line;
	int		inlined;
	const struct dwarf_frame *frame;	/* of a callee: where its calls return to; NULL: anywhere. Of the struct dwarf */
};

/* Has a function whose name matches inlined copies? Cheap: the names are collected once. */
int dwarf_inlines(struct dwarf *d, const char *pattern);
/* struct dwarf_place in the order of the source; free with g_array_unref. */
GArray *dwarf_places(struct dwarf *d, const struct dwarf_query *query);
/*
 * Entries of the functions matching a pattern that those a query for entries finds call, and inlined copies of them there; to depth: what
 * those call too. By the call sites that the compiler tells of: a call through a pointer has none, and one that became a jump leaves no
 * trace of its caller. As dwarf_places().
 */
GArray *dwarf_callees(struct dwarf *d, const struct dwarf_query *callers, const char *pattern, unsigned depth);
/* The first file with the rest of a unit (.dwo) that is not where the unit says it is, or NULL. */
const char *dwarf_missing(struct dwarf *d);
/* Does a row of the table of lines begin at an address, as linked? */
int dwarf_begins_statement(struct dwarf *d, guint64 linked);
/* The nearest lines with code that a query for lines has missed, "12 and 15", or NULL. Caller frees. */
char *dwarf_lines_near(struct dwarf *d, const struct dwarf_query *query);

/* One step of a stack machine that computes a value or an address. */
struct dwarf_step {
	enum { STEP_NUMBER, STEP_REGISTER, STEP_LOAD, STEP_BINARY, STEP_NEGATE, STEP_NOT, STEP_DUP, STEP_SWAP, STEP_SYMBOL } step;
	gint64		a;		/* number; register; bytes to load; offset from the symbol */
	const char	*text;		/* "+", "<<" ...; symbol, NULL: none is near */
	guint64		address;	/* of a symbol, as in the file */
};

struct dwarf_value {
	enum { VALUE_IN_REGISTER, VALUE_IN_MEMORY, VALUE_COMPUTED, VALUE_IN_ARGUMENT, VALUE_AT_ARGUMENT,
	       VALUE_IN_PIECES, VALUE_GONE } where;
	unsigned	reg;		/* DWARF's number; or slot of the ABI, from 0, which holds the value or is where its address is (AT) */
	GArray		*steps;		/* struct dwarf_step: the address, or the value; owned by the caller, may be NULL */
	GArray		*pieces;	/* of VALUE_IN_PIECES: struct dwarf_value, from the first byte on, GONE where there is no such */
	guint64		bits;		/* of a piece: how much of the variable it is */
	const struct btf *btf;		/* the type is of this one; lives as long as the struct dwarf */
	guint32		type;
};

/* Frees the steps and pieces. */
void dwarf_value_clear(struct dwarf_value *value);
/* A variable or parameter seen at a place, the innermost of that name. 0 with *why (static or of d): there is none, or it is not here. */
int dwarf_variable(struct dwarf *d, const struct dwarf_place *place, const char *name, struct dwarf_value *value, const char **why);
/*
 * A parameter as it is at its function's first instruction, before any is run: where code that is not optimized will have put it, it is not
 * yet. 0 with *why.
 */
int dwarf_parameter(struct dwarf *d, const struct dwarf_place *place, const char *name, struct dwarf_value *value, const char **why);
/* A function's parameters and result, as BTF's prototypes have them. 0: DWARF does not know the function. */
guint32 dwarf_prototype(struct dwarf *d, const char *function, const struct btf **btf);
/* The type of what a function returns; 0: nothing, or *why. */
guint32 dwarf_result(struct dwarf *d, const struct dwarf_place *place, const struct btf **btf);
/* A type by its name: "struct x", "union x", "enum x", or one that is declared by that name alone. 0: there is none. */
guint32 dwarf_type(struct dwarf *d, const char *name, const struct btf **btf);
/* The function that an address lies in, as in the file. 0: none that DWARF knows. */
int dwarf_place_at(struct dwarf *d, guint64 address, struct dwarf_place *place);
/*
 * A function at or before the symbol that an address is in, whose name fits, and how far behind it that symbol starts. 0: there is none,
 * or none that the kernel keeps that far away: in a module each section is moved by itself.
 */
int dwarf_anchor(struct dwarf *d, guint64 linked, int (*fits)(void *data, const char *name), void *data, const char **name, gint64 *offset);
/* The address of a place as the file is linked. */
guint64 dwarf_linked(const struct dwarf *d, const struct dwarf_place *place);
/* A variable outside of functions: that of the place's own file, else any that its file declares. */
int dwarf_file_global(struct dwarf *d, const struct dwarf_place *place, const char *name, struct dwarf_value *value, const char **why);
/* A variable of the file or of all. */
int dwarf_global(struct dwarf *d, const char *name, const char *file, struct dwarf_value *value, const char **why);
/* Names seen at a place: enum dwarf_names, or-ed. Free with g_ptr_array_unref. */
enum dwarf_names { DWARF_PARAMETERS = 1, DWARF_LOCALS = 2 };
GPtrArray *dwarf_names(struct dwarf *d, const struct dwarf_place *place, unsigned which);

#endif
