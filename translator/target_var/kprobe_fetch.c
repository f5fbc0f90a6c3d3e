/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kprobe_fetch.c - see kprobe_fetch.h. The row's `fetch` defines the event's fetch arguments,
 * "f0=+0x18(+0x60($arg1)):x64 ...", after those that every event of its kind has: all arguments in
 * registers at an entry, with the stack pointer if a return follows; the result and the stack
 * pointer at a return (runtime/user/probes/family_function.c). Their offsets count from the first
 * of these: where that is in a record, only the kernel that the script runs on says.
 *
 * The kernel dereferences a pointer at the hit; a pointer that is only known later cannot be
 * fetched.
 */
#include "translator/target_var/kprobe_fetch.h"

#include "translator/target_var/location.h"

#include <string.h>

#define RETURN_FIELDS	16	/* bytes: the result, the stack pointer */

static const struct builtin number = { "field",	    TYPE_LONG,	 "ll", "rt_field",
				       CTX | FAILS, RT_CAP_ARGS, "",   KIND_FIELD };
static const struct builtin text = { "field",	  TYPE_STRING, "ll", "rt_field_string",
				     CTX | FAILS, RT_CAP_ARGS, "",   KIND_FIELD };

static int is_call(const struct ast_node *n, enum builtin_kind kind)
{
	return n->kind == AST_CALL && n->u.call.builtin && n->u.call.builtin->kind == kind;
}

static struct ast_node *later(struct lowering *l)
{
	if (!l->why)
		l->why =
			"the user runtime cannot follow a pointer that it finds after the hit: add --target=vm to run the script in a "
			"throw-away guest";
	return NULL;
}

static unsigned registers(const struct lowering *l)
{
	return strcmp(l->prog->arch, "arm64") ? 6 : 8;
}

static int place(struct lowering *l, const struct ast_node *n, GString *out);

/* Appends the memory at an address as "+OFFSET(place)". 0 with l->why. */
static int at_address(struct lowering *l, const struct ast_node *n, GString *out)
{
	gint64 offset = 0;

	if (n->kind == AST_BINARY && !strcmp(n->u.binary.op, "+") &&
	    n->u.binary.right->kind == AST_NUMBER) {
		offset = n->u.binary.right->u.number.value;
		n = n->u.binary.left;
	}
	g_string_append_printf(out, "%+lld(", (long long)offset);
	if (!place(l, n, out))
		return 0;
	g_string_append_c(out, ')');
	return 1;
}

/* Appends a pointer in the syntax of fetch arguments. 0 with l->why. */
static int place(struct lowering *l, const struct ast_node *n, GString *out)
{
	const struct rt_function *row = l->probe->row;

	if (is_call(n, KIND_ARGUMENT) && !row->is_return &&
	    n->u.call.args.at[0]->u.number.value < registers(l))
		g_string_append_printf(out, "$arg%d",
				       (int)n->u.call.args.at[0]->u.number.value + 1);
	else if (is_call(n, KIND_RETURNED) && row->is_return)
		g_string_append(out, "$retval");
	else if (is_call(n, KIND_LOAD) && n->u.call.args.at[1]->u.number.value == 8)
		return at_address(l, n->u.call.args.at[0], out);
	else
		return later(l) != NULL;
	return 1;
}

/* Adds a field; returns its offset from the first that the event fetches. */
static unsigned add_field(struct lowering *l, const char *what, const char *type, unsigned bytes)
{
	struct rt_function *row = l->probe->row;
	unsigned entry = 8 * (registers(l) + (l->probe->keeps_for != NULL));
	unsigned at = row->fetch_bytes + (row->is_return ? RETURN_FIELDS : entry);

	row->fetch = ast_printf(l->prog->ast, "%s f%u=%s:%s", row->fetch ? row->fetch : "", at,
				what, type);
	row->fetch_bytes += bytes;
	return at;
}

static struct ast_node *load_field(struct lowering *l, struct ast_node *n)
{
	gint64 kind = n->u.call.args.at[1]->u.number.value;
	char type[8];
	GString *what = g_string_new(NULL);
	struct ast_node *field = NULL;

	g_snprintf(type, sizeof(type), "%c%d", kind < 0 ? 's' : 'u',
		   (int)(kind < 0 ? -kind : kind) * 8);
	if (at_address(l, n->u.call.args.at[0], what))
		field = lower_call(l, &number,
				   lower_number(l, add_field(l, what->str, type,
							     (unsigned)(kind < 0 ? -kind : kind))),
				   lower_number(l, kind), NULL);
	g_string_free(what, TRUE);
	return field;
}

struct ast_node *kprobe_fetch_text(struct lowering *l, const struct ast_node *n)
{
	GString *what = g_string_new(NULL);
	struct ast_node *field = NULL;

	if (at_address(l, n, what))
		field = lower_call(l, &text, lower_number(l, add_field(l, what->str, "string", 4)),
				   lower_number(l, 0), NULL);
	g_string_free(what, TRUE);
	return field;
}

static int all(struct lowering *l, struct ast_list *list)
{
	for (unsigned i = 0; i < list->n; i++) {
		list->at[i] = kprobe_fetch_lower(l, list->at[i]);
		if (!list->at[i])
			return 0;
	}
	return 1;
}

static struct ast_node *call(struct lowering *l, struct ast_node *n)
{
	if (is_call(n, KIND_LOAD))
		return load_field(l, n);
	if (is_call(n, KIND_KERNEL_STRING) || is_call(n, KIND_KERNEL_STRING_N))
		return kprobe_fetch_text(l, n->u.call.args.at[0]);
	if (is_call(n, KIND_ARGUMENT) || is_call(n, KIND_RETURNED) || is_call(n, KIND_FIELD))
		return n;
	if (is_call(n, KIND_BITS) || is_call(n, KIND_NARROW))
		return all(l, &n->u.call.args) ? n : NULL;
	return later(l);
}

struct ast_node *kprobe_fetch_lower(struct lowering *l, struct ast_node *n)
{
	switch (n->kind) {
	case AST_NUMBER:
	case AST_STRING:
		return n;
	case AST_CALL:
		return call(l, n);
	case AST_PRINT:
		return all(l, &n->u.print.args) ? n : NULL;
	case AST_BINARY:
		n->u.binary.left = kprobe_fetch_lower(l, n->u.binary.left);
		n->u.binary.right =
			n->u.binary.left ? kprobe_fetch_lower(l, n->u.binary.right) : NULL;
		return n->u.binary.right ? n : NULL;
	default:
		return later(l);
	}
}
