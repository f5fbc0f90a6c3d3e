/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * print.c - the print family: every statement becomes a row of formats[] and
 * the values that fill it; print(a, b) is "%d%s".
 */
#include "translator/emit/print.h"

#include "lib/escape.h"
#include "parser/ast_walk.h"
#include "parser/format.h"
#include "translator/emit/emit.h"
#include "translator/emit/expr.h"
#include "translator/emit/out.h"
#include "translator/program/options.h"

#include <string.h>

#define EXECNAME_WORDS 3	/* rt.h's RT_EXECNAME_WORDS */

/*
 * Appends what begins the text, a byte or an escape, which is no directive in the format. An escape
 * becomes three octal digits, so that it takes none of what follows it there. Returns its length.
 */
static size_t append_char(GString *format, const char *text)
{
	char byte;
	size_t n = escape_read(text, &byte);

	if (byte == '%')
		g_string_append(format, "%%");
	else if (n > 1 && (g_ascii_isdigit(text[1]) || text[1] == 'x'))
		g_string_append_printf(format, "\\%03o", (unsigned char)byte);
	else
		g_string_append_len(format, text, (gssize)n);
	return n;
}

/* Appends script text (escapes kept) that has no directives, up to a NUL. */
static void append_plain(GString *format, const char *text)
{
	char byte;

	while (*text && (escape_read(text, &byte), byte))
		text += append_char(format, text);
}

static void append_value(GString *format, GPtrArray *values, struct ast_node *arg)
{
	if (arg->kind == AST_STRING) {
		append_plain(format, arg->u.string.text);
		return;
	}
	g_string_append(format, arg->type == TYPE_STRING ? "%s" : "%d");
	g_ptr_array_add(values, arg);
}

/* Appends printf's format. is_old: %p is as before 1.3, all digits of an address. */
static void append_format(GString *format, const char *text, int is_old)
{
	while (*text) {
		size_t n = *text == '%' && text[1] ? 2 : 1;

		if (*text != '%')
			n = append_char(format, text);
		else if (is_old && text[1] == 'p')
			g_string_append(format, "%#.16x");
		else
			g_string_append_len(format, text, (gssize)n);
		text += n;
	}
}

/* Returns the format of a print statement and collects its values. */
static char *make_format(const struct options *opt, struct ast_node *node, GPtrArray *values)
{
	const char *name = node->u.print.name + node->u.print.to_string;
	const struct ast_list *args = &node->u.print.args;
	GString *format = g_string_new(NULL);

	if (!strcmp(name, "printf"))
		append_format(format, node->u.print.format, !options_since(opt, "1.3"));
	else if (!strcmp(name, "print_char"))
		g_string_append(format, "%c");
	for (unsigned i = 0; i < args->n; i++) {
		if (!strcmp(name, "printf") || !strcmp(name, "print_char")) {
			g_ptr_array_add(values, args->at[i]);
			continue;
		}
		if (i && !strncmp(name, "printd", 6))
			append_plain(format, node->u.print.format);
		append_value(format, values, args->at[i]);
	}
	if (g_str_has_suffix(name, "ln"))
		g_string_append(format, "\\n");
	return g_string_free(format, FALSE);
}

static const char *print_hist(struct emitter *e, struct ast_node *node)
{
	const char *from = emit_statval(e, node->u.print.args.at[0]->u.hist.operand), *name;

	if (!node->u.print.to_string) {
		emit_line(e, "rt_print_hist(c, %s);", from);
		emit_check(e, node->u.print.args.at[0]);
		return "";
	}
	name = emit_temp(e, c_type(TYPE_STRING), "text");
	emit_line(e, "%s = rt_sprint_hist(c, %s);", name, from);
	emit_check(e, node->u.print.args.at[0]);
	return name;
}

static const char *values_text(struct emitter *e, GPtrArray *values, int is_record)
{
	GString *out = g_string_new(is_record ? ", RT_L(rt_thread(c)), RT_L(rt_probe_row(c))" : NULL);
	const char *text;

	for (unsigned i = 0; i < values->len; i++) {
		struct ast_node **at = (struct ast_node **)values->pdata + i;
		const char *value = emit_before(e, *at, at + 1, values->len - i - 1);

		g_string_append_printf(out, ", RT_%c(%s)", (*at)->type == TYPE_STRING ? 'S' : 'L',
				       value);
	}
	text = emit_text(e, "%s", out->str);
	g_string_free(out, TRUE);
	return text;
}

/* The columns of a record: kinds, as enum rt_column says, and names. */
static char *record_kinds(const struct ast_node *node)
{
	GString *kinds = g_string_new(NULL);

	g_string_append_c(kinds, RT_COLUMN_THREAD);
	g_string_append_c(kinds, RT_COLUMN_PROBE);
	for (unsigned i = 0; i < node->u.print.args.n; i++)
		g_string_append_c(kinds, node->u.print.columns[i].kind);
	return g_string_free(kinds, FALSE);
}

static char *record_names(const struct ast_node *node, GPtrArray *values)
{
	GString *names = g_string_new(NULL);

	for (unsigned i = 0; i < node->u.print.args.n; i++) {
		g_string_append_printf(names, "%s\\t", node->u.print.columns[i].name);
		g_ptr_array_add(values, node->u.print.args.at[i]);
	}
	return g_string_free(names, FALSE);
}

static int is_execname(const struct ast_node *node)
{
	return node->kind == AST_CALL && node->u.call.builtin &&
	       !strcmp(node->u.call.builtin->name, "execname");
}

static int see_string(struct ast_node **slot, void *seen)
{
	*(int *)seen |= (*slot)->type == TYPE_STRING;
	return 1;
}

/*
 * Number of words of an item with these values, if all are longs, computed without strings, or
 * execname(); else -1.
 */
static int count_words(GPtrArray *values, const char *kinds)
{
	static const char of_its_own[] = { 'm', RT_COLUMN_STACK, 0 };
	int words = 0, strings = 0;

	for (unsigned i = 0; i < values->len; i++) {
		struct ast_node **at = (struct ast_node **)values->pdata + i;

		words += is_execname(*at) ? EXECNAME_WORDS : 1;
		if (!is_execname(*at))
			ast_walk(at, see_string, &strings);
	}
	return strings || strpbrk(kinds, of_its_own) ? -1 : words;
}

/* Emits code that writes the values directly into the ring. */
static void print_item(struct emitter *e, GPtrArray *values, unsigned row, int words, int is_record)
{
	const char **texts = g_new(const char *, values->len), *item;
	int at = is_record ? 2 : 0;

	for (unsigned i = 0; i < values->len; i++) {
		struct ast_node **at = (struct ast_node **)values->pdata + i;

		texts[i] = is_execname(*at) ? "" : emit_before(e, *at, at + 1, values->len - i - 1);
	}
	if (!values->len) {
		emit_line(e, "rt_item(c, %u, 0, 0);", row);
	} else {
		item = emit_temp(e, "s64 *", "item");
		emit_line(e, "%s = rt_%s(c, %u, %u, %d);", item, is_record ? "record" : "item", row,
			  values->len + (unsigned)at, words + at);
		for (unsigned i = 0; i < values->len; i++)
			if (is_execname(values->pdata[i])) {
				emit_line(e, "rt_item_execname(c, %s + %d);", item, at);
				at += EXECNAME_WORDS;
			} else {
				emit_line(e, "%s[%d] = %s;", item, at++, texts[i]);
			}
	}
	g_free(texts);
}

const char *emit_print(struct emitter *e, struct ast_node *node)
{
	GPtrArray *values = g_ptr_array_new();
	char *format, *literal, *kinds;
	const char *text;
	unsigned row;
	int words, is_record;

	if (node->u.print.args.n == 1 && node->u.print.args.at[0]->kind == AST_HIST) {
		g_ptr_array_free(values, TRUE);
		return print_hist(e, node);
	}
	is_record = node->u.print.columns != NULL;
	format = is_record ? record_names(node, values) : make_format(e->prog->opt, node, values);
	literal = c_literal(format, G_MAXINT64);
	kinds = is_record ? record_kinds(node) : format_kinds(format, NULL);
	words = node->u.print.to_string || !kinds ? -1 : count_words(values, kinds);
	text = words < 0 ? values_text(e, values, is_record) : "";
	row = emit_format(e, literal, kinds ? kinds : "");
	if (words >= 0) {
		print_item(e, values, row, words, is_record);
	} else if (node->u.print.to_string) {
		text = emit_text(e, "rt_sprint(c, %u%s)", row, text);
	} else {
		emit_line(e, "rt_print(c, %u%s);", row, text);
		if (kinds && strchr(kinds, 'm'))
			emit_check(e, node);
		text = "";
	}
	g_free(kinds);
	g_free(literal);
	g_free(format);
	g_ptr_array_free(values, TRUE);
	return text;
}
