/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export_speedscope.c - speedscope's file format: frames once, then for each thread its samples in order of time, outermost frame first.
 */
#include "report/export.h"

/* A frame for each place; functions that were inlined there are frames of their own behind it: first[place], first[place + 1] - 1. */
static guint *add_frames(JsonBuilder *b, const struct profile *p)
{
	guint *first = g_new0(guint, p->places->len + 1), n = 0;

	json_builder_set_member_name(b, "frames");
	json_builder_begin_array(b);
	for (guint place = 0; place < p->places->len; place++) {
		const struct profile_function *f = profile_function_of(p, place);
		const struct profile_image *image = PROFILE_AT(p->images, image, PROFILE_AT(p->places, place, place)->image);
		guint rows;
		const struct profile_line *line = profile_lines_of(p, place, &rows);

		first[place] = n;
		for (guint i = MAX(rows, 1); i-- > 0; n++) {
			json_builder_begin_object(b);
			export_set_text(b, "name", i + 1 < rows ? line[i].function : f ? f->name : image->path);
			export_set_text(b, "file", rows ? line[i].file : image->path);
			if (rows)
				export_set_int(b, "line", line[i].line);
			json_builder_end_object(b);
		}
	}
	json_builder_end_array(b);
	first[p->places->len] = n;
	return first;
}

static void add_stack(JsonBuilder *b, const struct profile *p, const struct profile_sample *s, const guint *first)
{
	guint32 depth = s->node == PROFILE_NONE ? 0 : PROFILE_AT(p->nodes, node, s->node)->depth;
	guint32 *places = g_new(guint32, depth + 1), at = depth;

	for (guint32 node = s->node; node != PROFILE_NONE; node = PROFILE_AT(p->nodes, node, node)->parent)
		places[--at] = PROFILE_AT(p->nodes, node, node)->place;
	json_builder_begin_array(b);
	for (guint32 i = 0; i < depth; i++)
		for (guint frame = first[places[i]]; frame < first[places[i] + 1]; frame++)
			json_builder_add_int_value(b, frame);
	json_builder_end_array(b);
	g_free(places);
}

static void add_thread(JsonBuilder *b, const struct profile *p, guint32 thread, const GArray *samples, const guint *first)
{
	const struct profile_thread *t = PROFILE_AT(p->threads, thread, thread);
	char *name = g_strdup_printf("%s (%d) of %s", t->name, t->tid, PROFILE_AT(p->processes, process, t->process)->name);
	int is_time = PROFILE_AT(p->events, event, PROFILE_AT(p->samples, sample, g_array_index(samples, guint, 0))->event)->nanoseconds;
	gint64 total = 0;

	json_builder_begin_object(b);
	export_set_text(b, "type", "sampled");
	export_set_text(b, "name", name);
	export_set_text(b, "unit", is_time ? "nanoseconds" : "none");
	export_set_int(b, "startValue", 0);
	json_builder_set_member_name(b, "samples");
	json_builder_begin_array(b);
	for (guint i = 0; i < samples->len; i++)
		add_stack(b, p, PROFILE_AT(p->samples, sample, g_array_index(samples, guint, i)), first);
	json_builder_end_array(b);
	json_builder_set_member_name(b, "weights");
	json_builder_begin_array(b);
	for (guint i = 0; i < samples->len; i++) {
		gint64 weight = (gint64)PROFILE_AT(p->samples, sample, g_array_index(samples, guint, i))->weight;

		total += weight;
		json_builder_add_int_value(b, weight);
	}
	json_builder_end_array(b);
	export_set_int(b, "endValue", total);
	json_builder_end_object(b);
	g_free(name);
}

char *export_speedscope(const struct profile *p, const struct tally_filter *filter, gsize *size)
{
	GArray **lists = export_by_thread(p, filter);
	JsonBuilder *b = json_builder_new();
	guint *first;

	json_builder_begin_object(b);
	export_set_text(b, "$schema", "https://www.speedscope.app/file-format-schema.json");
	export_set_text(b, "name", p->command);
	export_set_text(b, "exporter", "lapwing");
	json_builder_set_member_name(b, "shared");
	json_builder_begin_object(b);
	first = add_frames(b, p);
	json_builder_end_object(b);
	json_builder_set_member_name(b, "profiles");
	json_builder_begin_array(b);
	for (guint32 t = 0; t < p->threads->len; t++)
		if (lists[t]) {
			add_thread(b, p, t, lists[t], first);
			g_array_free(lists[t], TRUE);
		}
	json_builder_end_array(b);
	json_builder_end_object(b);
	g_free(first);
	g_free(lists);
	return export_json_text(b, size);
}
