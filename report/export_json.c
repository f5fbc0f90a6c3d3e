/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export_json.c - what the JSON formats share.
 */
#include "report/export_json.h"

#include <stdlib.h>

void export_begin(struct export_text *e, enum data_form form, const char *schema)
{
	data_begin(&e->data, open_memstream(&e->text, &e->size), form, schema);
}

char *export_end(struct export_text *e, gsize *size)
{
	int failed = data_end(&e->data, "lapwing export", "to memory");

	fclose(e->data.to);
	*size = e->size;
	if (!failed)
		return e->text;
	free(e->text);
	return NULL;
}

void export_int(struct data *d, const char *name, gint64 value)
{
	data_value(d, name, "%" G_GINT64_FORMAT, value);
}

void export_double(struct data *d, const char *name, double value)
{
	data_value(d, name, "%.6f", value);
}

GArray **export_by_thread(const struct profile *p, const struct sample_filter *filter)
{
	GArray **lists = g_new0(GArray *, p->threads->len);

	for (guint i = 0; i < p->samples->len; i++) {
		const struct profile_sample *s = PROFILE_AT(p->samples, sample, i);

		if (!filter_passes(p, s, filter))
			continue;
		if (!lists[s->thread])
			lists[s->thread] = g_array_new(FALSE, FALSE, sizeof(guint));
		g_array_append_val(lists[s->thread], i);
	}
	return lists;
}
