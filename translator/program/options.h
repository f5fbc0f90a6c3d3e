/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - the command line, as data. Filled by command_line.c from cli.def.
 */
#ifndef LAPWING_OPTIONS_H
#define LAPWING_OPTIONS_H

#include "lib/color.h"

#include <glib.h>

/* read and write; write only; neither */
enum cache_use { CACHE_USE, CACHE_POISON, CACHE_DISABLE };
enum inventory { INVENTORY_NONE, INVENTORY_ALIASES, INVENTORY_FUNCTIONS };

/* In the order of the words in cli.def, from 1; 0: option not given. */
enum runtime_choice { RUNTIME_AUTO, RUNTIME_KERNEL, RUNTIME_USER };
enum overflow { OVERFLOW_STOP = 1, OVERFLOW_DROP, OVERFLOW_WRAP };	/* behaviour of a full
									 * array */
enum unwind { UNWIND_FP = 1, UNWIND_DWARF };

#define STAP_PASSES 5

struct options {
	const char	*script_path;		/* FILE, "-", or NULL with -e */
	int		is_example;		/* --example: script_path was the name of one */
	const char	*script_text;		/* -e */
	char		**script_args;		/* $1 ... */
	const char	*list_pattern;		/* -l / -L */
	enum inventory	inventory;		/* --dump-probe-aliases, --dump-functions */
	int		list_vars;		/* -L */
	int		last_pass;		/* -p: 1..5 */
	/* -v, --vp: by SystemTap's pass number, 1..5 */
	int		verbose[STAP_PASSES + 1];
	int		skip_badvars;		/* --skip-badvars */
	int		keep_going;		/* --semantic-keep-going */
	int		keep, guru, unoptimized, no_warnings, fatal_warnings;
	const char	*command;		/* -c */
	int		pid;			/* -x */
	const char	*output;		/* -o */
	const char	*release;		/* -r; of build_tree, if that is given */
	const char	*build_tree;		/* -r /FOLDER, or NULL */
	const char	*arch;			/* -a */
	const char	*module_name;		/* -m */
	int		download_debuginfo;	/* --download-debuginfo */
	const char	*sysroot;		/* --sysroot, or NULL */
	GPtrArray	*defines;		/* -D: "NAME=VALUE"; the last of a name counts */
	GPtrArray	*globals;		/* -G: "VAR=VAL" */
	const char	*rotate;		/* -S, as given */
	int		background;		/* -F */
	int		bulk;			/* -b */
	const char	*timeout;		/* -T, as given */
	const char	*buffer_mb;		/* -s */
	int		timing;			/* -t */
	int		force;			/* --force: do not ask */
	int		strict, command_status, no_partial;
	int		no_time_limits;		/* --suppress-time-limits */
	int		overflow;		/* --on-overflow: enum overflow */
	const char	*summary;		/* --json-summary */
	int		unwind;			/* --user-unwind: enum unwind */
	int		only_target;
	int		no_auto_display;
	enum cache_use	cache;
	int		runtime;		/* --runtime: enum runtime_choice */
	int		target_vm;
	int		is_stap;		/* called by that name */
	const char	*vm_release;		/* --target=vm:KVER, or NULL */
	/* full release name of vm_release, by target_choose() */
	char		*guest_release;
	GPtrArray	*vm_files;		/* --vm-file: "HOST[:GUEST]" */
	GPtrArray	*more_scripts;		/* -E */
	GPtrArray	*tapset_folders;	/* -I */
	const char	*dump_after;		/* --dump=PASS: print the program after that pass */
	const char	*help_topic;		/* --help=passes */
	const char	*compatible;		/* --compatible, or NULL */
	const char	*privilege;		/* "stapusr", "stapsys", or NULL: "stapdev" */
	enum color_when	color;
	GPtrArray	*words, *owned;		/* the command line's, with those of its #! line;
						 * the g_free'd strings among them and the rc
						 * file's */
};

/* Nonzero for a listing: -l, -L, --dump-functions ... */
int options_list(const struct options *opt);
/*
 * True if "NAME=VALUE" sets one of lapwing's own limits. Others are macros of embedded C. *nearest:
 * a similar name of ours, or NULL.
 */
int options_is_own(const char *define, const char **nearest);
/*
 * -D NAME, one of ours, as a number, or fallback. A value that is not a number is an error reported
 * at parse time.
 */
gint64 options_define(const struct options *opt, const char *name, gint64 fallback);
/* True if the language is that of this version of SystemTap, or a later one. */
int options_since(const struct options *opt, const char *version);
/*
 * Statement limit per hit: -D MAXACTION and MAXACTION_INTERRUPTIBLE; at most what the runtime can
 * count.
 */
gint64 options_maxaction(const struct options *opt);

#endif
