/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regex.h - compiles extended regular expressions (POSIX, without back-references) to deterministic
 * automata.
 *
 * Text is read as the symbols BOL, its bytes, EOL, so that ^ and $ are symbols like any other.
 * Knows nothing of scripts or C.
 */
#ifndef LAPWING_REGEX_H
#define LAPWING_REGEX_H

#include <glib.h>

enum { REGEX_BOL = 256, REGEX_EOL, REGEX_SYMBOLS };

/*
 * The empty text; one symbol of a set; a sequence; an alternative; any number of the left; a group
 * around the left, whose position may be queried.
 */
enum regex_kind { REGEX_EMPTY, REGEX_SET, REGEX_CAT, REGEX_ALT, REGEX_STAR, REGEX_GROUP };

struct regex {
	enum regex_kind	kind;
	guint8		set[REGEX_SYMBOLS];	/* SET: 1 for its symbols */
	struct regex	*left, *right;
	unsigned	group;			/* GROUP: from 1 */
	unsigned	size;			/* number of nodes in the subtree */
	int		has_groups;
};

#endif
