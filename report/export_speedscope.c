/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export_speedscope.c - speedscope's file format: frames once, then for each thread its samples in
 * order of time, outermost frame first.
 */
#include "report/export.h"
#include "report/export_json.h"

/*
 * Numbers of functions in the file, outermost first; those of a place are of[first[place]] to
 * of[first[place + 1] - 1].
 */
struct frames_of {
	GArray		*of;		/* guint */
	guint		*first;
	GHashTable	*ids;		/* name and file to number plus one */
};

/* A function is one frame for all its places: the viewer adds up frames by number. */
static guint frame_id(struct data *d, struct frames_of *frames, const char *name, const char *file)
{
	char *key = g_strdup_printf("%s\n%s", name, file);
	guint id = GPOINTER_TO_UINT(g_hash_table_lookup(frames->ids, key));

	if (id) {
		g_free(key);
		return id - 1;
	}
	data_object(d, NULL);
	data_text(d, "name", name);
	data_text(d, "file", file);
	data_close(d);
	id = g_hash_table_size(frames->ids);
	g_hash_table_insert(frames->ids, key, GUINT_TO_POINTER(id + 1));
	return id;
}

static void add_frames(struct data *d, const struct profile *p, struct frames_of *frames)
{
	data_array(d, "frames");
	for (guint place = 0; place < p->places->len; place++) {
		const struct profile_function *f = profile_function_of(p, place);
		const struct profile_image *image =
			PROFILE_AT(p->images, image, PROFILE_AT(p->places, place, place)->image);
		guint rows;
		const struct profile_line *line = profile_lines_of(p, place, &rows);

		frames->first[place] = frames->of->len;
		for (guint i = MAX(rows, 1); i-- > 0; ) {
			const char *name = i + 1 < rows ? line[i].function
					   : f ? f->name
					   : image->path;
			guint id = frame_id(d, frames, name, rows ? line[i].file : image->path);

			g_array_append_val(frames->of, id);
		}
	}
	data_close(d);
	frames->first[p->places->len] = frames->of->len;
}

static void add_stack(struct data *d, const struct profile *p, const struct profile_sample *s,
		      const struct frames_of *frames)
{
	guint32 depth = s->node == PROFILE_NONE ? 0 : PROFILE_AT(p->nodes, node, s->node)->depth;
	guint32 *places = g_new(guint32, depth + 1), at = depth;

	for (guint32 node = s->node; node != PROFILE_NONE;
	     node = PROFILE_AT(p->nodes, node, node)->parent)
		places[--at] = PROFILE_AT(p->nodes, node, node)->place;
	data_array(d, NULL);
	for (guint32 i = 0; i < depth; i++)
		for (guint at_frame = frames->first[places[i]];
		     at_frame < frames->first[places[i] + 1]; at_frame++)
			export_int(d, NULL, g_array_index(frames->of, guint, at_frame));
	data_close(d);
	g_free(places);
}

/* Returns its weight. */
static gint64 add_thread(struct data *d, const struct profile *p, guint32 thread,
			 const GArray *samples, const struct frames_of *frames)
{
	const struct profile_thread *t = PROFILE_AT(p->threads, thread, thread);
	char *name = g_strdup_printf("%s (%d) of %s", t->name, t->tid,
				     PROFILE_AT(p->processes, process, t->process)->name);
	int is_time =
		PROFILE_AT(p->events, event,
			   PROFILE_AT(p->samples, sample, g_array_index(samples, guint, 0))->event)
			->nanoseconds;
	gint64 total = 0;

	data_object(d, NULL);
	data_text(d, "type", "sampled");
	data_text(d, "name", name);
	data_text(d, "unit", is_time ? "nanoseconds" : "none");
	export_int(d, "startValue", 0);
	data_array(d, "samples");
	for (guint i = 0; i < samples->len; i++)
		add_stack(d, p, PROFILE_AT(p->samples, sample, g_array_index(samples, guint, i)),
			  frames);
	data_close(d);
	data_array(d, "weights");
	for (guint i = 0; i < samples->len; i++) {
		gint64 weight =
			(gint64)PROFILE_AT(p->samples, sample, g_array_index(samples, guint, i))
				->weight;

		total += weight;
		export_int(d, NULL, weight);
	}
	data_close(d);
	export_int(d, "endValue", total);
	data_close(d);
	g_free(name);
	return total;
}

/* The viewer shows the heaviest first. */
static void add_threads(struct data *d, const struct profile *p, GArray **lists,
			const struct frames_of *frames)
{
	gint64 weight, most = -1;
	guint n = 0, heaviest = 0;

	data_array(d, "profiles");
	for (guint32 t = 0; t < p->threads->len; t++) {
		if (!lists[t])
			continue;
		weight = add_thread(d, p, t, lists[t], frames);
		g_array_free(lists[t], TRUE);
		if (weight > most) {
			most = weight;
			heaviest = n;
		}
		n++;
	}
	data_close(d);
	export_int(d, "activeProfileIndex", heaviest);
}

char *export_speedscope(const struct profile *p, const struct sample_filter *filter, gsize *size)
{
	GArray **lists = export_by_thread(p, filter);
	struct export_text e;
	struct data *d = &e.data;
	struct frames_of frames = {
		g_array_new(FALSE, FALSE, sizeof(guint)),
		g_new0(guint, p->places->len + 1),
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
	};

	export_begin(&e, DATA_JSON, NULL);
	data_text(d, "$schema", "https://www.speedscope.app/file-format-schema.json");
	data_text(d, "name", p->command);
	data_text(d, "exporter", "lapwing");
	data_object(d, "shared");
	add_frames(d, p, &frames);
	data_close(d);
	add_threads(d, p, lists, &frames);
	g_array_free(frames.of, TRUE);
	g_free(frames.first);
	g_hash_table_destroy(frames.ids);
	g_free(lists);
	return export_end(&e, size);
}
