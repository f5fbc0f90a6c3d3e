/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family.h - the translator's interface to a probe family.
 *
 * One file per family, the descriptor at its end, one row in families.def.
 * A family turns a matched pattern into concrete probes and emits its table
 * rows; it never sees the program, never prints, and gets exactly what is in
 * struct family_call.  .runtime names its runtime half.
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
 * their argument: (n) number, (s) string, or none. NULL text ends the table. Only the family uses
 * tag and scale.
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
	void		*row;		/* from family_call.alloc() */
	const struct dwarf_place *place;	/* from alloc(), too; NULL: BTF suffices */
};

struct family_call {
	const struct family_pattern *pattern;
	const struct probe_point *point;	/* as written; comps match pattern's */
	struct debuginfo	*info;
	/* for the user runtime, which uses events, not the kernel's own structures */
	int			user;
	const char		*arch;		/* of the target: "x86_64", "arm64" */
	int			guru;		/* -g */
	/* --returns=instructions, --returns=addresses */
	int			instructions, addresses;
	/* some earlier probe has RT_WAY_INSTRUCTIONS */
	int			has_instructions;
	const char		*sysroot;	/* --sysroot: root of target files; NULL: "/" */
	const char		*command;	/* -c, or NULL */
	int			pid;		/* -x, or 0 */
	struct diag_sink	*diag;
	void			(*add)(struct family_call *call, const struct family_probe *probe);
	/*
	 * Encodes an event's text, with its period or frequency if the text has one. 0, or -1 after
	 * a message.
	 */
	int			(*event)(struct family_call *call, const struct point_comp *text, struct rt_event *event, u64 *period,
					 u64 *hertz);
	/* the N of -D NAME=N; 0: not given */
	gint64			(*define)(struct family_call *call, const char *name);
	/* lives as long as the program */
	void			*(*alloc)(struct family_call *call, size_t bytes);
	void			*data;		/* the caller's */
};

/* The type of probe->row, for code outside the family. */
enum family_row { ROW_PRIVATE, ROW_FUNCTION, ROW_TRACEPOINT, ROW_USER_SITE, ROW_PMU };

struct family {
	const char		*name;
	enum family_row		row;
	const struct family_pattern *patterns;
	/*
	 * passes zero or more probes for pattern and arguments to call->add; reports wrong
	 * arguments through diag
	 */
	void			(*resolve)(struct family_call *call);
	const char		*row_type;	/* "struct rt_timer" */
	/* one C initialiser, e.g. "{ &probes[1], 1000000000 }" */
	void			(*emit_row)(GString *out, const struct probe *probe);
	/*
	 * returns: true for the row of a function's return; enter_row: turns a copy of such a row
	 * into the entry's; row_bytes: size of a row. NULL: the family has no returns
	 */
	int			(*returns)(const void *row);
	void			(*enter_row)(void *row);
	size_t			row_bytes;
	/* the text of RT_NOTE() if the script has such a probe, or NULL; the member may be NULL */
	const char		*(*note)(const struct probe *probe);
	/* the event whose counter fires the probe, and its period; the member may be NULL */
	const struct rt_event	*(*samples)(const struct probe *probe, u64 *period);
	/* why a script cannot have both, reported at b, or NULL; the member may be NULL */
	char			*(*conflict)(const struct probe *a, const struct probe *b);
	/* order of rows in the table; NULL: script order */
	int			(*compare)(const struct probe *a, const struct probe *b);
	/* $variables that the family itself defines, by probe (family_variable.h); NULL: none */
	const struct family_variable *(*variables)(const struct probe *probe);
	/* true if the handler runs in NMIs; the member may be NULL: it does not */
	int			(*in_nmi)(const struct probe *probe);
	unsigned		with_stack;	/* RT_CAP_... of probes that take the kernel's stack */
	const char		*runtime;	/* "begin_end": rt_family_begin_end in each runtime that has it; NULL: never armed */
	int			unprivileged;	/* --privilege=stapusr may use it */
	/* hits are independent of each other, unlike a function's entry and return */
	int			made_by_us;
	/* why the user runtime refuses the family; NULL: it supports it */
	const char		*no_user;
};

#define FAMILY(name) extern const struct family family_##name;
#include "translator/families/families.def"
#undef FAMILY

extern const struct family *const families[];	/* ends with NULL */

/*
 * The pattern that a point matches, or NULL; sets *family. *ncomps_matched is for "probe point
 * truncated" messages.
 */
const struct family_pattern *family_match(const struct probe_point *point,
					  const struct family **family, unsigned *ncomps_matched);

/*
 * With -v: reports that the function found is a compiler's copy of the requested one, or the rest
 * of it after partial inlining.
 */
void family_report_copy(const struct family_call *call, const char *asked, const char *found);

#endif
