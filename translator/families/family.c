/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family.c - the list of families, and matching of probe points to their patterns.
 */
#include "translator/families/family.h"

#include "translator/debuginfo/debuginfo.h"

#include "translator/program/program.h"

#include <string.h>

const struct family *const families[] = {
#define FAMILY(name) &family_##name,
#include "translator/families/families.def"
#undef FAMILY
	NULL,
};

/* Matches one component of a pattern, up to a dot or the end; *behind: the rest of the pattern. */
static int match_comp(const char *pattern, const struct point_comp *comp, const char **behind)
{
	size_t name = strcspn(pattern, "(."), len = strlen(comp->name);
	enum point_arg arg = pattern[name] != '(' ? POINT_NONE
			     : pattern[name + 1] == 'n' ? POINT_NUMBER
			     : POINT_STRING;

	*behind = pattern + name + strcspn(pattern + name, ".");
	return len == name && !memcmp(comp->name, pattern, name) && comp->arg == arg;
}

/*
 * Number of the point's leading components that match the pattern; *whole: both match completely.
 */
static unsigned match(const char *pattern, const struct probe_point *point, int *whole)
{
	unsigned i = 0;

	while (i < point->ncomps && match_comp(pattern, &point->comps[i], &pattern)) {
		i++;
		if (!*pattern)
			break;
		pattern++;
	}
	*whole = !*pattern && i == point->ncomps;
	return i;
}

const struct family_pattern *family_match(const struct probe_point *point,
					  const struct family **family, unsigned *ncomps_matched)
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

void family_report_copy(const struct family_call *call, const char *asked, const char *found)
{
	if (call->diag->verbose && strcmp(asked, found) && debuginfo_is_copy(found))
		fprintf(stderr, "Pass 2: '%s' has the compiler's copy %s%s\n", asked, found,
			debuginfo_is_rest(found)
				? ": its beginning is inlined, and calls that end there are not seen"
				: ", whose parameters may not be those of the source");
}
