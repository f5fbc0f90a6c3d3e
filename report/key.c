/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * key.c - see key.h.
 */
#include "report/key.h"

#include "lib/data.h"
#include "lib/failure_error.h"
#include "report/block.h"
#include "report/cgroup.h"
#include "report/filter.h"

#include <string.h>

#define SHORT_NS	(600 * G_GUINT64_CONSTANT(1000000000))	/* times of a shorter profile have milliseconds */

static const struct profile_place *place_of(const struct profile *p, const struct profile_sample *s)
{
	return s->node == PROFILE_NONE
		       ? NULL
		       : PROFILE_AT(p->places, place, PROFILE_AT(p->nodes, node, s->node)->place);
}

void key_place_name(GString *to, const struct profile *p, guint32 place)
{
	const struct profile_function *f = profile_function_of(p, place);

	g_string_append(to, f ? f->name : "(no symbol)");
}

static void key_function(GString *to, const struct profile *p, const struct profile_sample *s)
{
	if (profile_is_idle(p, s))
		g_string_append(to, "(idle)");
	else if (s->node == PROFILE_NONE)
		g_string_append(to, "(no stack)");
	else
		key_place_name(to, p, PROFILE_AT(p->nodes, node, s->node)->place);
}

static void key_image(GString *to, const struct profile *p, const struct profile_sample *s)
{
	const struct profile_place *place = place_of(p, s);

	g_string_append(to, place ? PROFILE_AT(p->images, image, place->image)->path : "-");
}

static void key_line(GString *to, const struct profile *p, const struct profile_sample *s)
{
	const struct profile_line *line = NULL;
	guint n = 0;

	if (s->node != PROFILE_NONE)
		line = profile_lines_of(p, PROFILE_AT(p->nodes, node, s->node)->place, &n);
	if (n)
		g_string_append_printf(to, "%s:%u", line->file, line->line);
	else
		g_string_append(to, "(no line)");
}

static void key_block(GString *to, const struct profile *p, const struct profile_sample *s)
{
	guint64 start;

	key_function(to, p, s);
	if (s->node == PROFILE_NONE || profile_is_idle(p, s))
		return;
	if (block_of(p, PROFILE_AT(p->nodes, node, s->node)->place, &start))
		g_string_append(to, " (no code)");
	else
		g_string_append_printf(to, "+0x%" G_GINT64_MODIFIER "x", start);
}

static void key_address(GString *to, const struct profile *p, const struct profile_sample *s)
{
	const struct profile_place *place = place_of(p, s);

	if (place)
		g_string_append_printf(to, "0x%" G_GINT64_MODIFIER "x", place->offset);
	else
		g_string_append_c(to, '-');
}

static void key_mode(GString *to, const struct profile *p, const struct profile_sample *s)
{
	g_string_append(to, filter_mode_name(p, s));
}

static const struct profile_process *process_of(const struct profile *p,
						const struct profile_sample *s)
{
	return PROFILE_AT(p->processes, process,
			  PROFILE_AT(p->threads, thread, s->thread)->process);
}

static void key_process(GString *to, const struct profile *p, const struct profile_sample *s)
{
	const struct profile_process *process = process_of(p, s);

	g_string_append(to, process->name);
	if (process->pid || profile_is_idle(p, s))
		g_string_append_printf(to, "(%d)", process->pid);
}

static void key_unit(GString *to, const struct profile *p, const struct profile_sample *s)
{
	cgroup_unit(to, process_of(p, s)->cgroup);
}

static void key_name(GString *to, const struct profile *p, const struct profile_sample *s)
{
	g_string_append(to, process_of(p, s)->name);
}

static void key_group(GString *to, const struct profile *p, const struct profile_sample *s)
{
	g_string_append_printf(to, "%d", process_of(p, s)->pid);
}

static void key_thread(GString *to, const struct profile *p, const struct profile_sample *s)
{
	const struct profile_thread *thread = PROFILE_AT(p->threads, thread, s->thread);

	g_string_append(to, thread->name);
	if (thread->tid >= 0)
		g_string_append_printf(to, "(%d)", thread->tid);
}

static void key_cpu(GString *to, const struct profile *p, const struct profile_sample *s)
{
	g_string_append_printf(to, "%u", s->cpu);
}

static void key_phase(GString *to, const struct profile *p, const struct profile_sample *s)
{
	g_string_append(
		to, s->phase == PROFILE_NONE ? "-" : PROFILE_AT(p->phases, phase, s->phase)->name);
}

char *key_time(const struct profile *p, guint64 time)
{
	static char *text;			/* of that second: GLib asks the file system about the zone */
	static guint64 of;
	guint64 ns = p->wall + time - p->start, second = ns / 1000000000;
	GDateTime *when;

	if (!text || second != of) {
		when = g_date_time_new_from_unix_local((gint64)second);
		g_free(text);
		text = when ? g_date_time_format(when, "%Y-%m-%d %H:%M:%S") : NULL;
		of = second;
		if (when)
			g_date_time_unref(when);
	}
	if (text && profile_end(p) - p->start < SHORT_NS)
		return g_strdup_printf("%s.%03u", text, (guint)(ns / 1000000 % 1000));
	return g_strdup(text ? text : "?");
}

static void key_epoch(GString *to, const struct profile *p, const struct profile_sample *s)
{
	char *time = p->epochs->len ? key_time(p, s->time) : g_strdup("-");

	g_string_append(to, time);
	g_free(time);
}

const struct key keys[] = {
#define KEY(name, title, what, unknown, number, uses) { #name, title, what, unknown, number, uses, key_##name },
#include "report/key.def"
#undef KEY
	{ NULL }
};

static const struct key *find(const char *name)
{
	for (const struct key *key = keys; key->name; key++)
		if (!strcmp(key->name, name))
			return key;
	return NULL;
}

static void unknown(const char *name, GError **error)
{
	GString *known = g_string_new(NULL);

	for (const struct key *key = keys; key->name; key++)
		g_string_append_printf(known, "%s%s", key == keys ? "" : ", ", key->name);
	g_set_error(error, FAILURE_ERROR, FAILURE_NAME_UNKNOWN,
		    "unknown key '%s' (keys: %s)", name,
		    known->str);
	g_string_free(known, TRUE);
}

static int is_among(const struct key *const *list, const struct key *key)
{
	while (*list && *list != key)
		list++;
	return *list != NULL;
}

const struct key **keys_parse(const char *list, GError **error)
{
	char **names = g_strsplit(list, ",", 0);
	const struct key **result = g_new0(const struct key *, g_strv_length(names) + 1);

	for (guint i = 0, n = 0; result && names[i]; i++) {
		const struct key *key = find(names[i]);

		if (!key) {
			unknown(names[i], error);
			g_free(result);
			result = NULL;
		} else if (!is_among(result, key)) {
			result[n++] = key;
		}
	}
	g_strfreev(names);
	return result;
}

unsigned keys_use(const char *list)
{
	const struct key **parsed = keys_parse(list, NULL);
	unsigned uses = 0;

	for (guint i = 0; parsed && parsed[i]; i++)
		uses |= parsed[i]->uses;
	g_free(parsed);
	return uses;
}

const char **keys_columns(const char *first, const char *const *amounts, const struct key *const *list)
{
	GPtrArray *names = g_ptr_array_new();

	if (first)
		g_ptr_array_add(names, (gpointer)first);
	for (; *amounts; amounts++)
		g_ptr_array_add(names, (gpointer)*amounts);
	for (; *list; list++)
		if (!g_ptr_array_find_with_equal_func(names, (*list)->name, g_str_equal, NULL))
			g_ptr_array_add(names, (gpointer)(*list)->name);
	g_ptr_array_add(names, NULL);
	return (const char **)g_ptr_array_free(names, FALSE);
}

void key_write(struct data *d, const struct key *key, const char *text)
{
	if (key->number)
		data_value(d, NULL, "%s", text);
	else
		data_text(d, NULL, g_strcmp0(text, key->unknown) ? text : NULL);
}
