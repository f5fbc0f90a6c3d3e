/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shared.c - code that several families share. Knows no list of families, so that tests can have
 * their own families.
 */
#include "translator/families/shared.h"

#include "translator/families/family.h"
#include "translator/program/program.h"

#include <string.h>

const char *family_keep(struct family_call *call, const char *text)
{
	return text ? strcpy(call->alloc(call, strlen(text) + 1), text) : NULL;
}

void family_add(struct family_call *call, void *row)
{
	char *point = point_string(call->point);
	struct family_probe probe = { .point = point, .phase = RT_RUNNING, .row = row };

	call->add(call, &probe);
	g_free(point);
}

const struct point_comp *family_comp(const struct probe_point *point, const char *name)
{
	for (unsigned i = 0; i < point->ncomps; i++)
		if (!strcmp(point->comps[i].name, name))
			return &point->comps[i];
	return NULL;
}

static int keeps_text(const struct probe *keeper)
{
	int text = 0;

	for (unsigned i = 0; i < keeper->kept->len; i++)
		text |= ((struct var *)keeper->kept->pdata[i])->type == TYPE_STRING;
	return text;
}

void family_emit_keeper(GString *out, const struct probe *probe)
{
	if (probe->keeper)
		g_string_append_printf(
			out, ", .keeper = &probes[%u], .nkept = %u, .keeps_text = %d",
			probe->keeper->index, probe->keeper->kept->len, keeps_text(probe->keeper));
}

int family_is_return(const struct probe *probe)
{
	return probe->family->returns && probe->family->returns(probe->row);
}

/* The first outermost pair of braces: text[*open] and text[*close], or 0. */
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
			char *one = g_strdup_printf("%.*s%.*s%s", (int)open, text, (int)(i - from),
						    text + from, text + close + 1);

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
