/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - the command line, as data. Filled by driver/command_line.c from cli.def.
 */
#ifndef LAPWING_OPTIONS_H
#define LAPWING_OPTIONS_H

#include "lib/color.h"
#include "lib/data.h"

#include <glib.h>

/* read and write; write only; neither */
enum cache_use { CACHE_USE, CACHE_POISON, CACHE_DISABLE };
enum inventory { INVENTORY_NONE, INVENTORY_TYPES, INVENTORY_ALIASES, INVENTORY_FUNCTIONS };
/* In the order of the words in cli.def, from 1; 0: option not given. */
enum runtime_choice { RUNTIME_AUTO, RUNTIME_KERNEL, RUNTIME_USER };

/* where returns of functions in programs are probed */
enum returns_at { RETURNS_AUTO, RETURNS_INSTRUCTIONS, RETURNS_ADDRESSES };
/* what happens when an array is full */
enum overflow { OVERFLOW_STOP, OVERFLOW_DROP, OVERFLOW_WRAP };

#define STAP_PASSES 5

struct options {
	const char	*script_path;		/* FILE, "-", or NULL with -e */
	const char	*script_text;		/* -e */
	int		example;		/* --example: script_path is a name, until it is found */
	char		**script_args;		/* $1 ... */
	const char	*list_pattern;		/* -l / -L */
	enum inventory	inventory;		/* --dump-probe-types and others */
	enum data_form	form;			/* of a list: --json, --csv */
	int		list_vars;		/* -L */
	int		last_pass;		/* -p: 1..5 */
	/* -v, --vp: by SystemTap's pass number, 1..5 */
	int		verbose[STAP_PASSES + 1];
	int		keep, guru, unoptimized, no_warnings, fatal_warnings;
	const char	*command;		/* -c */
	int		pid;			/* -x */
	const char	*output;		/* -o */
	const char	*release;		/* -r */
	const char	*build_tree;		/* -r DIR: of that release; NULL: find one */
	const char	*arch;			/* -a */
	const char	*module_name;		/* -m */
	int		download_debuginfo;	/* --download-debuginfo */
	const char	*sysroot;		/* --sysroot, or NULL */
	GPtrArray	*defines;		/* -D: "NAME=VALUE" */
	GPtrArray	*globals;		/* -G: "VAR=VAL" */
	const char	*rotate;		/* -S, as given */
	int		background;		/* -F */
	int		bulk;			/* -b */
	int		capture;		/* --capture */
	const char	*timeout;		/* -T, as given */
	const char	*buffer_mb;		/* -s */
	int		timing;			/* -t */
	int		force;			/* --force: do not ask */
	int		strict, command_status, no_partial;
	int		no_time_limits;		/* --suppress-time-limits */
	int		quiet_errors;		/* --suppress-handler-errors */
	enum overflow	overflow;		/* --on-overflow */
	const char	*summary;		/* --json-summary */
	int		json_diagnostics;
	int		keep_going;		/* --semantic-keep-going */
	int		skip_badvars;
	int		unwind_dwarf;		/* --user-unwind: 0 fp, 1 dwarf */
	int		only_target;
	enum returns_at	returns;		/* --returns */
	int		no_auto_display;
	enum cache_use	cache;
	enum runtime_choice runtime;
	int		target_vm;
	const char	*vm_release;		/* --target=vm:KVER, or NULL */
	GPtrArray	*vm_files;		/* --vm-file: "HOST[:GUEST]" */
	GPtrArray	*more_scripts;		/* -E */
	GPtrArray	*tapset_folders;	/* -I */
	const char	*dump_after;		/* --dump=PASS: print the program after that pass */
	const char	*compatible;		/* --compatible, or NULL */
	const char	*privilege;		/* "stapusr", "stapsys", or NULL: "stapdev" */
	enum color_when	color;
};

void options_clear(struct options *opt);
/* Nonzero for a listing: -l, -L, --dump-functions ... */
int options_list(const struct options *opt);
/*
 * -D NAME, one of our own names, as a number, or fallback. A value that is not a number has been
 * reported as an error when options were parsed.
 */
gint64 options_define(const struct options *opt, const char *name, gint64 fallback);
/* The names of limit.def (static strings). Caller frees the array. */
GPtrArray *options_limits(void);
/* True if the script's language (--compatible) is that of this version of SystemTap or later. */
int options_since(const struct options *opt, const char *version);
/*
 * Statement limit per hit: -D MAXACTION and MAXACTION_INTERRUPTIBLE, limited to what the runtime
 * can count.
 */
gint64 options_maxaction(const struct options *opt);

#endif
