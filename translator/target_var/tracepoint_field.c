/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracepoint_field.c - see tracepoint_field.h. A field is a load at an offset of the record that
 * the kernel wrote at the hit; text fields are strings.
 */
#include "translator/target_var/tracepoint_field.h"

#include "lib/tracefs_mount.h"
#include "translator/families/family.h"
#include "translator/debuginfo/tracefs.h"
#include "translator/target_var/location.h"

#include <string.h>

static const struct builtin number = { "field",	    TYPE_LONG,	 "ll", "rt_field",
				       CTX | FAILS, RT_CAP_ARGS, "",   KIND_FIELD };
static const struct builtin text = { "field",	  TYPE_STRING, "ll", "rt_field_string",
				     CTX | FAILS, RT_CAP_ARGS, "",   KIND_FIELD };

/* The event's fields. Their offsets are compiled into the program, which then needs this layout. */
static GArray *fields_of(const struct probe *p)
{
	struct rt_tracepoint *row = p->row;
	guint64 layout = 0;
	GArray *fields = row->system ? tracefs_fields(row->system, row->name, &layout) : NULL;

	row->layout = layout;
	return fields;
}

/*
 * Size in bytes, negative for signed; 0: not a number. Fields of system calls are stored as longs,
 * whatever their types.
 */
static gint64 kind_of(const struct tracefs_field *f)
{
	static const char *const ints[] = {
		"int",     "pid_t",     "key_t",           "mqd_t",
		"timer_t", "clockid_t", "const clockid_t", "key_serial_t"
	};
	unsigned size = f->count ? f->size / f->count : f->size;

	if (size == 8)
		for (unsigned i = 0; i < G_N_ELEMENTS(ints); i++)
			if (!strcmp(f->type, ints[i]))
				return -4;
	if (size != 1 && size != 2 && size != 4)
		return size == 8 ? 8 : 0;
	return f->is_signed ? -(gint64)size : size;
}

static struct ast_node *value(struct lowering *l, const struct tracefs_field *f, gint64 index)
{
	gint64 kind = kind_of(f), size = kind < 0 ? -kind : kind;

	if (f->form == TRACEFS_CHARS)
		return lower_call(l, &text, lower_number(l, f->offset), lower_number(l, f->size),
				  NULL);
	if (f->form != TRACEFS_NUMBER)
		return lower_call(l, &text, lower_number(l, f->offset),
				  lower_number(l, f->form == TRACEFS_DATA_LOC ? 0 : -1), NULL);
	if (!kind) {
		l->why = ast_printf(l->prog->ast, "a %s is not a number", f->type);
		return NULL;
	}
	return lower_call(l, &number, lower_number(l, f->offset + index * size),
			  lower_number(l, kind), NULL);
}

/* "prev_comm="sh" prev_pid=0x5f ..." */
static struct ast_node *all(struct lowering *l, const GArray *fields)
{
	GString *format = g_string_new(NULL);
	GPtrArray *args = g_ptr_array_new();
	struct ast_node *n;

	for (unsigned i = 0; i < fields->len && args->len < RT_MAXARGS; i++) {
		const struct tracefs_field *f = &g_array_index(fields, struct tracefs_field, i);

		if (f->count && f->form == TRACEFS_NUMBER)
			continue;
		n = value(l, f, 0);
		g_string_append_printf(format, "%s%s=%s", format->len ? " " : "", f->name,
				       !n ? "?"
				       : f->form == TRACEFS_NUMBER ? "%#x"
				       : "\\\"%s\\\"");
		if (n)
			g_ptr_array_add(args, n);
		l->why = NULL;
	}
	n = lower_format(l, format->str, args);
	g_string_free(format, TRUE);
	g_ptr_array_free(args, TRUE);
	return n;
}

static const char *unknown(struct lowering *l, const GArray *fields)
{
	GString *names = g_string_new(NULL);
	const char *why;

	for (unsigned i = 0; i < fields->len; i++)
		g_string_append_printf(names, " $%s",
				       g_array_index(fields, struct tracefs_field, i).name);
	why = ast_printf(
		l->prog->ast,
		"the event's record has no '%s' (available:%s); what only the kernel's structures hold needs "
		"--target=vm, which runs the script in a throw-away guest",
		l->node->u.target.name, names->str);
	g_string_free(names, TRUE);
	return why;
}

static struct ast_node *element(struct lowering *l, const struct tracefs_field *f)
{
	const struct ast_suffix *s = l->node->u.target.suffixes;
	unsigned n = l->node->u.target.nsuffixes;

	if (!n || (n == 1 && s->kind == SUFFIX_PRETTY && f->form != TRACEFS_NUMBER))
		return value(l, f, 0);
	if (n == 1 && s->kind == SUFFIX_INDEX && f->count && f->form == TRACEFS_NUMBER &&
	    s->index->kind == AST_NUMBER && s->index->u.number.value >= 0 &&
	    s->index->u.number.value < f->count)
		return value(l, f, s->index->u.number.value);
	l->why =
		s->kind == SUFFIX_INDEX
			? "elements of a record's arrays are named by numbers inside of their bounds"
			: "the user runtime cannot follow pointers of the kernel: add --target=vm to run the script in a throw-away guest";
	return NULL;
}

static struct ast_node *string_node(struct lowering *l, const char *value)
{
	struct ast_node *n = ast_node_new(l->prog->ast, AST_STRING, l->node->loc);

	n->mark = l->node->mark;
	n->u.string.text = value;
	return n;
}

struct ast_node *tracepoint_field_lower(struct lowering *l)
{
	const char *name = l->node->u.target.name;
	const struct rt_tracepoint *row = l->probe->row;
	GArray *fields = fields_of(l->probe);
	struct ast_node *n = NULL;

	if (!strcmp(name, "$$name") || (!strcmp(name, "$$system") && row->system)) {
		n = string_node(l, name[2] == 'n' ? row->name : row->system);
	} else if (!fields) {
		l->why = tracefs_problem()
				 ? ast_printf(l->prog->ast,
					      "its fields are described by tracefs, which %s",
					      tracefs_problem())
				 : "tracefs does not describe this event";
	} else if (!strcmp(name, "$$vars") || !strcmp(name, "$$parms")) {
		n = all(l, fields);
	} else if (l->node->u.target.address_of) {
		l->why = "a record has no address";
	} else {
		unsigned i;

		for (i = 0; i < fields->len &&
			    strcmp(g_array_index(fields, struct tracefs_field, i).name, name + 1);
		     i++)
			;
		if (i < fields->len)
			n = element(l, &g_array_index(fields, struct tracefs_field, i));
		else
			l->why = unknown(l, fields);
	}
	if (fields)
		g_array_unref(fields);
	return n;
}

char *tracepoint_field_list(const struct probe *probe)
{
	GString *out = g_string_new(NULL);
	GArray *fields = fields_of(probe);

	for (unsigned i = 0; fields && i < fields->len; i++) {
		const struct tracefs_field *f = &g_array_index(fields, struct tracefs_field, i);

		g_string_append_printf(out, " $%s:%s", f->name,
				       f->form == TRACEFS_NUMBER ? f->type : "string");
		if (f->count && f->form == TRACEFS_NUMBER)
			g_string_append_printf(out, "[%u]", f->count);
	}
	if (fields)
		g_array_unref(fields);
	return g_string_free(out, FALSE);
}
