/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diag_json.c - see diag_json.h. A message is written when its hints are known: with the next one.
 */
#include "lib/diag_json.h"

#include "lib/data.h"

struct related {
	char		*text;
	struct loc	loc;
};

struct diag_json {
	struct data	data;
	/* the message that is not written yet; text NULL: none */
	int		is_warning;
	const char	*code;		/* static */
	char		*text;
	struct loc	loc;
	GPtrArray	*hints;		/* char * */
	GArray		*related;	/* struct related */
};

static void clear_related(void *related)
{
	g_free(((struct related *)related)->text);
}

struct diag_json *diag_json_new(void)
{
	static const char *const columns[] = { "severity", "code", "message",  "file",
					       "line",	   "column", "end_line", "end_column",
					       "hints",	   "related", NULL };
	struct diag_json *j = g_new0(struct diag_json, 1);

	j->hints = g_ptr_array_new_with_free_func(g_free);
	j->related = g_array_new(FALSE, FALSE, sizeof(struct related));
	g_array_set_clear_func(j->related, clear_related);
	data_begin(&j->data, stdout, DATA_JSON, "lapwing-diagnostics/1");
	data_rows(&j->data, "diagnostics", columns);
	return j;
}

static void put_position(struct data *d, const struct loc *loc, unsigned offset, const char *line,
			 const char *column)
{
	struct place place;

	if (!loc->src) {
		data_text(d, line, NULL);
		data_text(d, column, NULL);
		return;
	}
	source_locate(loc->src, offset, &place);
	data_value(d, line, "%u", place.line);
	data_value(d, column, "%u", place.column);
}

static void put_related(struct data *d, const struct related *r)
{
	data_object(d, NULL);
	data_text(d, "message", r->text);
	data_text(d, "file", r->loc.src ? r->loc.src->name : NULL);
	put_position(d, &r->loc, r->loc.start, "line", "column");
	data_close(d);
}

/* Writes the message that waits. */
static void put(struct diag_json *j)
{
	struct data *d = &j->data;

	if (!j->text)
		return;
	data_row(d);
	data_text(d, NULL, j->is_warning ? "warning" : "error");
	data_text(d, NULL, j->code);
	data_text(d, NULL, j->text);
	data_text(d, NULL, j->loc.src ? j->loc.src->name : NULL);
	put_position(d, &j->loc, j->loc.start, NULL, NULL);
	put_position(d, &j->loc, MAX(j->loc.end, j->loc.start), NULL, NULL);
	data_array(d, NULL);
	for (unsigned i = 0; i < j->hints->len; i++)
		data_text(d, NULL, j->hints->pdata[i]);
	data_close(d);
	data_array(d, NULL);
	for (unsigned i = 0; i < j->related->len; i++)
		put_related(d, &g_array_index(j->related, struct related, i));
	data_close(d);
	data_close(d);
	g_ptr_array_set_size(j->hints, 0);
	g_array_set_size(j->related, 0);
	g_clear_pointer(&j->text, g_free);
}

void diag_json_message(struct diag_json *j, int is_warning, const char *code, const char *text,
		       const struct loc *loc)
{
	put(j);
	j->is_warning = is_warning;
	j->code = code;
	j->text = g_strdup(text);
	j->loc = loc ? *loc : (struct loc){ 0 };
}

void diag_json_related(struct diag_json *j, const char *text, const struct loc *loc)
{
	struct related r = { g_strdup(text), loc ? *loc : (struct loc){ 0 } };

	g_array_append_val(j->related, r);
}

void diag_json_hint(struct diag_json *j, const char *text)
{
	g_ptr_array_add(j->hints, g_strdup(text));
}

void diag_json_end(struct diag_json *j)
{
	put(j);
	data_close(&j->data);
	data_end(&j->data, "lapwing", "stdout");
	g_ptr_array_unref(j->hints);
	g_array_unref(j->related);
	g_free(j);
}
