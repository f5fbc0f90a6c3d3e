/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export_text.c - folded stacks ("a;b;c 12" a line), and samples by process, thread, function and
 * image, as CSV and as JSON.
 */
#include "report/export_text.h"

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

static const char columns[] = "process,thread,function,image";

static void append_csv(GString *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		g_string_append(out, text);
		return;
	}
	g_string_append_c(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			g_string_append_c(out, '"');
		g_string_append_c(out, *text);
	}
	g_string_append_c(out, '"');
}

void export_csv_rows(GString *out, const struct tally *t)
{
	guint n = 0;

	g_string_append(out, "samples,weight,percent,interval,delayed");
	for (; t->keys[n]; n++)
		g_string_append_printf(out, ",%s", t->keys[n]->name);
	g_string_append_c(out, '\n');
	for (guint i = 0; i < t->rows->len; i++) {
		const struct tally_row *row = &g_array_index(t->rows, struct tally_row, i);
		char share[G_ASCII_DTOSTR_BUF_SIZE], interval[G_ASCII_DTOSTR_BUF_SIZE];

		g_ascii_formatd(share, sizeof(share), "%.4f",
				t->weight ? 100.0 * (double)row->weight / (double)t->weight : 0);
		g_ascii_formatd(interval, sizeof(interval), "%.4f",
				100 * tally_interval(row->samples, t->samples));
		g_string_append_printf(
			out, "%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%s,%s,%" G_GUINT64_FORMAT,
			row->samples, row->weight, share, interval, row->delayed);
		for (guint k = 0; k < n; k++) {
			g_string_append_c(out, ',');
			append_csv(out, tally_text(row, k));
		}
		g_string_append_c(out, '\n');
	}
}

char *export_csv(const struct profile *p, const struct sample_filter *filter, gsize *size)
{
	const struct key **chosen = keys_parse(columns, NULL);
	struct tally *t = tally_make(p, chosen, filter);
	GString *out = g_string_new(NULL);

	export_csv_rows(out, t);
	tally_free(t);
	g_free(chosen);
	*size = out->len;
	return g_string_free(out, FALSE);
}

static void add_facts(JsonBuilder *b, const struct profile *p, guint32 event)
{
	const struct profile_event *e = PROFILE_AT(p->events, event, event);

	export_set_text(b, "schema", "lapwing-profile/1");
	export_set_text(b, "command", p->command);
	export_set_text(b, "host", p->host);
	export_set_text(b, "machine", p->machine);
	export_set_text(b, "kernel", p->kernel);
	export_set_text(b, "event", e->name);
	export_set_text(b, "unit", e->nanoseconds ? "nanoseconds" : "count");
	export_set_int(b, "period", e->period);
	export_set_int(b, "received", p->books.received);
	export_set_int(b, "expected", p->books.expected);
	export_set_int(b, "lost", p->books.lost);
	export_set_text(b, "verdict", heading_is_partial(p) ? "PARTIAL" : "COMPLETE");
}

char *export_json(const struct profile *p, const struct sample_filter *filter, gsize *size)
{
	const struct key **chosen = keys_parse(columns, NULL);
	struct tally *t = tally_make(p, chosen, filter);
	JsonBuilder *b = json_builder_new();

	json_builder_begin_object(b);
	add_facts(b, p, filter->event);
	json_builder_set_member_name(b, "rows");
	json_builder_begin_array(b);
	for (guint i = 0; i < t->rows->len; i++) {
		const struct tally_row *row = &g_array_index(t->rows, struct tally_row, i);

		json_builder_begin_object(b);
		export_set_int(b, "samples", row->samples);
		export_set_int(b, "weight", row->weight);
		for (guint k = 0; chosen[k]; k++)
			export_set_text(b, chosen[k]->name, tally_text(row, k));
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
	json_builder_end_object(b);
	tally_free(t);
	g_free(chosen);
	return export_json_text(b, size);
}
