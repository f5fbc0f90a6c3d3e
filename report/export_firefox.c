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

static void set_double(JsonBuilder *b, const char *name, double value)
{
	json_builder_set_member_name(b, name);
	json_builder_add_double_value(b, value);
}

/* A column: values, with `none` as null. */
static void set_column(JsonBuilder *b, const char *name, const GArray *values, gint none)
{
	json_builder_set_member_name(b, name);
	json_builder_begin_array(b);
	for (guint i = 0; i < values->len; i++) {
		gint value = g_array_index(values, gint, i);

		if (value == none)
			json_builder_add_null_value(b);
		else
			json_builder_add_int_value(b, value);
	}
	json_builder_end_array(b);
}

/* A column of n equal values, or of nulls. */
static void set_constant(JsonBuilder *b, const char *name, guint n, int is_null, gint value)
{
	json_builder_set_member_name(b, name);
	json_builder_begin_array(b);
	while (n--) {
		if (is_null)
			json_builder_add_null_value(b);
		else
			json_builder_add_int_value(b, value);
	}
	json_builder_end_array(b);
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

static void add_samples(JsonBuilder *b, struct tables *t, const GArray *samples)
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
	json_builder_set_member_name(b, "samples");
	json_builder_begin_object(b);
	export_set_int(b, "length", samples->len);
	export_set_text(b, "weightType", is_time ? "tracing-ms" : "samples");
	json_builder_set_member_name(b, "weight");
	json_builder_begin_array(b);
	for (guint i = 0; i < samples->len; i++) {
		guint64 weight =
			PROFILE_AT(p->samples, sample, g_array_index(samples, guint, i))->weight;

		if (is_time)
			json_builder_add_double_value(b, (double)weight / 1e6);
		else
			json_builder_add_int_value(b, (gint64)weight);
	}
	json_builder_end_array(b);
	set_column(b, "stack", stacks, -1);
	json_builder_set_member_name(b, "time");
	json_builder_begin_array(b);
	for (guint i = 0; i < samples->len; i++)
		json_builder_add_double_value(
			b, (double)(PROFILE_AT(p->samples, sample, g_array_index(samples, guint, i))
					    ->time -
				    p->start) /
				   1e6);
	json_builder_end_array(b);
	json_builder_end_object(b);
	g_array_free(stacks, TRUE);
}

static void begin_table(JsonBuilder *b, const char *name, guint length)
{
	json_builder_set_member_name(b, name);
	json_builder_begin_object(b);
	export_set_int(b, "length", length);
}

static void add_stack_tables(JsonBuilder *b, const struct tables *t)
{
	guint n = t->stack_frame->len;

	begin_table(b, "stackTable", n);
	set_column(b, "frame", t->stack_frame, -1);
	set_column(b, "prefix", t->stack_prefix, -1);
	set_column(b, "category", t->frame_kernel, -1);		/* as many frames as stacks */
	set_constant(b, "subcategory", n, 0, 0);
	json_builder_end_object(b);
	begin_table(b, "frameTable", n);
	json_builder_set_member_name(b, "address");
	json_builder_begin_array(b);
	for (guint i = 0; i < n; i++)
		json_builder_add_int_value(b, g_array_index(t->frame_address, gint, i));
	json_builder_end_array(b);
	set_column(b, "inlineDepth", t->frame_depth, -1);
	set_column(b, "category", t->frame_kernel, -1);
	set_constant(b, "subcategory", n, 0, 0);
	set_column(b, "func", t->frame_func, -1);
	set_constant(b, "nativeSymbol", n, 1, 0);
	set_constant(b, "innerWindowID", n, 0, 0);
	set_constant(b, "implementation", n, 1, 0);
	set_column(b, "line", t->frame_line, -1);
	set_constant(b, "column", n, 1, 0);
	json_builder_end_object(b);
}

static void set_flags(JsonBuilder *b, const char *name, guint n)
{
	json_builder_set_member_name(b, name);
	json_builder_begin_array(b);
	while (n--)
		json_builder_add_boolean_value(b, FALSE);
	json_builder_end_array(b);
}

static void add_name_tables(JsonBuilder *b, struct tables *t)
{
	static const char *const symbols[] = { "libIndex", "address", "name", "functionSize",
					       NULL };
	static const char *const markers[] = { "category", "data",	"endTime", "name",
					       "phase",	   "startTime", NULL };
	guint n = t->func_name->len, images = t->resource_image->len;
	GArray *names = g_array_new(FALSE, FALSE, sizeof(gint));

	begin_table(b, "funcTable", n);
	set_column(b, "name", t->func_name, -1);
	set_flags(b, "isJS", n);
	set_flags(b, "relevantForJS", n);
	set_column(b, "resource", t->func_resource, G_MININT);
	set_constant(b, "fileName", n, 1, 0);
	set_constant(b, "lineNumber", n, 1, 0);
	set_constant(b, "columnNumber", n, 1, 0);
	json_builder_end_object(b);
	for (guint i = 0; i < images; i++) {
		char *base = g_path_get_basename(
			PROFILE_AT(t->p->images, image,
				   (guint)g_array_index(t->resource_image, gint, i))
				->path);
		gint id = string_id(t, base);

		g_array_append_val(names, id);
		g_free(base);
	}
	begin_table(b, "resourceTable", images);
	set_constant(b, "lib", images, 1, 0);
	set_column(b, "name", names, -1);
	set_constant(b, "host", images, 1, 0);
	set_constant(b, "type", images, 0, 1);		/* a library */
	json_builder_end_object(b);
	g_array_free(names, TRUE);
	begin_table(b, "nativeSymbols", 0);
	for (const char *const *column = symbols; *column; column++)
		set_constant(b, *column, 0, 1, 0);
	json_builder_end_object(b);
	begin_table(b, "markers", 0);
	for (const char *const *column = markers; *column; column++)
		set_constant(b, *column, 0, 1, 0);
	json_builder_end_object(b);
	json_builder_set_member_name(b, "stringArray");
	json_builder_begin_array(b);
	for (guint i = 0; i < t->strings->len; i++)
		json_builder_add_string_value(b, g_ptr_array_index(t->strings, i));
	json_builder_end_array(b);
}

static void add_thread(JsonBuilder *b, const struct profile *p, guint32 thread,
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
	json_builder_begin_object(b);
	export_set_text(b, "name", row->name);
	export_set_text(b, "processName", process->name);
	export_set_text(b, "processType", "default");
	export_set_text(b, "pid", pid);
	export_set_int(b, "tid", row->tid);
	json_builder_set_member_name(b, "isMainThread");
	json_builder_add_boolean_value(b, row->tid == process->pid);
	set_double(b, "processStartupTime", 0);
	set_double(b, "registerTime", 0);
	set_constant(b, "pausedRanges", 0, 1, 0);
	for (const char *const *none =
		     (const char *const[]){ "processShutdownTime", "unregisterTime", NULL };
	     *none; none++) {
		json_builder_set_member_name(b, *none);
		json_builder_add_null_value(b);
	}
	add_samples(b, &t, samples);
	add_stack_tables(b, &t);
	add_name_tables(b, &t);
	json_builder_end_object(b);
	for (guint i = 0; i < G_N_ELEMENTS(columns); i++)
		g_array_free(*columns[i], TRUE);
	g_hash_table_destroy(t.string_ids);
	g_hash_table_destroy(t.stack_ids);
	g_hash_table_destroy(t.image_ids);
	g_hash_table_destroy(t.func_ids);
	g_ptr_array_free(t.strings, TRUE);
	g_free(pid);
}

static void add_category(JsonBuilder *b, const char *name, const char *color)
{
	json_builder_begin_object(b);
	export_set_text(b, "name", name);
	export_set_text(b, "color", color);
	json_builder_set_member_name(b, "subcategories");
	json_builder_begin_array(b);
	json_builder_add_string_value(b, "Other");
	json_builder_end_array(b);
	json_builder_end_object(b);
}

static void add_meta(JsonBuilder *b, const struct profile *p, const struct profile_event *event)
{
	json_builder_set_member_name(b, "meta");
	json_builder_begin_object(b);
	export_set_int(b, "version", 29);
	export_set_int(b, "preprocessedProfileVersion", FORMAT_VERSION);
	set_double(b, "startTime", (double)p->wall / 1e6);
	set_double(b, "interval",
		   event->nanoseconds && event->period ? (double)event->period / 1e6 : 1);
	export_set_int(b, "processType", 0);
	export_set_int(b, "stackwalk", 1);
	export_set_int(b, "debug", 0);
	export_set_int(b, "gcpoison", 0);
	export_set_int(b, "asyncstack", 0);
	export_set_text(b, "product", *p->command ? p->command : "whole machine");
	export_set_text(b, "importedFrom", "lapwing");
	export_set_text(b, "oscpu", p->machine);
	json_builder_set_member_name(b, "symbolicated");
	json_builder_add_boolean_value(b, TRUE);
	json_builder_set_member_name(b, "categories");
	json_builder_begin_array(b);
	add_category(b, "User", "yellow");
	add_category(b, "Kernel", "orange");
	json_builder_end_array(b);
	set_constant(b, "markerSchema", 0, 1, 0);
	json_builder_end_object(b);
}

char *export_firefox(const struct profile *p, const struct sample_filter *filter, gsize *size)
{
	GArray **lists = export_by_thread(p, filter);
	JsonBuilder *b = json_builder_new();

	json_builder_begin_object(b);
	add_meta(b, p, PROFILE_AT(p->events, event, filter->event));
	set_constant(b, "libs", 0, 1, 0);
	set_constant(b, "pages", 0, 1, 0);
	json_builder_set_member_name(b, "threads");
	json_builder_begin_array(b);
	for (guint32 t = 0; t < p->threads->len; t++)
		if (lists[t]) {
			add_thread(b, p, t, lists[t]);
			g_array_free(lists[t], TRUE);
		}
	json_builder_end_array(b);
	json_builder_end_object(b);
	g_free(lists);
	return export_json_text(b, size);
}
