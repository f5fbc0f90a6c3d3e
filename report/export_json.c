/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export_json.c - what the JSON formats share.
 */
#include "report/export_json.h"

#include "report/export.h"

#include <string.h>

void export_set_text(JsonBuilder *b, const char *name, const char *value)
{
	json_builder_set_member_name(b, name);
	json_builder_add_string_value(b, value);
}

void export_set_int(JsonBuilder *b, const char *name, gint64 value)
{
	json_builder_set_member_name(b, name);
	json_builder_add_int_value(b, value);
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

char *export_json_text(JsonBuilder *b, gsize *size)
{
	JsonNode *root = json_builder_get_root(b);
	char *text = json_to_string(root, FALSE);

	*size = strlen(text);
	json_node_unref(root);
	g_object_unref(b);
	return text;
}
