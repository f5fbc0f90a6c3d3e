/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * key.h - columns by which reports group samples.
 */
#ifndef LAPWING_REPORT_KEY_H
#define LAPWING_REPORT_KEY_H

#include "report/profile.h"

struct key {
	const char	*name, *title, *what;
	const char	*unknown;	/* the text that says so; NULL: there is none */
	int		number;
	/* Appends a sample's text. */
	void		(*text)(GString *to, const struct profile *p, const struct profile_sample *s);
};

extern const struct key keys[];		/* ends with a NULL name */

/*
 * "function,image": an array of const struct key *, ended by NULL; NULL with *error set, which
 * lists the keys. g_free() frees.
 */
const struct key **keys_parse(const char *list, GError **error);
/* Appends the name of a place's function, or "(no symbol)". */
void key_place_name(GString *to, const struct profile *p, guint32 place);

#endif
