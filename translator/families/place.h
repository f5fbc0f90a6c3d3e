/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place.h - probe points of family function that are more than a function's name: addresses, and
 * places that only DWARF describes.
 */
#ifndef LAPWING_PLACE_H
#define LAPWING_PLACE_H

#include "translator/families/family.h"

enum place_kind {
	PLACE_FUNCTION = 1,	/* kernel.function("name@file[:line]") */
	PLACE_INLINE,		/* .inline: copies of an inlined function */
	PLACE_STATEMENT,	/* kernel.statement("name@file:lines") */
	PLACE_NEAREST,		/* the same, or the next line that has code */
	PLACE_CALLEE,		/* .callee("name"), .callees[(depth)]: callees, called from it */
	PLACE_LABEL,		/* .label("name") */
	PLACE_ABSOLUTE,		/* statement(ADDRESS).absolute */
	PLACE_CONTAINING,	/* kernel.function(ADDRESS): the function that contains it */
};

struct dwarf;
struct dwarf_query;

/* Parses "name@file:lines", "name@file+offset" into a query; modifies the text. */
void place_cut(char *text, struct dwarf_query *q);
/* The DWARF query for a place of that kind: enum dwarf_kind. */
int place_asks(enum place_kind kind);
/* Reports that a query for call->point found no place of that kind in an existing function. */
void place_report_nothing(struct family_call *call, struct dwarf *d, const struct dwarf_query *q,
			  enum place_kind kind);
/*
 * Adds the inlined copies of the functions that match a name or pattern, in a module or in the
 * modules that match a pattern; returns their number. optional: the point has other probes, too. 0:
 * none, or *why debuginfo is unavailable (borrowed; else NULL).
 */
unsigned place_add_inlined(struct family_call *call, const char *name, const char *module,
			   int optional, const char **why);
/* Adds the probes of call->point, or reports why there are none. */
void place_resolve(struct family_call *call, enum place_kind kind);

#endif
