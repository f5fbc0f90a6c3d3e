/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export_pprof.c - pprof's format: a gzip-compressed protocol buffer (pprof.proto). A location is a
 * place, with the functions inlined there.
 */
#include "report/export.h"
#include "report/pprof.pb-c.h"

#include <string.h>
#include <zlib.h>

/* The message under construction; `owned` has all of its blocks, to be freed together. */
struct out {
	const struct profile *p;
	GPtrArray	*strings, *functions, *locations, *samples, *mappings;
	GHashTable	*string_ids, *function_ids;	/* to number plus one */
	GPtrArray	*owned;
};

static gpointer own(struct out *o, gpointer block)
{
	g_ptr_array_add(o->owned, block);
	return block;
}

static gint64 string_id(struct out *o, const char *text)
{
	guint id = GPOINTER_TO_UINT(g_hash_table_lookup(o->string_ids, text));

	if (!id) {
		g_ptr_array_add(o->strings, own(o, g_strdup(text)));
		id = o->strings->len;
		g_hash_table_insert(o->string_ids, g_ptr_array_index(o->strings, id - 1),
				    GUINT_TO_POINTER(id));
	}
	return id - 1;
}

static guint64 function_id(struct out *o, const char *name, const char *file)
{
	char *key = own(o, g_strdup_printf("%s\n%s", name, file));
	guint id = GPOINTER_TO_UINT(g_hash_table_lookup(o->function_ids, key));
	Pprof__Function *f;

	if (id)
		return id;
	f = own(o, g_new(Pprof__Function, 1));
	pprof__function__init(f);
	g_ptr_array_add(o->functions, f);
	f->id = id = o->functions->len;
	f->name = f->system_name = string_id(o, name);
	f->filename = string_id(o, file);
	g_hash_table_insert(o->function_ids, key, GUINT_TO_POINTER(id));
	return id;
}

static void add_mapping(struct out *o, guint i)
{
	const struct profile_image *image = PROFILE_AT(o->p->images, image, i);
	Pprof__Mapping *m = own(o, g_new(Pprof__Mapping, 1));
	GString *id = g_string_new(NULL);

	pprof__mapping__init(m);
	for (gsize b = 0; b < image->build_id_size; b++)
		g_string_append_printf(id, "%02x", image->build_id[b]);
	m->id = i + 1;
	m->memory_limit = G_MAXINT64;
	m->filename = string_id(o, image->path);
	m->build_id = string_id(o, id->str);
	m->has_functions = m->has_filenames = m->has_line_numbers = m->has_inline_frames = 1;
	g_ptr_array_add(o->mappings, m);
	g_string_free(id, TRUE);
}

/* The name of the process with the most samples; "" if there are none. */
static const char *main_process(const struct profile *p)
{
	guint64 *samples = g_new0(guint64, p->processes->len + 1);
	guint most = 0;

	for (guint i = 0; i < p->samples->len; i++) {
		const struct profile_sample *s = PROFILE_AT(p->samples, sample, i);

		samples[PROFILE_AT(p->threads, thread, s->thread)->process] += s->count;
	}
	for (guint i = 1; i < p->processes->len; i++)
		if (samples[i] > samples[most])
			most = i;
	g_free(samples);
	return p->processes->len ? PROFILE_AT(p->processes, process, most)->name : "";
}

/*
 * pprof shows the first mapping as the program: the main process's image, by name. Otherwise files
 * precede the kernel.
 */
static void add_mappings(struct out *o)
{
	const char *name = main_process(o->p);
	guint n = o->p->images->len, program = n;

	for (guint i = 0; i < n && program == n; i++) {
		char *base = g_path_get_basename(PROFILE_AT(o->p->images, image, i)->path);

		if (*name && PROFILE_AT(o->p->images, image, i)->kind == IMAGE_FILE &&
		    g_str_has_prefix(base, name))
			program = i;
		g_free(base);
	}
	if (program < n)
		add_mapping(o, program);
	for (int files = 1; files >= 0; files--)
		for (guint i = 0; i < n; i++)
			if (i != program &&
			    (PROFILE_AT(o->p->images, image, i)->kind == IMAGE_FILE) == files)
				add_mapping(o, i);
}

static Pprof__Line *line_of(struct out *o, const char *function, const char *file, guint32 line)
{
	Pprof__Line *l = own(o, g_new(Pprof__Line, 1));

	pprof__line__init(l);
	l->function_id = function_id(o, function, file);
	l->line = line;
	return l;
}

/* Innermost inlined function first, as in the profile. */
static void add_location(struct out *o, guint32 place)
{
	const struct profile_place *at = PROFILE_AT(o->p->places, place, place);
	const struct profile_function *f = profile_function_of(o->p, place);
	const char *name = f ? f->name : "(no symbol)";
	Pprof__Location *l = own(o, g_new(Pprof__Location, 1));
	const struct profile_line *rows;
	guint n;

	rows = profile_lines_of(o->p, place, &n);
	pprof__location__init(l);
	l->id = place + 1;
	l->mapping_id = at->image + 1;
	l->address = at->offset;
	l->n_line = MAX(n, 1);
	l->line = own(o, g_new(Pprof__Line *, l->n_line));
	for (guint i = 0; i < n; i++)
		l->line[i] = line_of(o, i + 1 == n ? name : rows[i].function, rows[i].file,
				     rows[i].line);
	if (!n)
		l->line[0] = line_of(o, name, "", 0);
	g_ptr_array_add(o->locations, l);
}

static Pprof__Label *label(struct out *o, const char *key, const char *text, gint64 number)
{
	Pprof__Label *l = own(o, g_new(Pprof__Label, 1));

	pprof__label__init(l);
	l->key = string_id(o, key);
	l->str = text ? string_id(o, text) : 0;
	l->num = number;
	return l;
}

static void add_sample(struct out *o, const struct profile_sample *s)
{
	const struct profile_thread *thread = PROFILE_AT(o->p->threads, thread, s->thread);
	Pprof__Sample *m = own(o, g_new(Pprof__Sample, 1));
	guint n = 0;

	pprof__sample__init(m);
	m->location_id =
		own(o, g_new(uint64_t, s->node == PROFILE_NONE
					       ? 1
					       : PROFILE_AT(o->p->nodes, node, s->node)->depth));
	for (guint32 node = s->node; node != PROFILE_NONE;
	     node = PROFILE_AT(o->p->nodes, node, node)->parent)
		m->location_id[n++] = PROFILE_AT(o->p->nodes, node, node)->place + 1;
	m->n_location_id = n;
	m->n_value = 2;
	m->value = own(o, g_new(int64_t, 2));
	m->value[0] = (gint64)s->count;
	m->value[1] = (gint64)s->weight;
	m->n_label = 3;
	m->label = own(o, g_new(Pprof__Label *, 3));
	m->label[0] =
		label(o, "process", PROFILE_AT(o->p->processes, process, thread->process)->name, 0);
	m->label[1] = label(o, "thread", thread->name, 0);
	m->label[2] = label(o, "tid", NULL, thread->tid);
	g_ptr_array_add(o->samples, m);
}

static Pprof__ValueType *value_type(struct out *o, const char *type, const char *unit)
{
	Pprof__ValueType *v = own(o, g_new(Pprof__ValueType, 1));

	pprof__value_type__init(v);
	v->type = string_id(o, type);
	v->unit = string_id(o, unit);
	return v;
}

static char *compress_bytes(const guint8 *bytes, gsize n, gsize *size)
{
	z_stream z = { .next_in = (Bytef *)bytes, .avail_in = (uInt)n };
	gsize room;
	char *out;

	/* + 16: with a gzip header */
	deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
	room = deflateBound(&z, n);
	out = g_malloc(room);
	z.next_out = (Bytef *)out;
	z.avail_out = (uInt)room;
	deflate(&z, Z_FINISH);
	*size = z.total_out;
	deflateEnd(&z);
	return out;
}

static char *pack(struct out *o, const struct profile_event *event, gsize *size)
{
	const struct profile *p = o->p;
	Pprof__Profile m = PPROF__PROFILE__INIT;
	const char *unit = event->nanoseconds ? "nanoseconds" : "count";
	Pprof__ValueType *types[] = { value_type(o, "samples", "count"),
				      value_type(o, event->name, unit) };
	guint8 *bytes;
	gsize n;
	char *out;

	m.n_sample_type = 2;
	m.sample_type = types;
	m.period_type = types[1];
	m.period = (gint64)event->period;
	m.time_nanos = (gint64)p->wall;
	m.duration_nanos = p->books.complete ? (gint64)(p->books.end - p->start) : 0;
	m.n_sample = o->samples->len;
	m.sample = (Pprof__Sample **)o->samples->pdata;
	m.n_mapping = o->mappings->len;
	m.mapping = (Pprof__Mapping **)o->mappings->pdata;
	m.n_location = o->locations->len;
	m.location = (Pprof__Location **)o->locations->pdata;
	m.n_function = o->functions->len;
	m.function = (Pprof__Function **)o->functions->pdata;
	m.n_string_table = o->strings->len;
	m.string_table = (char **)o->strings->pdata;
	n = pprof__profile__get_packed_size(&m);
	bytes = g_malloc(n);
	pprof__profile__pack(&m, bytes);
	out = compress_bytes(bytes, n, size);
	g_free(bytes);
	return out;
}

char *export_pprof(const struct profile *p, const struct sample_filter *filter, gsize *size)
{
	struct out o = {
		.p = p,
		.strings = g_ptr_array_new(),
		.functions = g_ptr_array_new(),
		.locations = g_ptr_array_new(),
		.samples = g_ptr_array_new(),
		.mappings = g_ptr_array_new(),
		.string_ids = g_hash_table_new(g_str_hash, g_str_equal),
		.function_ids = g_hash_table_new(g_str_hash, g_str_equal),
		.owned = g_ptr_array_new_with_free_func(g_free),
	};
	char *out;

	string_id(&o, "");		/* the format requires it first */
	add_mappings(&o);
	for (guint i = 0; i < p->places->len; i++)
		add_location(&o, i);
	for (guint i = 0; i < p->samples->len; i++)
		if (filter_passes(p, PROFILE_AT(p->samples, sample, i), filter))
			add_sample(&o, PROFILE_AT(p->samples, sample, i));
	out = pack(&o, PROFILE_AT(p->events, event, filter->event), size);
	for (GPtrArray **a = (GPtrArray *[]){ o.strings, o.functions, o.locations, o.samples,
					      o.mappings, o.owned, NULL };
	     *a; a++)
		g_ptr_array_free(*a, TRUE);
	g_hash_table_destroy(o.string_ids);
	g_hash_table_destroy(o.function_ids);
	return out;
}
