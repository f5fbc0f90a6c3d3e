/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * key.h - columns by which reports group samples.
 */
#ifndef LAPWING_REPORT_KEY_H
#define LAPWING_REPORT_KEY_H

#include "report/profile.h"

struct data;

enum key_uses { KEY_NODE = 1, KEY_THREAD = 2, KEY_CPU = 4, KEY_PHASE = 8, KEY_EPOCH = 16,
		KEY_FUNCTION = 32, KEY_PLACE = 64 };	/* PLACE: where in its image, more exactly than by function */

struct key {
	const char	*name, *title, *what;
	const char	*unknown;	/* the text that says so; NULL: there is none */
	int		number;
	unsigned	uses;		/* enum key_uses: what of a sample its text depends on */
	/* Appends a sample's text. */
	void		(*text)(GString *to, const struct profile *p, const struct profile_sample *s);
};

extern const struct key keys[];		/* ends with a NULL name */

/*
 * "function,image": an array of const struct key *, ended by NULL, each once; NULL with *error set,
 * which lists the keys. g_free() frees.
 */
const struct key **keys_parse(const char *list, GError **error);
/* What all of them use, enum key_uses; 0: there is an unknown one. */
unsigned keys_use(const char *list);
/*
 * Rows as JSON or CSV: the columns' names, ended by NULL, which g_free() frees: first (NULL: none),
 * amounts (ended by NULL), the keys, each once. Then the value of a key: a number, a text, or null if
 * it is unknown.
 */
const char **keys_columns(const char *first, const char *const *amounts, const struct key *const *keys);
void key_write(struct data *d, const struct key *key, const char *text);
/* A time of the profile's as local time, to free: "2026-11-29 14:05:00"; of less than 10 min ".123" follows. */
char *key_time(const struct profile *p, guint64 time);
/* Appends the name of a place's function, or "(no symbol)". */
void key_place_name(GString *to, const struct profile *p, guint32 place);

#endif
