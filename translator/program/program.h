/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program.h - what the passes make of the tree: variables, functions, probes.
 *
 * Every pass takes a struct program and adds to it; each member says which
 * pass fills it.  Nothing here knows C or a kernel.  All memory is the ast's
 * arena or GLib containers owned by the program.
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
	int		arity;		/* 0: scalar; -1: not known yet */
	enum ast_type	keys[RT_MAXKEYS];
	struct loc	arity_loc;
	/* a global of the script, and a variable of an alias, which is reported */
	int		collides;
	/* a full array recycles its oldest row, leaves a new one out; neither: fails */
	int		wrap, drop;
	int64_t		size;		/* rows; 0: MAXMAPENTRIES */
	struct ast_node	*init;
	const char	*given;		/* -G: its value when the run starts, or NULL */
	/* statistics; pass check */
	unsigned	statops;	/* enum rt_statop, or-ed: what any use needs */
	int		hist_linear;
	int64_t		low, high, step;
	int64_t		shift;		/* @variance bits, -1 not given */
	/* uses; pass names (counts of places) */
	unsigned	reads, writes;
	/* pass locks */
	unsigned	index;		/* row of rt_script.globals */
	/* has LOCAL users: counter, percpu map or statistic; percpu_lock */
	int		tier_one;
	int		only_local;	/* and no others while probes run */
	int		error_reads;	/* an error probe reads it */
	unsigned	iterators;	/* foreach loops that may be under way at once */
};

struct function {
	const char	*name;
	const char	*cname;		/* f_name, with a suffix for overloads */
	struct ast_node	*node;		/* AST_FUNCTION */
	int		user;
	enum ast_type	type;		/* result; TYPE_UNKNOWN after pass types: none */
	struct loc	type_loc;
	GPtrArray	*params;	/* struct var */
	GPtrArray	*locals;	/* struct var, without params */
	struct function	*overload;	/* `next;` goes on here; NULL: "all functions exhausted". pass names */
	/* it says next; pass trim forgets the overload of one that does not */
	int		hands_over;
	int		pure;		/* changes and prints nothing, and cannot fail; pass trim */
	/* does so at most to its own variables, or fails; pass trim */
	int		harmless;
	int		used, recursive;	/* pass trim / locks */
	GHashTable	*reads, *writes;	/* struct var (globals), transitive; pass locks */
	GHashTable	*calls;		/* struct function, transitive; pass locks */
};

/* A probe's interest in a counter. */
struct probe_watch {
	struct rt_event	event;
	int		system;		/* of the CPU, not of the thread */
};

/* One concrete probe: a handler of its own. */
struct probe {
	unsigned	index;		/* row of rt_script.probes */
	const struct family *family;
	const char	*cname;		/* p3_timer */
	/* C function of its handler: cname, or another's that says the same. emit */
	const char	*handler;
	const char	*lock_table;	/* C array of its locks, as the last; NULL: none. emit */
	const char	*point;		/* resolved text: pp() */
	const char	*written;	/* as the user wrote it: -l, pn() */
	const char	*function;	/* ppfunc(), or NULL */
	struct loc	loc;
	struct ast_node	*body;		/* BLOCK; own copy */
	struct ast_node	*condition;	/* or NULL */
	GPtrArray	*locals;	/* struct var; pass names */
	void		*row;		/* the family's own, made by resolve, read by emit_row */
	/* variables are as DWARF says they are here; NULL: as BTF says at an entry or return */
	const struct dwarf_place *place;
	enum rt_phase	phase;
	int		optional;
	enum rt_calibrates calibrates;	/* as the family says, as the next one */
	int		way;		/* enum rt_way, or-ed */
	/* number of the one that its handler reads for, from 1; 0: none. pass names */
	unsigned	stopwatch;
	unsigned	capture;	/* enum rt_capture; pass capture */
	/*
	 * user runtime: names of what it asks for that no event takes along, or NULL; pass capture
	 */
	const char	*unread;
	GHashTable	*reads, *writes;	/* struct var (globals), transitive; pass locks */
	/* at the entry it keeps what @entry asks for at this return; or NULL. pass context */
	struct probe	*keeper;
	const struct probe *keeps_for;	/* the other way */
	/* struct var, of a keeper: in the call's own memory; or NULL */
	GPtrArray	*kept;
	const struct probe_watch *watches;	/* pass match */
	unsigned	nwatches;
	GArray		*locks;		/* struct rt_lockuse, by global index; pass locks */
	int		tier_one;	/* the only shared effect is one commutative update */
	/* in a user program: what must be taken at the hit. pass capture */
	struct rt_fetch	fetch;
	/*
	 * it only adds step to this counter, which nobody reads while probes run; or NULL. pass
	 * locks
	 */
	const struct var *counts;
	int64_t		step;
};

enum builtin_flags {
	CTX = 1,			/* c comes first */
	FAILS = 2,			/* rt_failed() must be asked after it */
	EFFECT = 4,			/* it must not be dropped or reordered */
	GURU = 8,			/* it is for -g and the library only: it can do harm */
	/* whatever it needs; NOT_IN_NMI: whatever it needs. Else the flags and the capture tell */
	SAFE_IN_NMI = 16,
	NOT_IN_NMI = 32,
};

/*
 * What passes must know of builtins beside their flags: where a value comes from, or what a call
 * tells them.
 */
enum builtin_kind {
	KIND_NONE, KIND_ARGUMENT, KIND_ARGUMENT_FROM_1, KIND_RETURNED, KIND_RETURNED_HIGH,
	KIND_RETURNVAL, KIND_LOAD, KIND_USER_LOAD, KIND_USER_QUOTED, KIND_USER_STRING,
	KIND_KERNEL_STRING, KIND_KERNEL_STRING_N, KIND_USER_ADDRESS, KIND_DWARF_REGISTER,
	KIND_REGISTERS, KIND_FIELD, KIND_BITS, KIND_NARROW, KIND_MM_ADDRESS, KIND_UNREAD,
	KIND_MATCH, KIND_PMU, KIND_PMU_SYSTEM, KIND_PMU_QUALITY, KIND_STOPWATCH, KIND_FLOOR_TAKE,
};

/* A builtin function: a row of builtins.def, or one that only passes call. */
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
	unsigned	user_files;	/* of ast->files; the library's come behind. pass load */
	const struct options *opt;
	struct debuginfo *info;		/* of the target kernel; opened on first question */
	struct library	*library;	/* tapset/tapset.h; NULL: none is searched. pass load */
	void		(*close_library)(struct library *library);
	GPtrArray	*globals;	/* struct var, declaration order */
	GPtrArray	*functions;	/* struct function */
	GPtrArray	*probes;	/* struct probe, script order */
	/*
	 * struct rt_symbol: variables of the kernel whose addresses are used; passes fold, context
	 */
	GArray		*symbols;
	GArray		*events;	/* struct rt_event: what handlers read; pass context */
	char		*c_text;	/* pass emit */
	int		embedded;	/* it holds embedded C. pass emit */
	char		*module;	/* pass build: path of the .ko or .so */
	int		module_cached;	/* it was in the cache */
	/* or NULL: temporary, to be removed when the run has ended */
	char		*module_folder;
	const char	*kernel_release;	/* of the target; pass load */
	const char	*arch;		/* "x86_64", "arm64" */
	unsigned	joins;		/* enum rt_joins. pass locks */
	unsigned	entries;	/* values that @entry keeps. pass entry */
	unsigned char	*args_used;	/* which script arguments were read. pass load */
	char		*kernel_config;	/* text of .config; NULL: nobody asked (kconfig.c) */
};

/*
 * What pass emit can rely on after pass locks
 *   - every NAME, INDEX, FOREACH, TRY, CALL is bound; every var and expression is long, string or
 *     stats, except calls
 *     of functions without a result in statement position
 *   - no TARGET or ATOP node is left, patterns of REGEX are well formed; wildcard keys only in IN,
 *     DELETE and a foreach slice
 *   - print formats are well formed, with as many arguments of the right type (at most RT_MAXARGS);
 *     see format.h
 *   - break and continue are inside loops, stats stand only where they may, left sides are NAME or
 *     INDEX
 *   - globals[i]->index == i, probes[i]->index == i, cnames are unique; unused functions and locals
 *     are gone
 *   - tier_one var: long scalar -> struct rt_counter, long array -> percpu map (never assigned,
 *     only added to, read,
 *     cleared), stats -> as ever; a value-used ++ of a counter happens under RT_WRITE: add, then
 *     get
 *   - locks are empty unless phase is RT_RUNNING; a foreach over a map is under RT_WRITE (it owns
 *     the order buffers)
 *   - functions stand callees first, overloads too: only a recursive function can call one that
 *     comes later
 * ast->files[0] is the user's script, files[0..user_files) it and -E texts; their globals and
 * functions have user set.
 */
struct program *program_new(const struct options *opt, struct diag_sink *diag);
void program_free(struct program *prog);
/* True if src is the user's script or a text of -E, not the library's. */
int program_is_users(const struct program *prog, const struct source *src);
/* Gives globals and probes their indexes and probes their names in C, in list order. */
void program_number(struct program *prog);
/*
 * The row of prog->symbols for a symbol of the kernel or of a module (NULL: any), plus offset;
 * added if new.
 */
gint64 program_symbol(struct program *prog, const char *name, const char *module, gint64 offset);
/* A function declared by node, appended to prog->functions. */
struct function *function_new(struct program *prog, struct ast_node *node, int user);
/* Drops reads, writes and calls. */
void function_forget_sets(struct function *f);

#endif
