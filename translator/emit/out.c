/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * out.c - text of a C file: indented lines, blocks whose declarations come first, literals,
 * comments. Knows nothing about the script's language.
 */
#include "translator/emit/out.h"

#include "lib/escape.h"
#include "parser/ast_print.h"
#include "translator/emit/emit.h"

#include <string.h>

static void indented(GString *to, unsigned indent, const char *format, va_list args)
{
	for (unsigned i = 0; i < indent; i++)
		g_string_append_c(to, '\t');
	g_string_append_vprintf(to, format, args);
	g_string_append_c(to, '\n');
}

void emit_line(struct emitter *e, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	indented(e->block->body, e->block->indent, format, args);
	va_end(args);
}

void emit_decl(struct emitter *e, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	indented(e->block->decls, e->block->indent, format, args);
	va_end(args);
}

struct block *block_open(struct emitter *e, unsigned indent)
{
	struct block *b = g_new0(struct block, 1);

	b->outer = e->block;
	b->decls = g_string_new(NULL);
	b->body = g_string_new(NULL);
	b->temps = g_ptr_array_new();
	b->indent = indent;
	e->block = b;
	return b;
}

int block_close(struct emitter *e, GString *where)
{
	struct block *b = e->block;
	int empty = !b->decls->len && !b->body->len;

	e->block = b->outer;
	g_string_append(where, b->decls->str);
	if (b->decls->len && b->body->len)
		g_string_append_c(where, '\n');
	g_string_append(where, b->body->str);
	g_string_free(b->decls, TRUE);
	g_string_free(b->body, TRUE);
	g_ptr_array_free(b->temps, TRUE);
	g_free(b);
	return empty;
}

/* Appends one byte as it stands in a C string literal. */
static void append_byte(GString *out, char byte)
{
	if (byte == '"' || byte == '\\')
		g_string_append_printf(out, "\\%c", byte);
	else if (byte < ' ' || byte > '~')
		g_string_append_printf(out, "\\%03o", (unsigned char)byte);
	else
		g_string_append_c(out, byte);
}

char *c_literal(const char *text, gint64 max)
{
	GString *out = g_string_new("\"");
	gint64 bytes = 0;
	char byte;

	for (size_t n; *text && bytes < max; text += n, bytes++) {
		n = escape_read(text, &byte);
		if (!byte)
			break;
		if (n == 2 && strchr("abtnvfr", text[1]))
			g_string_append_len(out, text, 2);
		else if (byte == '?' && text[n] == '?')	/* avoid trigraphs */
			g_string_append(out, "\\?");
		else if (n == 1 && byte != '"' && byte != '\\')
			g_string_append_c(out, byte);	/* UTF-8 stays readable */
		else
			append_byte(out, byte);
	}
	return g_string_free(g_string_append_c(out, '"'), FALSE);
}

char *c_literal_raw(const char *bytes)
{
	GString *out = g_string_new("\"");

	for (; *bytes; bytes++)
		append_byte(out, *bytes);
	return g_string_free(g_string_append_c(out, '"'), FALSE);
}

char *source_comment(const struct loc *loc)
{
	struct place place;
	GString *out;
	const char *base;

	if (!loc->src)
		return g_strdup("made by lapwing");
	source_locate(loc->src, loc->start, &place);
	base = strrchr(loc->src->name, '/');
	out = g_string_new(base ? base + 1 : loc->src->name);
	g_string_append_printf(out, ":%u  ", place.line);
	for (size_t i = 0; i < place.text_len && out->len < 100; i++) {
		char ch = place.text[i];

		if (ch == '/' && out->len && out->str[out->len - 1] == '*')
			g_string_append_c(out, ' ');
		if (ch == '*' && out->len && out->str[out->len - 1] == '/')
			g_string_append_c(out, ' ');
		g_string_append_c(out, ch < ' ' ? ' ' : ch);
	}
	g_strchomp(out->str);
	return g_string_free(out, FALSE);
}

const char *emit_name(struct emitter *e, const char *base)
{
	unsigned n = GPOINTER_TO_UINT(g_hash_table_lookup(e->counts, base)) + 1;

	g_hash_table_insert(e->counts, (void *)base, GUINT_TO_POINTER(n));
	return ast_printf(e->prog->ast, "%s%u", base, n);
}

const char *emit_temp(struct emitter *e, const char *type, const char *base)
{
	GPtrArray *temps = e->block->temps;
	struct temp *t;

	for (guint i = 0; i < temps->len; i++) {
		t = g_ptr_array_index(temps, i);
		if (!t->taken && !strcmp(t->base, base) && !strcmp(t->type, type)) {
			t->taken = ++e->taken;
			return t->name;
		}
	}
	t = ast_alloc(e->prog->ast, sizeof(*t));
	*t = (struct temp){ type, base, emit_name(e, base), ++e->taken };
	g_ptr_array_add(temps, t);
	emit_decl(e, "%s%s;", type, t->name);
	return t->name;
}

void emit_give_back(struct emitter *e, unsigned taken)
{
	for (guint i = 0; i < e->block->temps->len; i++) {
		struct temp *t = g_ptr_array_index(e->block->temps, i);

		if (t->taken > taken)
			t->taken = 0;
	}
}

const char *emit_text(struct emitter *e, const char *format, ...)
{
	va_list args;
	char *text;
	const char *kept;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	kept = ast_strdup(e->prog->ast, text);
	g_free(text);
	return kept;
}

/* The row of a text in a table, added on first use. */
static unsigned row_of(GHashTable *ids, GPtrArray *rows, char *text)
{
	void *id;

	if (g_hash_table_lookup_extended(ids, text, NULL, &id)) {
		g_free(text);
		return GPOINTER_TO_UINT(id);
	}
	g_ptr_array_add(rows, text);
	g_hash_table_insert(ids, text, GUINT_TO_POINTER(rows->len - 1));
	return rows->len - 1;
}

unsigned emit_near(struct emitter *e, const struct ast_node *node)
{
	const struct loc *loc = node->mark.src ? &node->mark : &node->loc;
	char *what = ast_describe(node == e->computed ? e->assignment : node),
	     *where = loc_string(loc);
	char *text = g_strdup_printf("%s at %s", what, where);
	unsigned row = row_of(e->near_ids, e->near, text);

	if (row == e->excerpts->len) {
		struct loc written = loc_written(*loc);

		g_ptr_array_add(e->excerpts, written.src ? diag_excerpt(&written) : g_strdup(""));
	}
	g_free(what);
	g_free(where);
	return row;
}

unsigned emit_format(struct emitter *e, const char *text, const char *kinds)
{
	return row_of(e->format_ids, e->formats, g_strdup_printf("{ %s, \"%s\" }", text, kinds));
}
