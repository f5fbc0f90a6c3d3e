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
	const char	*system;	/* NULL when the source does not know */
	const char	*name;
	const char	*module;	/* NULL: the kernel proper */
};

/*
 * For the running kernel when find_symbols is NULL; otherwise for another one: the first question that needs its symbols asks
 * find_symbols(data) for a directory with files kallsyms, available_filter_functions, available_events and notes, those in hexadecimal
 * digits (malloced, or NULL: there is none), which may take a while. Never fails: what is missing shows in the answers.
 */
struct debuginfo *debuginfo_open(char *(*find_symbols)(void *data), void *data);
/*
 * Fake: lines "function NAME [MODULE] [notrace] [static] [at=HEX]", "tracepoint SYSTEM NAME [MODULE]", and files beside it: "btf FILE",
 * "dwarf FILE", "notes FILE" (of the kernel, in hexadecimal digits); "lists NAME" for each symbol of kallsyms, where some are hidden.
 * NULL with *error.
 */
struct debuginfo *debuginfo_open_fake(const char *path, GError **error);
void debuginfo_close(struct debuginfo *info);

/* Functions whose name matches a pattern (fnmatch style * ? []), and their copies (debuginfo_is_copy()); wildcard answers skip __pfx_,
 * modules' functions unless a module is named, and all but one of the names of one address.
 * Array of struct debuginfo_function, sorted by name, one entry per name and module; free with g_array_unref. */
GArray *debuginfo_functions(struct debuginfo *info, const char *pattern, const char *module);
/* How many functions have that name, in a module, or anywhere (NULL); those that are static to a file may share it. */
unsigned debuginfo_alike(struct debuginfo *info, const char *name, const char *module);
/* How many symbols of that name the kernel proper lists, functions or variables; 1 where its list cannot be read. */
unsigned debuginfo_lists(struct debuginfo *info, const char *name);
/* The function that an address lies in. 0: none. */
int debuginfo_function_at(struct debuginfo *info, guint64 address, struct debuginfo_function *found);
/* By a pattern of the name, all or those of one module (a pattern too). Struct debuginfo_tracepoint; free with g_array_unref. */
GArray *debuginfo_tracepoints(struct debuginfo *info, const char *pattern, const char *module);
/* Trace events by patterns of both names, system calls' among them; NULL: there is no tracefs (tracefs.h). */
GArray *debuginfo_events(struct debuginfo *info, const char *system, const char *name);
/* Why none of them is found in this kernel, with what to do; NULL: they can be, or it is another kernel. */
const char *debuginfo_events_problem(struct debuginfo *info);
/*
 * The kernel's name of a module that is given by name or path (borrowed). One that is not loaded is read from its file, so that its
 * functions, BTF and DWARF are known; NULL: it is neither loaded nor found.
 */
const char *debuginfo_module(struct debuginfo *info, const char *module);
/* The names of the known modules that a pattern matches; a name as it is; NULL for NULL, the kernel. Free with g_ptr_array_unref. */
GPtrArray *debuginfo_modules(struct debuginfo *info, const char *pattern);
/* Can functions be probed through tracefs? Of another kernel: assumed. */
int debuginfo_has_kprobe_events(struct debuginfo *info);
/* Why functions cannot be listed (no kallsyms, hidden addresses ...), or NULL when they can. */
const char *debuginfo_problem(struct debuginfo *info);
/* Is this the name of a part of a function, of a program or of the kernel, which the compiler has put elsewhere: NAME.cold, NAME.cold.0? */
int debuginfo_is_part(const char *name);
/*
 * How much of a name is the function's, of which this is a copy that the compiler has made: work of work.isra.0.constprop.1. Of other names
 * all of it.
 */
gsize debuginfo_original(const char *name);
/*
 * Is this the name of a copy of a function that the compiler has made, for some of its callers: NAME.isra.0, NAME.constprop.0?
 * Is it what is left of one whose beginning is inlined: NAME.part.0?
 */
int debuginfo_is_copy(const char *name);
int debuginfo_is_rest(const char *name);
/* Are these names of one function, or of parts of one? */
int debuginfo_is_same(const char *name, const char *other);
/* Names of all functions of the kernel proper that can be traced, the compiler's copies too; free with g_ptr_array_unref. */
GPtrArray *debuginfo_traceable_names(struct debuginfo *info);
/* Names for "did you mean"; borrowed. */
GPtrArray *debuginfo_function_names(struct debuginfo *info);

/* reads the kernel's lists, if that has not been done; info->problem says what is missing. */
void debuginfo_load(struct debuginfo *info);
/* The folder with another kernel's tables, which is looked for once; NULL: there is none. */
const char *debuginfo_symbols(struct debuginfo *info);

#endif
