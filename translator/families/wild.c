/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wild.c - wildcards in the words of a probe point: 'timer.*' stands for all families' patterns
 * that match it, with the point's arguments.
 *
 * Families handle wildcards in arguments, kernel.function("vfs_*").
 */
#include "translator/families/wild.h"

#include "translator/families/family.h"
#include "translator/program/program.h"

#include <string.h>

/* Makes a point from a pattern; its arguments are those of like, in order. */
static struct probe_point *point_of(struct ast *ast, const char *pattern,
				    const struct probe_point *like)
{
	struct probe_point *made = ast_alloc(ast, sizeof(*made));
	char **words = g_strsplit(pattern, ".", -1);
	unsigned given = 0;

	*made = *like;
	made->ncomps = g_strv_length(words);
	made->comps = ast_alloc(ast, made->ncomps * sizeof(*made->comps));
	for (unsigned i = 0; i < made->ncomps; i++) {
		struct point_comp *comp = &made->comps[i];
		size_t name = strcspn(words[i], "(");
		enum point_arg arg = words[i][name] != '(' ? POINT_NONE
				     : words[i][name + 1] == 'n' ? POINT_NUMBER
				     : POINT_STRING;

		words[i][name] = 0;
		while (arg != POINT_NONE && given < like->ncomps &&
		       like->comps[given].arg == POINT_NONE)
			given++;
		if (arg != POINT_NONE && given < like->ncomps)
			*comp = like->comps[given++];
		else
			comp->loc = comp->arg_loc = like->loc;
		comp->name = ast_strdup(ast, words[i]);
		comp->arg = arg;
	}
	g_strfreev(words);
	return made;
}

unsigned family_wild(struct ast *ast, const struct probe_point *point, GPtrArray *named)
{
	unsigned found = 0;

	if (!point_has_wildcard(point))
		return 0;
	for (unsigned f = 0; families[f]; f++)
		for (const struct family_pattern *p = families[f]->patterns; p->text; p++) {
			struct probe_point *made = point_of(ast, p->text, point);
			const struct family *family;
			unsigned matched;

			/* a pattern of two families belongs to the first */
			if (!point_comps_match(point->comps, point->ncomps, made->comps,
					       made->ncomps) ||
			    family_match(made, &family, &matched) != p)
				continue;
			found++;
			if (named)
				g_ptr_array_add(named, made);
		}
	return found;
}
