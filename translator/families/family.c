/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family.c - the list of families, and which pattern a probe point matches.
 */
#include "translator/families/family.h"

#include <string.h>

const struct family *const families[] = {
#define FAMILY(name) &family_##name,
#include "translator/families/families.def"
#undef FAMILY
	NULL,
};

/* How many of the point's components the pattern's begin with; *whole: all of both. */
static unsigned match(const char *pattern, const struct probe_point *point, int *whole)
{
	char **parts = g_strsplit(pattern, ".", -1);
	unsigned n = g_strv_length(parts), i;

	for (i = 0; i < n && i < point->ncomps; i++) {
		const struct point_comp *comp = &point->comps[i];
		size_t name = strcspn(parts[i], "(");
		enum point_arg arg = !parts[i][name] ? POINT_NONE : parts[i][name + 1] == 'n' ? POINT_NUMBER : POINT_STRING;

		if (strlen(comp->name) != name || strncmp(comp->name, parts[i], name) || comp->arg != arg)
			break;
	}
	*whole = i == n && i == point->ncomps;
	g_strfreev(parts);
	return i;
}

const struct family_pattern *family_match(const struct probe_point *point, const struct family **family,
					  unsigned *ncomps_matched)
{
	*ncomps_matched = 0;
	for (unsigned f = 0; families[f]; f++)
		for (const struct family_pattern *p = families[f]->patterns; p->text; p++) {
			int whole;
			unsigned n = match(p->text, point, &whole);

			*ncomps_matched = MAX(*ncomps_matched, n);
			if (whole) {
				*family = families[f];
				return p;
			}
		}
	return NULL;
}
