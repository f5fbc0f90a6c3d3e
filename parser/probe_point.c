/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe_point.c - probe points as text, and wildcards in their names.
 *
 * Does not know what a point means: families do.
 */
#include "parser/probe_point.h"

#include <string.h>

static void append_quoted(GString *out, const char *text)
{
	g_string_append_c(out, '"');
	for (; *text; text++) {
		unsigned char c = *text;

		if (c == '"' || c == '\\')
			g_string_append_printf(out, "\\%c", c);
		else if (c == '\n')
			g_string_append(out, "\\n");
		else if (c < ' ' || c == 0x7f)
			g_string_append_printf(out, "\\%03o", c);
		else
			g_string_append_c(out, c);
	}
	g_string_append_c(out, '"');
}

char *point_string(const struct probe_point *point)
{
	GString *out = g_string_new(NULL);

	for (unsigned i = 0; i < point->ncomps; i++) {
		const struct point_comp *comp = &point->comps[i];

		g_string_append_printf(out, "%s%s", i ? "." : "", comp->name);
		if (comp->arg == POINT_NUMBER)
			g_string_append_printf(out, "(%" G_GINT64_FORMAT ")", comp->number);
		if (comp->arg != POINT_STRING)
			continue;
		g_string_append_c(out, '(');
		append_quoted(out, comp->string);
		g_string_append_c(out, ')');
	}
	return g_string_free(out, FALSE);
}

int point_match(const char *pattern, const char *name)
{
	const char *star = NULL, *retry = NULL;

	/* on a mismatch the last '*' takes one more character; earlier ones never need to */
	while (*name) {
		if (*pattern == '*') {
			star = pattern++;
			retry = name;
		} else if (*pattern == *name) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star + 1;
			name = ++retry;
		} else {
			return 0;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

int point_is_wild(const char *name)
{
	return strchr(name, '*') != NULL;
}

int point_has_wildcard(const struct probe_point *point)
{
	for (unsigned i = 0; i < point->ncomps; i++)
		if (point_is_wild(point->comps[i].name))
			return 1;
	return 0;
}

int point_comps_match(const struct point_comp *pattern, unsigned npattern,
		      const struct point_comp *comp, unsigned n)
{
	if (!npattern || !n)
		return !npattern && !n;
	if (!strcmp(pattern->name, "**") && comp->arg == POINT_NONE &&
	    point_comps_match(pattern, npattern, comp + 1, n - 1))
		return 1;
	return pattern->arg == comp->arg && point_match(pattern->name, comp->name) &&
	       point_comps_match(pattern + 1, npattern - 1, comp + 1, n - 1);
}
