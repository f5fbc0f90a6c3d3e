/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf.h - information that only DWARF has about a kernel or module: source lines, inlined copies,
 * labels, locals and their locations.
 *
 * Types are returned as BTF ids (dwarf_type.c), so that callers need one kind of type only.
 * Locations are symbol and offset. Knows nothing of probes or the running kernel. Texts live as
 * long as the struct dwarf.
 */
#ifndef LAPWING_DWARF_H
#define LAPWING_DWARF_H

#include <glib.h>

struct btf;
struct dwarf;

/* From now on, fetch missing files from debuginfod's servers (DEBUGINFOD_URLS). */
void dwarf_query_servers(void);
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
/* True if a pattern of files matches any source file. */
int dwarf_has_file(struct dwarf *d, const char *pattern);
/*
 * For a query whose lines have no code: the nearest lines with code, "12 and 15", or NULL. Caller
 * frees.
 */
char *dwarf_lines_near(struct dwarf *d, const struct dwarf_query *query);
/* Sorts places in source order. */
void dwarf_sort_places(GArray *places);

#endif
