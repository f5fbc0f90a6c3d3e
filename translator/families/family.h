/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family.h - what a probe family is to the translator.
 *
 * One file per family, the descriptor at its end, one row in families.def.
 * A family turns a matched pattern into concrete probes and prints its table
 * rows; it never sees the program, never prints, and gets exactly what is in
 * struct family_call.  Its runtime half is named by .runtime.
 */
#ifndef LAPWING_FAMILY_H
#define LAPWING_FAMILY_H

#include "lib/diag.h"
#include "parser/probe_point.h"
#include "runtime/rt.h"

#include <glib.h>

struct ast;
struct debuginfo;
struct family_variable;
struct dwarf_place;
struct probe;

/*
 * "timer.s(n)", "kernel.function(s).return.maxactive(n)", "begin(n)": components with the kind of
 * their argument: (n) number, (s) string, none. NULL text ends the table. tag and scale are the
 * family's own.
 */
struct family_pattern {
	const char	*text;
	int		tag;
	gint64		scale;
};

/* A concrete probe as returned by a family; the caller copies. */
struct family_probe {
	const char	*point;		/* resolved text */
	const char	*function;	/* or NULL */
	enum rt_phase	phase;
	int		optional;
	enum rt_calibrates calibrates;	/* 0: not one of our functions */
	int		way;	/* enum rt_way, or-ed */
	void		*row;		/* from family_alloc() */
	const struct dwarf_place *place;	/* from family_alloc(), too; NULL: BTF suffices */
};

struct family_call {
	const struct family_pattern *pattern;
	const struct probe_point *point;	/* as written; comps match pattern's */
	struct debuginfo	*info;
	/* the user runtime will run it: events, not the kernel's own structures */
	int			user;
	const char		*arch;		/* of the target: "x86_64", "arm64" */
	int			guru;		/* -g */
	/* --returns=instructions, --returns=addresses */
	int			instructions, addresses;
	/* some probes before have RT_WAY_INSTRUCTIONS */
	int			has_instructions;
	const char		*sysroot;	/* --sysroot: where the target's files are here; NULL: "/" */
	const char		*command;	/* -c, or NULL */
	int			pid;		/* -x, or 0 */
	struct diag_sink	*diag;
	void			(*add)(struct family_call *call, const struct family_probe *probe);
	/*
	 * An event by its text, and how often it fires if the text says so. 0, or -1 and reported.
	 */
	int			(*event)(struct family_call *call, const struct point_comp *text, struct rt_event *event, u64 *period,
					 u64 *hertz);
	/* -D NAME=N; 0 without */
	gint64			(*define)(struct family_call *call, const char *name);
	/* lives as long as the program */
	void			*(*alloc)(struct family_call *call, size_t bytes);
	void			*data;		/* the caller's */
};

/* What probe->row is, for whoever reads it outside of the family. */
enum family_row { ROW_PRIVATE, ROW_FUNCTION, ROW_TRACEPOINT, ROW_USER_SITE, ROW_PMU };

struct family {
	const char		*name;
	enum family_row		row;
	const struct family_pattern *patterns;
	/*
	 * pattern + arguments -> zero or more probes through call->add; wrong arguments are
	 * reported through diag
	 */
	void			(*resolve)(struct family_call *call);
	const char		*row_type;	/* "struct rt_timer" */
	/* one C initialiser, e.g. "{ &probes[1], 1000000000 }" */
	void			(*emit_row)(GString *out, const struct probe *probe);
	/*
	 * is a row of a function's return? makes a copy of such a row the entry's; how large rows
	 * are. NULL: it has no returns
	 */
	int			(*returns)(const void *row);
	void			(*enter_row)(void *row);
	size_t			row_bytes;
	/* what RT_NOTE() says when the script has such a probe, or NULL; the member may be NULL */
	const char		*(*note)(const struct probe *probe);
	/* the event whose counting makes the probe fire, and how often; the member may be NULL */
	const struct rt_event	*(*samples)(const struct probe *probe, u64 *period);
	/* why one script cannot have both, for the second one, or NULL; the member may be NULL */
	char			*(*conflict)(const struct probe *a, const struct probe *b);
	/* order of rows in the table; NULL: script order */
	int			(*compare)(const struct probe *a, const struct probe *b);
	/* $variables that the family makes up, by probe (family_variable.h); NULL: none */
	const struct family_variable *(*variables)(const struct probe *probe);
	/* does its handler run in NMIs? the member may be NULL: no */
	int			(*in_nmi)(const struct probe *probe);
	const char		*runtime;	/* "begin_end": rt_family_begin_end in each runtime that has it; NULL: never armed */
	int			unprivileged;	/* --privilege=stapusr may use it */
	/* hits do not follow from each other, as a function's entry and return do */
	int			made_by_us;
	/* why the user runtime refuses it, or NULL: it has it */
	const char		*no_user;
};

#define FAMILY(name) extern const struct family family_##name;
#include "translator/families/families.def"
#undef FAMILY

extern const struct family *const families[];	/* ends with NULL */

/*
 * The pattern that a point matches, or NULL; *family is set. *ncomps_matched serves "probe point
 * truncated" messages.
 */
const struct family_pattern *family_match(const struct probe_point *point,
					  const struct family **family, unsigned *ncomps_matched);

/*
 * With -v: says that what was found is a copy that the compiler made of what was asked for, or what
 * is left of that.
 */
void family_report_copy(const struct family_call *call, const char *asked, const char *found);

#endif
