/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source.c - loads script text and turns byte offsets into lines and columns.
 *
 * Input: a path or text; output: struct source.  Does not know tokens, encodings
 * or what a script means.
 */
#include "lib/source.h"

#include <string.h>
#include <unistd.h>

struct source *source_new(const char *name, const char *text, size_t len)
{
	struct source *src = g_new0(struct source, 1);

	src->name = g_strdup(name);
	src->text = g_malloc(len + 1);
	if (len)
		memcpy(src->text, text, len);
	src->text[len] = '\0';
	src->len = len;
	return src;
}

static struct source *load_stdin(GError **error)
{
	GIOChannel *channel = g_io_channel_unix_new(STDIN_FILENO);
	struct source *src = NULL;
	gchar *text = NULL;
	gsize len = 0;

	g_io_channel_set_encoding(channel, NULL, NULL);
	if (g_io_channel_read_to_end(channel, &text, &len, error) == G_IO_STATUS_NORMAL)
		src = source_new("<input>", text, len);
	g_free(text);
	g_io_channel_unref(channel);
	return src;
}

struct source *source_load(const char *path, GError **error)
{
	struct source *src;
	gchar *text;
	gsize len;

	if (!strcmp(path, "-"))
		return load_stdin(error);
	if (!g_file_get_contents(path, &text, &len, error))
		return NULL;
	src = source_new(path, text, len);
	g_free(text);
	return src;
}

void source_free(struct source *src)
{
	if (!src)
		return;
	if (src->lines)
		g_array_free(src->lines, TRUE);
	g_free(src->name);
	g_free(src->text);
	g_free(src);
}

static void index_lines(struct source *src)
{
	size_t start = 0;

	src->lines = g_array_new(FALSE, FALSE, sizeof(size_t));
	g_array_append_val(src->lines, start);
	for (size_t i = 0; i < src->len; i++) {
		if (src->text[i] != '\n')
			continue;
		start = i + 1;
		g_array_append_val(src->lines, start);
	}
}

void source_locate(struct source *src, unsigned offset, struct place *place)
{
	size_t at = MIN((size_t)offset, src->len), start, end;
	unsigned low = 0, high;

	if (!src->lines)
		index_lines(src);
	/* invariant: line `low` starts at or before `at`, line `high` after it */
	high = src->lines->len;
	while (high - low > 1) {
		unsigned mid = low + (high - low) / 2;

		if (g_array_index(src->lines, size_t, mid) <= at)
			low = mid;
		else
			high = mid;
	}
	start = g_array_index(src->lines, size_t, low);
	end = low + 1 < src->lines->len ? g_array_index(src->lines, size_t, low + 1) - 1 : src->len;
	place->line = low + 1;
	place->column = at - start + 1;
	place->text = src->text + start;
	place->text_len = end - start;
}

struct loc loc_written(struct loc loc)
{
	const struct loc *of = loc.src ? loc.src->stands_for : NULL;
	const char *text, *found;
	gsize len = loc.end > loc.start ? loc.end - loc.start : 0;

	if (!of || loc.end > loc.src->len)
		return of ? *of : loc;
	text = of->src->text + of->start;
	for (found = text; len && (gsize)(found - text) + len <= of->end - of->start; found++)
		if (!memcmp(found, loc.src->text + loc.start, len))
			return (struct loc){ of->src, (unsigned)(found - of->src->text),
					     (unsigned)(found - of->src->text + (gssize)len),
					     of->via };
	return *of;
}

char *loc_string(const struct loc *loc)
{
	struct place place;

	if (!loc || !loc->src)
		return g_strdup("<built in>");
	source_locate(loc->src, loc->start, &place);
	return g_strdup_printf("%s:%u:%u", loc->src->name, place.line, place.column);
}

static int comes_through(const struct loc *loc, const struct expansion *via)
{
	const struct expansion *x = loc->via;

	while (x && x != via)
		x = x->at.via;
	return x == via;
}

struct loc loc_join(struct loc a, struct loc b)
{
	if (!a.src)
		return b;
	while (a.via && !comes_through(&b, a.via))
		a = a.via->at;
	while (b.via != a.via)
		b = b.via->at;
	if (a.src == b.src) {
		a.start = MIN(a.start, b.start);
		a.end = MAX(a.end, b.end);
	}
	return a;
}
