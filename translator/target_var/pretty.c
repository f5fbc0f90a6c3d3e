/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pretty.c - $x$ and $x$$: a struct, union or array as text, "{.pid=1, .comm="sh", .mm=0x0}".
 *
 * It becomes one sprintf of all its numbers; members beyond the limit of a print statement's values
 * are shown as "...". Numbers are decimal, pointers hexadecimal, arrays of char are strings; with
 * one $, nested structs are shown as {...} and arrays as [...].
 */
#include "translator/target_var/pretty.h"

#include "translator/debuginfo/btf.h"
#include "translator/program/builtins.h"
#include "translator/target_var/location.h"
#include "translator/target_var/variable.h"

#include <string.h>

#define VALUES_MAX	(RT_MAXARGS - 1)
#define DEPTH_MAX	8

struct pretty {
	struct lowering *l;
	GString		*format;
	GPtrArray	*args;
	int		deep;
};

static void put(struct pretty *y, struct location p, int depth);

static void put_text(struct pretty *y, struct location p, guint32 count)
{
	const char *reads = y->l->user ? "user_string_n" : "kernel_string_n";
	struct ast_node *at = location_address(y->l, p), *n = lower_number(y->l, count);

	g_string_append(y->format, "\\\"%s\\\"");
	g_ptr_array_add(y->args, lower_call(y->l, builtin_find(reads, 2), at, n, NULL));
}

static void put_array(struct pretty *y, struct location p, int depth)
{
	const struct btf *btf = y->l->btf;
	guint32 count = btf_count(btf, p.type), of = btf_target(btf, p.type);

	if (!strcmp(btf_name(btf, btf_strip(btf, of)), "char") && p.where == IN_MEMORY) {
		put_text(y, p, count);
		return;
	}
	g_string_append_c(y->format, '[');
	for (guint32 i = 0; i < count && (y->deep || !depth) && p.where == IN_MEMORY; i++) {
		if (i)
			g_string_append(y->format, ", ");
		if (y->args->len >= VALUES_MAX || i == 16) {
			g_string_append(y->format, "...");
			break;
		}
		put(y, location_element(y->l, p, lower_number(y->l, i)), depth + 1);
	}
	g_string_append(y->format, depth && !y->deep && count ? "...]" : "]");
}

static void put_members(struct pretty *y, struct location p, guint32 type, int depth, int *first)
{
	struct btf_field field;

	for (unsigned i = 0; btf_field(y->l->btf, type, i, &field); i++) {
		struct location m = p;

		if (y->args->len >= VALUES_MAX) {
			g_string_append(y->format, ", ...");
			return;
		}
		m.bit += field.bit;
		m.type = field.type;
		m.width = field.width;
		if (!*field.name) {		/* an anonymous member's members are shown like
						 * ours; a nameless bitfield is padding */
			if (depth < DEPTH_MAX && !field.width)
				put_members(y, m, btf_strip(y->l->btf, field.type), depth + 1,
					    first);
			continue;
		}
		g_string_append_printf(y->format, "%s.%s=", *first ? "" : ", ", field.name);
		*first = 0;
		put(y, m, depth + 1);
	}
}

static void put(struct pretty *y, struct location p, int depth)
{
	const struct btf *btf = y->l->btf;
	struct ast_node *value;
	int first = 1;

	p.type = btf_strip(btf, p.type);
	switch (btf_kind(btf, p.type)) {
	case BTF_STRUCT: case BTF_UNION:
		g_string_append_c(y->format, '{');
		if (depth && (!y->deep || depth >= DEPTH_MAX))
			g_string_append(y->format, "...");
		else
			put_members(y, p, p.type, depth, &first);
		g_string_append_c(y->format, '}');
		return;
	case BTF_ARRAY:
		put_array(y, p, depth);
		return;
	default:
		value = location_value(y->l, p);
		g_string_append(y->format, !value                             ? "?"
					   : btf_kind(btf, p.type) == BTF_PTR ? "%p"
					   : "%i");
		if (value)
			g_ptr_array_add(y->args, value);
		else
			y->l->why = NULL;
	}
}

struct ast_node *pretty_value(struct lowering *l, struct location p, int deep)
{
	struct pretty y = { l, g_string_new(NULL), g_ptr_array_new(), deep };
	guint32 type = btf_strip(l->btf, p.type), to = btf_strip(l->btf, btf_target(l->btf, type));
	struct ast_node *n = NULL;

	if (btf_kind(l->btf, type) == BTF_PTR &&
	    (btf_kind(l->btf, to) == BTF_STRUCT || btf_kind(l->btf, to) == BTF_UNION))
		n = location_value(l, p);
	if (n)
		p = (struct location){ .where = IN_MEMORY, .type = to, .base = n };
	put(&y, p, 0);
	n = lower_format(l, y.format->str, y.args);
	g_string_free(y.format, TRUE);
	g_ptr_array_free(y.args, TRUE);
	return n;
}
