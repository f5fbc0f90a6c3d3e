/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debuginfo.h - queries about a target kernel; independent of probes.
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
	const char	*system;	/* NULL: unknown */
	const char	*name;
	const char	*module;	/* NULL: the kernel proper */
};

/*
 * Opens the running kernel if find_symbols is NULL, otherwise another one: the first query that
 * needs its symbols calls find_symbols(data), which returns a directory with the files kallsyms
 * (or System.map), available_filter_functions, available_events and notes (in hexadecimal digits);
 * malloced, or NULL: none; this may take a while. Never fails: missing data shows in later results.
 */
struct debuginfo *debuginfo_open(char *(*find_symbols)(void *data), void *data);
/*
 * Opens a fake kernel. Lines: "function NAME [MODULE] [notrace] [static] [at=HEX]", "tracepoint
 * SYSTEM NAME [MODULE]"; files next to it: "btf FILE", "dwarf FILE", "notes FILE" (of the kernel,
 * in hexadecimal digits); "lists NAME" for each symbol of kallsyms, if some are hidden. NULL with
 * *error.
 */
struct debuginfo *debuginfo_open_fake(const char *path, GError **error);
void debuginfo_close(struct debuginfo *info);

/*
 * Functions whose name matches a pattern (fnmatch style * ? []), and their copies
 * (debuginfo_is_copy()). A wildcard skips __pfx_ names, functions of modules unless a module is
 * given, and all but one name of an address. Array of struct debuginfo_function, sorted by name,
 * one entry per name and module; free with g_array_unref.
 */
GArray *debuginfo_functions(struct debuginfo *info, const char *pattern, const char *module);
/*
 * Number of functions with that name in a module, or anywhere (NULL); static functions of different
 * files may share a name.
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
 * Trace events whose system and name match patterns, those of system calls included; NULL: there is
 * no tracefs (tracefs.h).
 */
GArray *debuginfo_events(struct debuginfo *info, const char *system, const char *name);
/*
 * Why trace events of this kernel cannot be read, and what to do about it; NULL: they can, or the
 * target is another kernel.
 */
const char *debuginfo_events_problem(struct debuginfo *info);
/*
 * The kernel's name for a module given by name or path (borrowed). If the module is not loaded, its
 * file is read, so that its functions, BTF and DWARF are known; NULL: neither loaded nor found.
 */
const char *debuginfo_module(struct debuginfo *info, const char *module);
/*
 * The known modules that match a pattern; a name without wildcards is returned as it is, and NULL
 * (the kernel) as NULL. Free with g_ptr_array_unref.
 */
GPtrArray *debuginfo_modules(struct debuginfo *info, const char *pattern);
/* True if functions can be probed through tracefs; assumed for another kernel. */
int debuginfo_has_kprobe_events(struct debuginfo *info);
/* Why functions cannot be listed (no kallsyms, hidden addresses ...), or NULL if they can. */
const char *debuginfo_problem(struct debuginfo *info);
/*
 * True if this is the name of a part that the compiler moved out of a function, of a program or of
 * the kernel: NAME.cold, NAME.cold.0.
 */
int debuginfo_is_part(const char *name);
/*
 * Length of the original function's name in the name of a copy that the compiler made: that of work
 * in work.isra.0.constprop.1. The whole length for other names.
 */
gsize debuginfo_original(const char *name);
/*
 * True if this is the name of a copy that the compiler made of a function for some of its callers:
 * NAME.isra.0, NAME.constprop.0. is_rest: of the outlined rest of a function whose beginning is
 * inlined: NAME.part.0.
 */
int debuginfo_is_copy(const char *name);
int debuginfo_is_rest(const char *name);
/*
 * The function that is called where the beginning of a complete function, of that name and module,
 * is inlined: NAME.part.0. NULL: none. Borrowed.
 */
const char *debuginfo_rest(struct debuginfo *info, const char *name, const char *module);
/* True if both names belong to one function or to parts of it. */
int debuginfo_is_same(const char *name, const char *other);
/*
 * Names of all traceable functions of the kernel proper, including clones made by the compiler;
 * free with g_ptr_array_unref.
 */
GPtrArray *debuginfo_traceable_names(struct debuginfo *info);
/* Names for "did you mean"; borrowed. */
GPtrArray *debuginfo_function_names(struct debuginfo *info);

/* Reads the kernel's lists on the first call; info->problem says what is missing. */
void debuginfo_load(struct debuginfo *info);
/* The folder with another kernel's tables, searched for once; NULL: there is none. */
const char *debuginfo_symbols(struct debuginfo *info);

#endif
