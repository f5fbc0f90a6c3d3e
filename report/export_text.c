/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export_text.c - folded stacks ("a;b;c 12" a line), and samples by process, thread, function and
 * image, as CSV and as JSON.
 */
#include "report/export.h"
#include "report/export_json.h"
#include "report/heading.h"
#include "report/tally.h"

#include <string.h>

/* ---- folded --------------------------------------------------------------------*/

/* Replaces ';' and newlines in a name: they separate frames and stacks. */
static void append_name(GString *out, const struct frame *f)
{
	for (const char *c = f->name; *c; c++)
		g_string_append_c(out, *c == ';' ? ':' : *c == '\n' ? ' ' : *c);
	if (f->kernel)
		g_string_append(out, "_[k]");
	else if (f->inlined)
		g_string_append(out, "_[i]");
}

static void fold(GString *out, GString *path, const struct frame *f)
{
	gsize length = path->len;

	if (f->parent) {
		if (length)
			g_string_append_c(path, ';');
		append_name(path, f);
	}
	if (f->self)
		g_string_append_printf(out, "%s %" G_GUINT64_FORMAT "\n", path->str, f->self);
	for (guint i = 0; i < f->children->len; i++)
		fold(out, path, g_ptr_array_index(f->children, i));
	g_string_truncate(path, length);
}

char *export_folded(const struct profile *p, const struct sample_filter *filter, gsize *size)
{
	struct frames *tree = frames_make(p, filter, 0);
	GString *out = g_string_new(NULL), *path = g_string_new(NULL);

	fold(out, path, tree->root);
	frames_free(tree);
	g_string_free(path, TRUE);
	*size = out->len;
	return g_string_free(out, FALSE);
}

/* ---- tables --------------------------------------------------------------------*/

static char *table(const struct profile *p, const struct sample_filter *filter,
		   enum data_form form, gsize *size)
{
	const struct key **chosen = keys_parse("process,thread,function,image", NULL);
	const char **columns = tally_columns(NULL, chosen);
	struct tally *t = tally_make(p, chosen, filter);
	struct export_text e;

	export_begin(&e, form, "lapwing-profile/1");
	heading_write(&e.data, p, filter);
	data_rows(&e.data, "rows", columns);
	tally_write(&e.data, t, t->rows->len, NULL, columns);
	data_close(&e.data);
	tally_free(t);
	g_free(columns);
	g_free(chosen);
	return export_end(&e, size);
}

char *export_csv(const struct profile *p, const struct sample_filter *filter, gsize *size)
{
	return table(p, filter, DATA_CSV, size);
}

char *export_json(const struct profile *p, const struct sample_filter *filter, gsize *size)
{
	return table(p, filter, DATA_JSON, size);
}
