/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regex.h - extended regular expressions (POSIX, without back-references) to deterministic automata.
 *
 * Text is read as the symbols BOL, its bytes, EOL, so that ^ and $ are symbols like any other. Knows nothing of scripts or C.
 */
#ifndef LAPWING_REGEX_H
#define LAPWING_REGEX_H

#include <glib.h>

enum { REGEX_BOL = 256, REGEX_EOL, REGEX_SYMBOLS };

/* One symbol of a set; both in a row; one of two; any number of the left; the left, whose extent somebody may ask for. */
enum regex_kind { REGEX_EMPTY, REGEX_SET, REGEX_CAT, REGEX_ALT, REGEX_STAR, REGEX_GROUP };

struct regex {
	enum regex_kind	kind;
	guint8		set[REGEX_SYMBOLS];	/* SET: 1 for its symbols */
	struct regex	*left, *right;
	unsigned	group;			/* GROUP: from 1 */
	unsigned	size;			/* nodes, with those below */
	int		has_groups;
};

/*
 * Parses a pattern whose C escapes are resolved. NULL: *error says what is wrong, *at is the byte where. All nodes are in pool,
 * which the caller frees with regex_pool_free().
 */
struct regex *regex_parse(const char *pattern, GPtrArray *pool, const char **error, unsigned *at);
GPtrArray *regex_pool_new(void);
void regex_pool_free(GPtrArray *pool);
struct regex *regex_node(GPtrArray *pool, enum regex_kind kind, struct regex *left, struct regex *right);
/* Any text at all. */
struct regex *regex_anything(GPtrArray *pool);

/* An automaton over classes of symbols that no set tells apart. State 0: no match any more; 1: the start. */
struct dfa {
	unsigned	nstates, nclasses;
	guint8		classes[REGEX_SYMBOLS];
	GArray		*next;		/* guint16 [nstates][nclasses] */
	GByteArray	*accepts;	/* per state: 1 where the text so far matches */
};

/* backwards: reads symbols from the last to the first. NULL: it would have too many states. Free with dfa_free(). */
struct dfa *dfa_new(const struct regex *regex, int backwards);
void dfa_free(struct dfa *dfa);

/*
 * What is wrong with a pattern, at byte *at, or NULL: it is well formed and none of the automata that it takes to find it and its
 * groups has too many states.
 */
const char *regex_judge(const char *pattern, unsigned *at);

#endif
