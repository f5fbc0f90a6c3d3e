/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export_firefox.c - the Firefox Profiler's processed format (version 48): tables as columns, each
 * thread with its own.
 */
#include "report/export.h"
#include "report/export_json.h"

#define FORMAT_VERSION 48

/* One thread's tables, filled from the profile's. */
struct tables {
	const struct profile *p;
	GPtrArray	*strings;
	GHashTable	*string_ids;	/* to number plus one */
	GArray		*func_name, *func_resource;	/* funcTable */
	GArray		*frame_func, *frame_address, *frame_line, *frame_depth, *frame_kernel;
	GArray		*stack_frame, *stack_prefix;	/* prefix -1: none */
	GHashTable	*stack_ids;	/* the profile's node to the innermost stack plus one */
	GHashTable	*image_ids;	/* image to resource plus one */
	GHashTable	*func_ids;	/* name and resource to function plus one */
	GArray		*resource_image;
};

/* A column: values, with `none` as null. */
static void set_column(struct data *d, const char *name, const GArray *values, gint none)
{
	data_array(d, name);
	for (guint i = 0; i < values->len; i++) {
		gint value = g_array_index(values, gint, i);

		if (value == none)
			data_text(d, NULL, NULL);
		else
			export_int(d, NULL, value);
	}
	data_close(d);
}

/* A column of n equal values, or of nulls. */
static void set_constant(struct data *d, const char *name, guint n, int is_null, gint value)
{
	data_array(d, name);
	while (n--) {
		if (is_null)
			data_text(d, NULL, NULL);
		else
			export_int(d, NULL, value);
	}
	data_close(d);
}

static gint string_id(struct tables *t, const char *text)
{
	guint id = GPOINTER_TO_UINT(g_hash_table_lookup(t->string_ids, text));

	if (!id) {
		char *kept = g_strdup(text);

		g_ptr_array_add(t->strings, kept);
		id = t->strings->len;
		g_hash_table_insert(t->string_ids, kept, GUINT_TO_POINTER(id));
	}
	return (gint)id - 1;
}

static gint resource_id(struct tables *t, guint32 image)
{
	guint id = GPOINTER_TO_UINT(g_hash_table_lookup(t->image_ids, GUINT_TO_POINTER(image)));

	if (!id) {
		gint value = (gint)image;

		g_array_append_val(t->resource_image, value);
		id = t->resource_image->len;
		g_hash_table_insert(t->image_ids, GUINT_TO_POINTER(image), GUINT_TO_POINTER(id));
	}
	return (gint)id - 1;
}

/* One row per function, for all its callers: call trees are built from them. */
static gint func_id(struct tables *t, gint name, gint resource)
{
	gpointer key = GSIZE_TO_POINTER((gsize)resource << 32 | (guint)name);
	guint id = GPOINTER_TO_UINT(g_hash_table_lookup(t->func_ids, key));

	if (!id) {
		g_array_append_val(t->func_name, name);
		g_array_append_val(t->func_resource, resource);
		id = t->func_name->len;
		g_hash_table_insert(t->func_ids, key, GUINT_TO_POINTER(id));
	}
	return (gint)id - 1;
}

/* A separate frame per stack node. */
static gint push(struct tables *t, gint prefix, const char *name, guint32 place, guint line,
		 gint depth)
{
	const struct profile_place *at = PROFILE_AT(t->p->places, place, place);
	gint func = func_id(t, string_id(t, name), resource_id(t, at->image)),
	     frame = (gint)t->frame_func->len;
	gint address = at->offset > G_MAXINT32 ? -1 : (gint)at->offset,
	     number = line ? (gint)line : -1, kernel = profile_in_kernel(t->p, place);

	g_array_append_val(t->frame_func, func);
	g_array_append_val(t->frame_address, address);
	g_array_append_val(t->frame_line, number);
	g_array_append_val(t->frame_depth, depth);
	g_array_append_val(t->frame_kernel, kernel);
	g_array_append_val(t->stack_frame, frame);
	g_array_append_val(t->stack_prefix, prefix);
	return (gint)t->stack_frame->len - 1;
}

static gint stack_id(struct tables *t, guint32 node)
{
	const struct profile_node *at;
	const struct profile_function *f;
	const struct profile_line *line;
	guint id, rows;
	gint prefix;

	if (node == PROFILE_NONE)
		return -1;
	id = GPOINTER_TO_UINT(g_hash_table_lookup(t->stack_ids, GUINT_TO_POINTER(node)));
	if (id)
		return (gint)id - 1;
	at = PROFILE_AT(t->p->nodes, node, node);
	prefix = stack_id(t, at->parent);
	f = profile_function_of(t->p, at->place);
	line = profile_lines_of(t->p, at->place, &rows);
	for (guint i = MAX(rows, 1); i-- > 0; )
		prefix = push(t, prefix,
			      i + 1 < rows ? line[i].function
			      : f ? f->name
			      : "(no symbol)",
			      at->place, rows ? line[i].line : 0, (gint)(MAX(rows, 1) - 1 - i));
	g_hash_table_insert(t->stack_ids, GUINT_TO_POINTER(node),
			    GUINT_TO_POINTER((guint)prefix + 1));
	return prefix;
}

static void add_samples(struct data *d, struct tables *t, const GArray *samples)
{
	GArray *stacks = g_array_new(FALSE, FALSE, sizeof(gint));
	const struct profile *p = t->p;
	int is_time =
		PROFILE_AT(p->events, event,
			   PROFILE_AT(p->samples, sample, g_array_index(samples, guint, 0))->event)
			->nanoseconds;

	for (guint i = 0; i < samples->len; i++) {
		gint id = stack_id(
			t, PROFILE_AT(p->samples, sample, g_array_index(samples, guint, i))->node);

		g_array_append_val(stacks, id);
	}
	data_object(d, "samples");
	export_int(d, "length", samples->len);
	data_text(d, "weightType", is_time ? "tracing-ms" : "samples");
	data_array(d, "weight");
	for (guint i = 0; i < samples->len; i++) {
		guint64 weight =
			PROFILE_AT(p->samples, sample, g_array_index(samples, guint, i))->weight;

		if (is_time)
			export_double(d, NULL, (double)weight / 1e6);
		else
			export_int(d, NULL, (gint64)weight);
	}
	data_close(d);
	set_column(d, "stack", stacks, -1);
	data_array(d, "time");
	for (guint i = 0; i < samples->len; i++) {
		guint64 at = PROFILE_AT(p->samples, sample, g_array_index(samples, guint, i))->time;

		export_double(d, NULL, (double)(at - p->start) / 1e6);
	}
	data_close(d);
	data_close(d);
	g_array_free(stacks, TRUE);
}

static void begin_table(struct data *d, const char *name, guint length)
{
	data_object(d, name);
	export_int(d, "length", length);
}

static void add_stack_tables(struct data *d, const struct tables *t)
{
	guint n = t->stack_frame->len;

	begin_table(d, "stackTable", n);
	set_column(d, "frame", t->stack_frame, -1);
	set_column(d, "prefix", t->stack_prefix, -1);
	set_column(d, "category", t->frame_kernel, -1);		/* as many frames as stacks */
	set_constant(d, "subcategory", n, 0, 0);
	data_close(d);
	begin_table(d, "frameTable", n);
	data_array(d, "address");
	for (guint i = 0; i < n; i++)
		export_int(d, NULL, g_array_index(t->frame_address, gint, i));
	data_close(d);
	set_column(d, "inlineDepth", t->frame_depth, -1);
	set_column(d, "category", t->frame_kernel, -1);
	set_constant(d, "subcategory", n, 0, 0);
	set_column(d, "func", t->frame_func, -1);
	set_constant(d, "nativeSymbol", n, 1, 0);
	set_constant(d, "innerWindowID", n, 0, 0);
	set_constant(d, "implementation", n, 1, 0);
	set_column(d, "line", t->frame_line, -1);
	set_constant(d, "column", n, 1, 0);
	data_close(d);
}

static void set_flags(struct data *d, const char *name, guint n)
{
	data_array(d, name);
	while (n--)
		data_value(d, NULL, "false");
	data_close(d);
}

static void add_name_tables(struct data *d, struct tables *t)
{
	static const char *const symbols[] = { "libIndex", "address", "name", "functionSize",
					       NULL };
	static const char *const markers[] = { "category", "data",	"endTime", "name",
					       "phase",	   "startTime", NULL };
	guint n = t->func_name->len, images = t->resource_image->len;
	GArray *names = g_array_new(FALSE, FALSE, sizeof(gint));

	begin_table(d, "funcTable", n);
	set_column(d, "name", t->func_name, -1);
	set_flags(d, "isJS", n);
	set_flags(d, "relevantForJS", n);
	set_column(d, "resource", t->func_resource, G_MININT);
	set_constant(d, "fileName", n, 1, 0);
	set_constant(d, "lineNumber", n, 1, 0);
	set_constant(d, "columnNumber", n, 1, 0);
	data_close(d);
	for (guint i = 0; i < images; i++) {
		char *base = g_path_get_basename(
			PROFILE_AT(t->p->images, image,
				   (guint)g_array_index(t->resource_image, gint, i))
				->path);
		gint id = string_id(t, base);

		g_array_append_val(names, id);
		g_free(base);
	}
	begin_table(d, "resourceTable", images);
	set_constant(d, "lib", images, 1, 0);
	set_column(d, "name", names, -1);
	set_constant(d, "host", images, 1, 0);
	set_constant(d, "type", images, 0, 1);		/* a library */
	data_close(d);
	g_array_free(names, TRUE);
	begin_table(d, "nativeSymbols", 0);
	for (const char *const *column = symbols; *column; column++)
		set_constant(d, *column, 0, 1, 0);
	data_close(d);
	begin_table(d, "markers", 0);
	for (const char *const *column = markers; *column; column++)
		set_constant(d, *column, 0, 1, 0);
	data_close(d);
	data_array(d, "stringArray");
	for (guint i = 0; i < t->strings->len; i++)
		data_text(d, NULL, g_ptr_array_index(t->strings, i));
	data_close(d);
}

static void add_thread(struct data *d, const struct profile *p, guint32 thread,
		       const GArray *samples)
{
	const struct profile_thread *row = PROFILE_AT(p->threads, thread, thread);
	const struct profile_process *process = PROFILE_AT(p->processes, process, row->process);
	struct tables t = {
		.p = p,
		.strings = g_ptr_array_new_with_free_func(g_free),
		.string_ids = g_hash_table_new(g_str_hash, g_str_equal),
		.stack_ids = g_hash_table_new(NULL, NULL),
		.image_ids = g_hash_table_new(NULL, NULL),
		.func_ids = g_hash_table_new(NULL, NULL),
	};
	GArray **columns[] = { &t.func_name,	&t.func_resource, &t.frame_func,   &t.frame_address,
			       &t.frame_line,	&t.frame_depth,	  &t.frame_kernel, &t.stack_frame,
			       &t.stack_prefix, &t.resource_image };
	char *pid = g_strdup_printf("%d", process->pid);

	for (guint i = 0; i < G_N_ELEMENTS(columns); i++)
		*columns[i] = g_array_new(FALSE, FALSE, sizeof(gint));
	data_object(d, NULL);
	data_text(d, "name", row->name);
	data_text(d, "processName", process->name);
	data_text(d, "processType", "default");
	data_text(d, "pid", pid);
	export_int(d, "tid", row->tid);
	data_value(d, "isMainThread", row->tid == process->pid ? "true" : "false");
	export_double(d, "processStartupTime", 0);
	export_double(d, "registerTime", 0);
	set_constant(d, "pausedRanges", 0, 1, 0);
	for (const char *const *none =
		     (const char *const[]){ "processShutdownTime", "unregisterTime", NULL };
	     *none; none++) {
		data_text(d, *none, NULL);
	}
	add_samples(d, &t, samples);
	add_stack_tables(d, &t);
	add_name_tables(d, &t);
	data_close(d);
	for (guint i = 0; i < G_N_ELEMENTS(columns); i++)
		g_array_free(*columns[i], TRUE);
	g_hash_table_destroy(t.string_ids);
	g_hash_table_destroy(t.stack_ids);
	g_hash_table_destroy(t.image_ids);
	g_hash_table_destroy(t.func_ids);
	g_ptr_array_free(t.strings, TRUE);
	g_free(pid);
}

static void add_category(struct data *d, const char *name, const char *color)
{
	data_object(d, NULL);
	data_text(d, "name", name);
	data_text(d, "color", color);
	data_array(d, "subcategories");
	data_text(d, NULL, "Other");
	data_close(d);
	data_close(d);
}

static void add_meta(struct data *d, const struct profile *p, const struct profile_event *event)
{
	data_object(d, "meta");
	export_int(d, "version", 29);
	export_int(d, "preprocessedProfileVersion", FORMAT_VERSION);
	export_double(d, "startTime", (double)p->wall / 1e6);
	export_double(d, "interval",
		   event->nanoseconds && event->period ? (double)event->period / 1e6 : 1);
	export_int(d, "processType", 0);
	export_int(d, "stackwalk", 1);
	export_int(d, "debug", 0);
	export_int(d, "gcpoison", 0);
	export_int(d, "asyncstack", 0);
	data_text(d, "product", *p->command ? p->command : "whole machine");
	data_text(d, "importedFrom", "lapwing");
	data_text(d, "oscpu", p->machine);
	data_value(d, "symbolicated", "true");
	data_array(d, "categories");
	add_category(d, "User", "yellow");
	add_category(d, "Kernel", "orange");
	data_close(d);
	set_constant(d, "markerSchema", 0, 1, 0);
	data_close(d);
}

char *export_firefox(const struct profile *p, const struct sample_filter *filter, gsize *size)
{
	GArray **lists = export_by_thread(p, filter);
	struct export_text e;
	struct data *d = &e.data;

	export_begin(&e, DATA_JSON, NULL);
	add_meta(d, p, PROFILE_AT(p->events, event, filter->event));
	set_constant(d, "libs", 0, 1, 0);
	set_constant(d, "pages", 0, 1, 0);
	data_array(d, "threads");
	for (guint32 t = 0; t < p->threads->len; t++)
		if (lists[t]) {
			add_thread(d, p, t, lists[t]);
			g_array_free(lists[t], TRUE);
		}
	data_close(d);
	g_free(lists);
	return export_end(&e, size);
}
