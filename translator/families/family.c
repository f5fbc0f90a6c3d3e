/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family.c - the list of families, and which pattern a probe point matches.
 */
#include "translator/families/family.h"

#include "translator/program.h"

#include <string.h>

const struct family *const families[] = {
#define FAMILY(name) &family_##name,
#include "translator/families/families.def"
#undef FAMILY
	NULL,
};

/* One component of a pattern, up to a dot or the end; *behind: what follows. */
static int match_comp(const char *pattern, const struct point_comp *comp, const char **behind)
{
	size_t name = strcspn(pattern, "(."), len = strlen(comp->name);
	enum point_arg arg = pattern[name] != '(' ? POINT_NONE : pattern[name + 1] == 'n' ? POINT_NUMBER : POINT_STRING;

	*behind = pattern + name + strcspn(pattern + name, ".");
	return len == name && !memcmp(comp->name, pattern, name) && comp->arg == arg;
}

/* How many of the point's components the pattern's begin with; *whole: all of both. */
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

int family_is_return(const struct probe *probe)
{
	return probe->family->returns && *probe->family->returns(probe->row);
}

/* The first group of braces that stands in no other: text[*open] and text[*close], or 0. */
static int find_group(const char *text, size_t *open, size_t *close)
{
	const char *begin = strchr(text, '{');
	int depth = 0;

	for (const char *p = begin; p && *p; p++) {
		depth += (*p == '{') - (*p == '}');
		if (!depth) {
			*open = (size_t)(begin - text);
			*close = (size_t)(p - text);
			return 1;
		}
	}
	return 0;
}

static void expand(GPtrArray *out, const char *text)
{
	size_t open, close, from;
	int depth = 0;

	if (!find_group(text, &open, &close)) {
		g_ptr_array_add(out, g_strdup(text));
		return;
	}
	from = open + 1;
	for (size_t i = open; i <= close; i++) {
		if ((text[i] == ',' && depth == 1) || i == close) {
			char *one = g_strdup_printf("%.*s%.*s%s", (int)open, text, (int)(i - from), text + from, text + close + 1);

			expand(out, one);
			g_free(one);
			from = i + 1;
		}
		depth += (text[i] == '{') - (text[i] == '}');
	}
}

char **family_alternatives(const char *text)
{
	GPtrArray *out = g_ptr_array_new();

	expand(out, text);
	g_ptr_array_add(out, NULL);
	return (char **)g_ptr_array_free(out, FALSE);
}
