/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dfa.h - compiles trees to automata.
 */
#ifndef LAPWING_REGEX_DFA_H
#define LAPWING_REGEX_DFA_H

#include "translator/regex/regex.h"

/*
 * An automaton over classes of symbols that no set distinguishes. State 0: no match is possible any
 * more; 1: the start.
 */
struct dfa {
	unsigned	nstates, nclasses;
	guint8		classes[REGEX_SYMBOLS];
	GArray		*next;		/* guint16 [nstates][nclasses] */
	GByteArray	*accepts;	/* per state: 1 where the text so far matches */
	unsigned	closures;	/* computed to build it: for tests of the work that takes */
};

/*
 * backwards: reads symbols from the last to the first. NULL: it would have too many states. Free
 * with dfa_free().
 */
struct dfa *dfa_new(const struct regex *regex, int backwards);
void dfa_free(struct dfa *dfa);

/*
 * What is wrong with a pattern, at byte *at. NULL: it is well formed, and none of the automata that
 * find it and its groups has too many states.
 */
const char *regex_judge(const char *pattern, unsigned *at);

#endif
