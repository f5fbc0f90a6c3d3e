/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe_point.h - a probe point as written: components, arguments, suffixes.
 *
 * kernel.function("vfs_*").return.maxactive(10)? if (on)
 *
 * Brace alternatives are expanded by the parser (Cartesian product in order),
 * so a probe holds plain points.  Knows no family.
 */
#ifndef LAPWING_PROBE_POINT_H
#define LAPWING_PROBE_POINT_H

#include "lib/source.h"

#include <stdint.h>

struct ast_node;

enum point_arg { POINT_NONE, POINT_NUMBER, POINT_STRING };

struct point_comp {
	const char	*name;		/* may hold * (and ** across components) */
	enum point_arg	arg;
	int64_t		number;
	const char	*string;	/* unescaped */
	struct loc	loc;		/* of the name */
	struct loc	arg_loc;
};

/* .startwatch("EVENT"), removed from the components (pass alias). */
struct point_watch {
	const char	*event;
	int		system;		/* of the CPU, not of the thread */
	struct loc	loc;		/* of the event's text */
};

/*
 * A point that names aliases, shared by all points that they expand to: unless it is optional
 * itself, one of them must yield a probe.
 */
struct point_named {
	int		optional;	/* '?' or '!' */
	/* it yielded a probe, or has no turn, or the reason why not was reported. pass match */
	int		settled;
};

struct probe_point {
	struct point_comp *comps;
	unsigned	ncomps;
	int		optional;	/* '?' */
	int		sufficient;	/* '!' */
	struct ast_node	*condition;	/* if (expr), or NULL */
	struct point_watch *watches;
	unsigned	nwatches;
	/* the user's text that an alias expanded to this; NULL: this point's own. pass alias */
	const char	*written;
	/* its alias is nothing without this point, which '?' does not mark there. pass alias */
	int		part;
	/* the user's point; NULL: this one does not come from an alias. pass alias */
	struct point_named *named;
	struct loc	loc;
};

/*
 * A comma list with a '!' whose points were split into several probes: once a sufficient point has
 * yielded a probe, the rest of the list is skipped.
 */
struct probe_list {
	unsigned	end;		/* first skipped position; UINT_MAX: none */
};

struct probe_turn {
	struct probe_list *list;
	unsigned	place;
	int		sufficient;
	const struct probe_turn *outer;	/* of the alias's own point, or NULL */
};

/* The point as text, arguments quoted as in scripts, without suffix marks. Caller frees. */
char *point_string(const struct probe_point *point);
/* '*' within one component; same rule for names and patterns everywhere. */
int point_match(const char *pattern, const char *name);
int point_is_wild(const char *name);
/* True if the name of a component has a wildcard. */
int point_has_wildcard(const struct probe_point *point);
/*
 * True if npattern components, some with wildcards, match these n. '**' matches one or more;
 * arguments must be of the same kind.
 */
int point_comps_match(const struct point_comp *pattern, unsigned npattern,
		      const struct point_comp *comp, unsigned n);

#endif
