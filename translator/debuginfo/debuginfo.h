/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debuginfo.h - questions about a target kernel; knows no probe.
 *
 * Answers come from BTF, kallsyms and available_filter_functions of the running
 * kernel, or of one that is not running (a headers tree's vmlinux, a dump made
 * by booting it in a guest).  Everything is read lazily.  A text file can
 * stand in for all of it (tests).
 */
#ifndef LAPWING_DEBUGINFO_H
#define LAPWING_DEBUGINFO_H

#include <glib.h>
#include "translator/debuginfo/debuginfo_private.h"
struct debuginfo;

struct debuginfo_function {
	const char	*name;
	const char	*module;	/* NULL: the kernel proper */
	int		traceable;	/* 1 in available_filter_functions, 0 not, -1 unknown */
	int		global;		/* not static in its file */
	guint64		address;	/* 0: hidden */
};

struct debuginfo_tracepoint {
	const char	*system;	/* NULL if the source does not tell */
	const char	*name;
	const char	*module;	/* NULL: the kernel proper */
};

/*
 * For the running kernel if find_symbols is NULL; otherwise for another one: the first query that
 * needs its symbols calls find_symbols(data) for a directory with files kallsyms
 * (or System.map), available_filter_functions, available_events and notes (in hexadecimal digits);
 * malloced, or NULL: none; this may take a while. Never fails: missing data shows in later results.
 */
struct debuginfo *debuginfo_open(char *(*find_symbols)(void *data), void *data);
/*
 * A fake kernel: lines "function NAME [MODULE] [notrace] [static] [at=HEX]", "tracepoint SYSTEM
 * NAME [MODULE]", and files next to it: "btf FILE", "dwarf FILE", "notes FILE" (of the kernel, in
 * hexadecimal digits); "lists NAME" for each symbol of kallsyms, if some are hidden. NULL with
 * *error.
 */
struct debuginfo *debuginfo_open_fake(const char *path, GError **error);
void debuginfo_close(struct debuginfo *info);

/*
 * Functions whose name matches a pattern (fnmatch style * ? []), and their copies
 * (debuginfo_is_copy()); wildcard answers skip __pfx_, modules' functions unless a module is named,
 * and all but one of the names of one address. Array of struct debuginfo_function, sorted by name,
 * one entry per name and module; free with g_array_unref.
 */
GArray *debuginfo_functions(struct debuginfo *info, const char *pattern, const char *module);
/*
 * How many functions have that name, in a module, or anywhere (NULL); those that are static to a
 * file may share it.
 */
unsigned debuginfo_alike(struct debuginfo *info, const char *name, const char *module);
/*
 * Number of symbols with that name in the kernel proper, functions or variables; 1 if its list
 * cannot be read.
 */
unsigned debuginfo_lists(struct debuginfo *info, const char *name);
/* The function that contains an address. 0: none. */
int debuginfo_function_at(struct debuginfo *info, guint64 address,
			  struct debuginfo_function *found);
/*
 * Tracepoints whose name matches a pattern, all or those of one module (also a pattern). Struct
 * debuginfo_tracepoint; free with g_array_unref.
 */
GArray *debuginfo_tracepoints(struct debuginfo *info, const char *pattern, const char *module);
/*
 * Trace events by patterns of both names, system calls' among them; NULL: there is no tracefs
 * (tracefs.h).
 */
GArray *debuginfo_events(struct debuginfo *info, const char *system, const char *name);
/*
 * Why none of them is found in this kernel, with what to do; NULL: they can be, or it is another
 * kernel.
 */
const char *debuginfo_events_problem(struct debuginfo *info);
/*
 * The kernel's name for a module given by name or path (borrowed). If the module is not loaded, its
 * file is read, so that its functions, BTF and DWARF are known; NULL: neither loaded nor found.
 */
const char *debuginfo_module(struct debuginfo *info, const char *module);
/*
 * The known modules that match a pattern; a plain name as it is; NULL for NULL, the kernel. Free
 * with g_ptr_array_unref.
 */
GPtrArray *debuginfo_modules(struct debuginfo *info, const char *pattern);
/* True if functions can be probed through tracefs; assumed for another kernel. */
int debuginfo_has_kprobe_events(struct debuginfo *info);
/* Why functions cannot be listed (no kallsyms, hidden addresses ...), or NULL if they can. */
const char *debuginfo_problem(struct debuginfo *info);
/*
 * Is this the name of a part of a function, of a program or of the kernel, which the compiler has
 * put elsewhere: NAME.cold, NAME.cold.0?
 */
int debuginfo_is_part(const char *name);
/*
 * How much of a name is the function's, of which this is a copy that the compiler has made: work of
 * work.isra.0.constprop.1. Of other names all of it.
 */
gsize debuginfo_original(const char *name);
/*
 * Is this the name of a copy of a function that the compiler has made, for some of its callers:
 * NAME.isra.0, NAME.constprop.0? Is it what is left of one whose beginning is inlined: NAME.part.0?
 */
int debuginfo_is_copy(const char *name);
int debuginfo_is_rest(const char *name);
/* Are these names of one function, or of parts of one? */
int debuginfo_is_same(const char *name, const char *other);
/*
 * Names of all traceable functions of the kernel proper, also of clones made by the compiler; free
 * with g_ptr_array_unref.
 */
GPtrArray *debuginfo_traceable_names(struct debuginfo *info);
/* Names for "did you mean"; borrowed. */
GPtrArray *debuginfo_function_names(struct debuginfo *info);

/* reads the kernel's lists, if that has not been done; info->problem says what is missing. */
void debuginfo_load(struct debuginfo *info);
/* The folder with another kernel's tables, which is looked for once; NULL: there is none. */
const char *debuginfo_symbols(struct debuginfo *info);

#endif
