/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracepoint_field.c - see tracepoint_field.h. A field is a load from the record that the kernel
 * wrote at the hit; text fields are strings. The runtime finds its offset, which may differ between
 * kernels, when it arms the probe.
 */
#include "translator/target_var/tracepoint_field.h"

#include "translator/debuginfo/btf.h"
#include "translator/debuginfo/files.h"
#include "translator/debuginfo/tracefs.h"
#include "translator/families/family.h"
#include "translator/program/builtins.h"
#include "translator/target_var/location.h"

#include <string.h>

static const struct builtin record_number = {
	"field", TYPE_LONG, "lll", "rt_record_field", BUILTIN_CTX | BUILTIN_FAILS, RT_CAP_ARGS, "",
	BUILTIN_IS_FIELD
};
static const struct builtin record_text = {
	"field", TYPE_STRING, "ll", "rt_record_string", BUILTIN_CTX | BUILTIN_FAILS, RT_CAP_ARGS, "",
	BUILTIN_IS_FIELD
};

static GArray *fields_of(const struct probe *p)
{
	const struct rt_tracepoint *row = p->row;

	return row->system ? tracefs_fields(row->system, row->name) : NULL;
}

/*
 * Size in bytes, negative for signed. Fields of system calls are stored as longs, whatever their
 * types.
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

/* Its place in the row's list of fields, where it is added. */
static gint64 add_field(struct lowering *l, const struct tracefs_field *f)
{
	struct rt_tracepoint *row = l->probe->row;
	struct rt_record_field *list;

	for (unsigned i = 0; i < row->nfields; i++)
		if (!strcmp(row->fields[i].name, f->name))
			return i;
	list = ast_alloc(l->prog->ast, (row->nfields + 1) * sizeof(*list));
	if (row->nfields)
		memcpy(list, row->fields, row->nfields * sizeof(*list));
	list[row->nfields] = (struct rt_record_field){ f->name, f->size };
	row->fields = list;
	return row->nfields++;
}

static struct ast_node *text(struct lowering *l, const struct tracefs_field *f)
{
	gint64 bytes = f->form == TRACEFS_CHARS ? (gint64)f->size
		       : f->form == TRACEFS_DATA_LOC ? 0 : -1;

	return lower_call(l, &record_text, lower_number(l, add_field(l, f)),
			  lower_number(l, bytes), NULL);
}

static struct ast_node *value(struct lowering *l, const struct tracefs_field *f, gint64 index)
{
	gint64 kind = kind_of(f), size = kind < 0 ? -kind : kind;

	if (f->form != TRACEFS_NUMBER)
		return text(l, f);
	if (!kind) {
		l->why = ast_printf(l->prog->ast, "a %s is not a number", f->type);
		return NULL;
	}
	return lower_call(l, &record_number, lower_number(l, add_field(l, f)),
			  lower_number(l, index * size), lower_number(l, kind));
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
				       !n                          ? "?"
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
	g_autoptr(GString) names = g_string_new(NULL);
	const char *why;

	for (unsigned i = 0; i < fields->len; i++)
		g_string_append_printf(names, " $%s",
				       g_array_index(fields, struct tracefs_field, i).name);
	why = ast_printf(
		l->prog->ast,
		"the event's record has no '%s' (available:%s); what only the kernel's structures hold needs "
		"--target=vm, which runs the script in a throw-away guest",
		l->node->u.target.name, names->str);
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
	l->why = s->kind == SUFFIX_INDEX
		? "indices of a record's arrays must be constants within their bounds" :
		 "the user runtime cannot dereference kernel pointers: add --target=vm to run the "
		 "script in a throw-away guest";
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
		l->why =
			"tracefs does not describe this event: as root, mount -t tracefs tracefs /sys/kernel/tracing";
	} else if (!strcmp(name, "$$vars") || !strcmp(name, "$$parms")) {
		n = all(l, fields);
	} else if (l->node->u.target.address_of) {
		l->why = "an event record has no address";
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
