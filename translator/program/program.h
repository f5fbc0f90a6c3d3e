/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program.h - the program that the passes build from the tree: variables, functions, probes.
 *
 * Every pass takes a struct program and adds to it; the comment of each member
 * names the pass that sets it.  Nothing here depends on C or a kernel.  All memory
 * is in the ast's arena or in GLib containers owned by the program.
 */
#ifndef LAPWING_PROGRAM_H
#define LAPWING_PROGRAM_H

#include "parser/ast.h"
#include "runtime/rt.h"

#include <glib.h>

struct debuginfo;
struct dwarf_place;
struct family;
struct library;
struct options;

/* A global or a local. */
struct var {
	const char	*name;
	/* in C: g_x for globals, l_x for locals; unique where it is visible. pass names */
	const char	*cname;
	struct loc	loc;		/* declaration or first use */
	enum ast_type	type;		/* of a scalar, or of an array's values. pass types */
	struct loc	type_loc;	/* where the type was first inferred */
	int		global, user;	/* user: declared in the user's script (auto display) */
	int		param;		/* function parameter: an rt_str or s64 by value */
	int		is_array;
	int		arity;		/* number of keys; 0: scalar; -1: not known yet */
	enum ast_type	keys[RT_MAXKEYS];
	struct loc	arity_loc;
	/* the global's name is also that of an alias's variable, which is reported */
	int		collides;
	/* a full array: wrap: replaces its oldest row; drop: drops a new one; neither: fails */
	int		wrap, drop;
	int64_t		size;		/* rows; 0: MAXMAPENTRIES */
	struct ast_node	*init;
	const char	*given;		/* -G: its value when the run starts, or NULL */
	/* statistics; pass check */
	unsigned	statops;	/* enum rt_statop, or-ed: what any use needs */
	int		hist_linear;
	int64_t		low, high, step;
	int64_t		shift;		/* @variance bits, -1 not given */
	int		unset;		/* it comes from what cannot be read. pass context */
	/* number of places in the code that use it; pass names */
	unsigned	reads, writes;
	/* pass locks */
	unsigned	index;		/* row of rt_script.globals */
	/* has RT_LOCAL users: it is a counter, percpu map or statistic, with a percpu_lock */
	int		tier_one;
	int		only_local;	/* it has no other users while probes run */
	int		error_reads;	/* an error probe reads it */
	unsigned	iterators;	/* foreach loops that may be active at once */
};

struct function {
	const char	*name;
	const char	*cname;		/* f_name, with a suffix for overloads */
	struct ast_node	*node;		/* AST_FUNCTION */
	int		user;
	/* whose target variables its own are; NULL: it has none. pass per_probe */
	struct probe	*probe;
	enum ast_type	type;		/* result; TYPE_UNKNOWN after pass types: none */
	struct loc	type_loc;
	GPtrArray	*params;	/* struct var */
	GPtrArray	*locals;	/* struct var, without params */
	/* the target of `next;`; NULL: "all functions exhausted". pass names */
	struct function	*overload;
	/* it contains `next;`; pass trim drops the overload of a function without */
	int		hands_over;
	int		pure;		/* changes and prints nothing, and cannot fail; pass trim */
	/* changes at most its own variables, but may fail; pass trim */
	int		harmless;
	int		used, recursive;	/* pass trim / locks */
	GHashTable	*reads, *writes;	/* struct var (globals), transitive; pass locks */
	GHashTable	*calls;		/* struct function, transitive; pass locks */
};

/* A counter that a probe reads. */
struct probe_watch {
	struct rt_event	event;
	int		system;		/* of the CPU, not of the thread */
};

/* One concrete probe: a handler of its own. */
struct probe {
	unsigned	index;		/* row of rt_script.probes */
	const struct family *family;
	const char	*cname;		/* p3_timer */
	/* C function of its handler: cname, or that of a probe with the same code. emit */
	const char	*handler;
	/* C array of its locks, its own or shared like the handler; NULL: none. emit */
	const char	*lock_table;
	const char	*point;		/* resolved text: pp() */
	const char	*written;	/* as the user wrote it: -l, pn() */
	const char	*function;	/* ppfunc(), or NULL */
	struct loc	loc;
	struct ast_node	*body;		/* BLOCK; own copy */
	struct ast_node	*condition;	/* or NULL */
	GPtrArray	*locals;	/* struct var; pass names */
	void		*row;		/* the family's own, made by resolve, read by emit_row */
	/* variables come from DWARF at this place; NULL: from BTF, at an entry or return */
	const struct dwarf_place *place;
	enum rt_phase	phase;
	int		optional;
	int		refused;	/* its alias needs what cannot be read here. pass context */
	enum rt_calibrates calibrates;	/* set by the family, like the next member */
	int		way;		/* enum rt_way, or-ed */
	/* number of the stopwatch that its handler belongs to, from 1; 0: none. pass names */
	unsigned	stopwatch;
	unsigned	capture;	/* enum rt_capture; pass capture */
	/*
	 * user runtime: names of unread values, which it uses but no event records, or NULL; pass
	 * capture
	 */
	const char	*unread;
	GHashTable	*reads, *writes;	/* struct var (globals), transitive; pass locks */
	/* of a return probe: the entry probe that keeps its @entry values, or NULL. pass context */
	struct probe	*keeper;
	const struct probe *keeps_for;	/* of a keeper: the return probe */
	/* struct var, of a keeper: values in the call's own memory; or NULL */
	GPtrArray	*kept;
	const struct probe_watch *watches;	/* pass match */
	unsigned	nwatches;
	GArray		*locks;		/* struct rt_lockuse, by global index; pass locks */
	int		tier_one;	/* the only shared effect is one commutative update */
	/* in a user program: what must be fetched at the hit. pass capture */
	struct rt_fetch	fetch;
	/*
	 * its handler only adds step to this counter, which is not read while probes run; or NULL.
	 * pass locks
	 */
	const struct var *counts;
	int64_t		step;
};

enum builtin_flags {
	CTX = 1,			/* the first argument is c */
	FAILS = 2,			/* rt_failed() must be checked after the call */
	EFFECT = 4,			/* it must not be dropped or reordered */
	GURU = 8,			/* it can do harm: for -g and the library only */
	/* regardless of what it needs, as is NOT_IN_NMI; else the flags and the capture decide */
	SAFE_IN_NMI = 16,
	NOT_IN_NMI = 32,
	KEPT = 64,			/* a script's call whose value is unused stays, as in SystemTap */
};

/*
 * What passes must know about builtins besides their flags: where a value comes from, or what a
 * call means to a pass.
 */
enum builtin_kind {
	KIND_NONE, KIND_ARGUMENT, KIND_ARGUMENT_FROM_1, KIND_RETURNED, KIND_RETURNED_HIGH,
	KIND_RETURNVAL, KIND_LOAD, KIND_USER_LOAD, KIND_USER_QUOTED, KIND_USER_STRING,
	KIND_KERNEL_STRING, KIND_KERNEL_STRING_N, KIND_USER_ADDRESS, KIND_DWARF_REGISTER,
	KIND_REGISTERS, KIND_FIELD, KIND_BITS, KIND_NARROW, KIND_MM_ADDRESS,
	KIND_MATCH, KIND_PMU, KIND_PMU_SYSTEM, KIND_PMU_QUALITY, KIND_STOPWATCH, KIND_FLOOR_TAKE,
};

/* A builtin function: a row of builtins.def, or one to which only passes generate calls. */
struct builtin {
	const char	*name;
	enum ast_type	type;		/* result; TYPE_UNKNOWN: none */
	const char	*args;		/* "sl": string, long */
	const char	*call;		/* the rt.h function */
	unsigned	flags;		/* enum builtin_flags */
	unsigned	capture;	/* enum rt_capture */
	const char	*note;		/* one line for --dump-functions */
	enum builtin_kind kind;
};
extern const struct builtin builtins[];	/* ends with a NULL name */

struct program {
	struct ast	*ast;		/* trees, sources, arena, diagnostics */
	unsigned	user_files;	/* of ast->files; the library's follow. pass load */
	const struct options *opt;
	struct debuginfo *info;		/* of the target kernel; read on first use */
	struct library	*library;	/* tapset/tapset.h; NULL: none is searched. pass load */
	void		(*close_library)(struct library *library);
	GPtrArray	*globals;	/* struct var, declaration order */
	GPtrArray	*functions;	/* struct function */
	GPtrArray	*probes;	/* struct probe, script order */
	GHashTable	*refused;	/* texts of points that have no probes. pass match */
	GPtrArray	*dropped;	/* the user's expressions without effect; pass trim's parts */
	/*
	 * struct rt_symbol: kernel variables whose addresses are used; passes fold, context
	 */
	GArray		*symbols;
	GArray		*events;	/* struct rt_event that handlers read; pass context */
	char		*c_text;	/* pass emit */
	int		embedded;	/* c_text contains embedded C. pass emit */
	char		*module;	/* pass build: path of the .ko or .so */
	int		module_cached;	/* it was in the cache */
	/* temporary folder, to be removed after the run; or NULL */
	char		*module_folder;
	const char	*kernel_release;	/* of the target; pass load */
	const char	*arch;		/* "x86_64", "arm64" */
	unsigned	joins;		/* enum rt_joins. pass locks */
	unsigned	entries;	/* values that @entry keeps. pass entry */
	unsigned char	*args_used;	/* which script arguments were read. pass load */
	char		*kernel_config;	/* text of .config; NULL: not read yet (kconfig.c) */
};

/*
 * What pass emit can rely on after pass locks
 *   - every NAME, INDEX, FOREACH, TRY, CALL is bound; every var and expression is long, string or
 *     stats, except calls of functions without a result in statement position
 *   - no TARGET or ATOP node is left, patterns of REGEX are well formed; wildcard keys are only in
 *     IN, DELETE and a foreach slice
 *   - print formats are well formed, with as many arguments of the right type (at most RT_MAXARGS);
 *     see format.h
 *   - break and continue are inside loops, stats occur only where they are allowed, left sides are
 *     NAME or INDEX
 *   - globals[i]->index == i, probes[i]->index == i, cnames are unique; unused functions and locals
 *     are gone
 *   - tier_one var: long scalar -> struct rt_counter, long array -> percpu map (never assigned,
 *     only added to, read, cleared), stats -> as always; a value-used ++ of a counter is under
 *     RT_WRITE: add, then get
 *   - locks are empty unless phase is RT_RUNNING; a foreach over a map is under RT_WRITE (it owns
 *     the order buffers)
 *   - functions are ordered callees first, overloads too: only a recursive function can call one
 *     that comes later
 * ast->files[0] is the user's script, files[0..user_files) the script and -E texts; their globals
 * and functions have user set.
 */
struct program *program_new(const struct options *opt, struct diag_sink *diag);
void program_free(struct program *prog);
/* True if src is the user's script or a text of -E, not the library's. */
int program_is_users(const struct program *prog, const struct source *src);
/* Sets the indexes of globals and probes, and the probes' C names, in list order. */
void program_number(struct program *prog);
/*
 * The row of prog->symbols for a symbol of the kernel or of a module (NULL: any), plus offset;
 * added if new.
 */
gint64 program_symbol(struct program *prog, const char *name, const char *module, gint64 offset);
/* Makes the function that node declares and appends it to prog->functions. */
struct function *function_new(struct program *prog, struct ast_node *node, int user);
/* Drops reads, writes and calls. */
void function_forget_sets(struct function *f);

#endif
