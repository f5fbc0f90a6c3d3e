/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uprobe_fetch.c - see uprobe_fetch.h.
 *
 * The handler is the same in both runtimes: it loads from addresses. Here, each load's address is
 * traced back to its origin: a register, a load from such an address, an added constant; through
 * function parameters and variables that are set once. At run time, a load searches for the piece
 * that contains its address, so an unneeded piece does no harm; a load that would find no piece is
 * refused here.
 */
#include "translator/target_var/uprobe_fetch.h"

#include "lib/dwarf_regs.h"
#include "parser/ast_walk.h"
#include "translator/families/user_site.h"

#include <string.h>

#define PIECE_MAX	64	/* bytes; longer memory is split into several pieces */
#define MEMORY_MAX	512

struct fetcher {
	struct program	*prog;
	struct probe	*probe;
	int		arm64;
	/* struct var -> the value it is set to; itself: it has several values */
	GHashTable	*values;
	GPtrArray	*calls;		/* struct function: the call stack */
	GArray		*pieces;	/* struct rt_piece */
	const struct ast_node *via;	/* the enclosing call in the user's script, or NULL */
	/* nesting depth of functions that read constant memory: it need not be fetched */
	int		constant;
};

static int calls(const struct ast_node *n, enum builtin_kind kind)
{
	return n->kind == AST_CALL && n->u.call.builtin && n->u.call.builtin->kind == kind;
}

static const struct ast_node *argument(const struct ast_node *call, unsigned i)
{
	return i < call->u.call.args.n ? call->u.call.args.at[i] : NULL;
}

/* Replaces a variable by the value it was set to. */
static const struct ast_node *value_of(const struct fetcher *t, const struct ast_node *n)
{
	for (int hops = 0; n && n->kind == AST_NAME && n->u.name.var && hops < 16; hops++) {
		const struct ast_node *value = g_hash_table_lookup(t->values, n->u.name.var);

		if (!value || value == (const void *)n->u.name.var)
			break;
		n = value;
	}
	return n;
}

static int number_of(const struct fetcher *t, const struct ast_node *n, gint64 *number)
{
	gint64 left, right;

	n = n ? value_of(t, n) : NULL;
	if (n && n->kind == AST_TERNARY && n->u.ternary.cond->kind == AST_BINARY &&
	    !strcmp(n->u.ternary.cond->u.binary.op, "<") &&
	    number_of(t, n->u.ternary.cond->u.binary.left, &left) &&
	    number_of(t, n->u.ternary.cond->u.binary.right, &right))
		return number_of(t, left < right ? n->u.ternary.yes : n->u.ternary.no, number);
	if (!n || n->kind != AST_NUMBER)
		return 0;
	*number = n->u.number.value;
	return 1;
}

/* ---- registers ---------------------------------------------------------------------------*/

static void fetch_register(struct fetcher *t, unsigned n)
{
	t->probe->fetch.registers |= 1ULL << n;
}

static int name_register(const struct fetcher *t, gint64 n, GString *out)
{
	if (n < 0 || n > (t->arm64 ? 32 : 16))
		return 0;
	if (!t->arm64)
		g_string_append_printf(out, "%%%s", dwarf_x86_names[n]);
	else if (n < 31)
		g_string_append_printf(out, "%%x%d", (int)n);
	else
		g_string_append(out, n == DWARF_ARM64_SP ? "%sp" : "%pc");
	return 1;
}

/* The number, from 0, of the argument that n reads; -1: unknown. */
static gint64 argument_number(const struct fetcher *t, const struct ast_node *n)
{
	gint64 number;

	if (calls(n, KIND_ARGUMENT))
		return number_of(t, argument(n, 0), &number) ? number : -1;
	if (calls(n, KIND_ARGUMENT_FROM_1))
		return number_of(t, argument(n, 0), &number) ? number - 1 : -1;
	return -1;
}

static gint64 argument_on_stack(const struct fetcher *t, gint64 n)
{
	/* on x86-64, the return address is below the arguments */
	return 8 * (n - dwarf_arguments(t->arm64) + !t->arm64);
}

static int find_return(struct ast_node **slot, void *data)
{
	const struct ast_node **found = data;

	if ((*slot)->kind == AST_RETURN && !*found)
		*found = (*slot)->u.expr.expr;
	return 1;
}

/*
 * The address that n loads from, if n is an 8-byte load or a call of a function that is just such a
 * load, like user_pointer(); else NULL.
 */
static const struct ast_node *loaded_from(const struct fetcher *t, const struct ast_node *n)
{
	const struct function *f = n->kind == AST_CALL ? n->u.call.function : NULL;
	const struct ast_node *load = f ? NULL : n;
	gint64 size;

	if (f && f->params->len == 1)
		ast_walk(&f->node->u.function.body, find_return, &load);
	if (!load || !calls(load, KIND_USER_LOAD) || !number_of(t, argument(load, 1), &size) ||
	    size != 8)
		return NULL;
	if (!f)
		return argument(load, 0);
	return argument(load, 0)->kind == AST_NAME &&
			       argument(load, 0)->u.name.var == f->params->pdata[0]
		       ? argument(n, 0)
		       : NULL;
}

/* ---- addresses ---------------------------------------------------------------------------*/

static int place(struct fetcher *t, const struct ast_node *n, GString *base, gint64 *offset);

/* Appends a pointer's value in the syntax of fetch arguments. 0: unknown origin. */
static int pointer(struct fetcher *t, const struct ast_node *n, GString *base)
{
	GString *inner = g_string_new(NULL);
	gint64 offset, number = argument_number(t, n);
	int known = 1;

	if (calls(n, KIND_DWARF_REGISTER)) {
		known = number_of(t, argument(n, 0), &number) && name_register(t, number, base);
	} else if (number >= 0 && number < dwarf_arguments(t->arm64)) {
		known = name_register(t, dwarf_argument(t->arm64, (unsigned)number), base);
	} else if (number >= 0) {
		g_string_append_printf(base, "%+lld(%%sp)",
				       (long long)argument_on_stack(t, number));
	} else if (calls(n, KIND_RETURNED) || calls(n, KIND_RETURNVAL)) {
		known = name_register(t, 0, base);
	} else if (calls(n, KIND_USER_ADDRESS)) {
		g_string_append_c(base, '@');
	} else if (loaded_from(t, n) && place(t, loaded_from(t, n), inner, &offset)) {
		const struct rt_uprobe *row = t->probe->row;

		if (*inner->str == '@')
			g_string_append_printf(
				base, "@+%lld",
				(long long)(offset - (gint64)row->address + (gint64)row->offset));
		else
			g_string_append_printf(base, "%+lld(%s)", (long long)offset, inner->str);
	} else {
		known = 0;
	}
	g_string_free(inner, TRUE);
	return known;
}

/*
 * Splits an address into a pointer and a constant. "@" with a link address is in the file's own
 * data.
 */
static int place(struct fetcher *t, const struct ast_node *n, GString *base, gint64 *offset)
{
	gint64 number;

	*offset = 0;
	for (n = value_of(t, n); n->kind == AST_BINARY; n = value_of(t, n)) {
		const struct ast_node *left = n->u.binary.left, *right = n->u.binary.right;

		if (!strcmp(n->u.binary.op, "+") && number_of(t, right, &number))
			*offset += number;
		else if (!strcmp(n->u.binary.op, "-") && number_of(t, right, &number))
			*offset -= number;
		else if (!strcmp(n->u.binary.op, "+") && number_of(t, left, &number))
			*offset += number;
		else
			return 0;
		n = number_of(t, right, &number) ? left : right;
	}
	if (calls(n, KIND_NARROW) && number_of(t, argument(n, 1), &number) && number == 8)
		n = value_of(t, argument(n, 0));
	if (calls(n, KIND_USER_ADDRESS)) {
		if (!number_of(t, argument(n, 0), &number))
			return 0;
		*offset += number;
	}
	return pointer(t, n, base);
}

static void add_piece(struct fetcher *t, const char *base, gint64 offset, unsigned bytes)
{
	for (guint i = 0; i < t->pieces->len; i++) {
		const struct rt_piece *p = &g_array_index(t->pieces, struct rt_piece, i);

		if (!strcmp(p->base, base) && p->offset == offset && p->bytes == bytes)
			return;
	}
	g_array_append_val(t->pieces,
			   ((struct rt_piece){ ast_strdup(t->prog->ast, base), offset, bytes }));
}

static void refuse_late_load(const struct fetcher *t, const struct ast_node *call)
{
	const struct ast_node *at = t->via ? t->via : call;

	diag(t->prog->ast->diag, &at->mark, D_FUNCTION_LATE, at->u.call.name);
}

/* Fetches size bytes at an address; size 0: a string. */
static void fetch_memory(struct fetcher *t, const struct ast_node *call, const struct ast_node *at,
			 gint64 size)
{
	GString *base = g_string_new(NULL);
	gint64 offset;

	if (size >= 0 && size <= MEMORY_MAX && place(t, at, base, &offset))
		do
			add_piece(t, base->str, offset, (unsigned)MIN(size, PIECE_MAX));
		while (offset += PIECE_MAX, (size -= PIECE_MAX) > 0);
	else if (!t->constant)
		refuse_late_load(t, call);
	g_string_free(base, TRUE);
}

/* ---- the handler -------------------------------------------------------------------------*/

/* Fetches argument n; n < 0: it is known only at the hit, so all in registers are fetched. */
static void fetch_argument(struct fetcher *t, gint64 n)
{
	if (n >= (gint64)dwarf_arguments(t->arm64)) {
		fetch_register(t, dwarf_stack_pointer(t->arm64));
		add_piece(t, "%sp", argument_on_stack(t, n), 8);
		return;
	}
	for (unsigned i = 0; i < dwarf_arguments(t->arm64); i++)
		if (n < 0 || n == i)
			fetch_register(t, dwarf_argument(t->arm64, i));
}

static void fetch_builtin(struct fetcher *t, const struct ast_node *n)
{
	gint64 number;

	if (calls(n, KIND_USER_STRING))
		fetch_memory(t, n, argument(n, 0), 0);
	else if (calls(n, KIND_USER_LOAD))
		fetch_memory(t, n, argument(n, 0),
			     number_of(t, argument(n, 1), &number) ? ABS(number) : -1);
	else if (calls(n, KIND_USER_QUOTED))
		fetch_memory(t, n, argument(n, 0),
			     !number_of(t, argument(n, 1), &number) ? -1
			     : number < 0 ? 0
			     : number);
	else if (calls(n, KIND_DWARF_REGISTER) && number_of(t, argument(n, 0), &number))
		fetch_register(t, (unsigned)number & 63);
	else if (calls(n, KIND_REGISTERS))
		t->probe->fetch.registers |= t->arm64 ? 0x1ffffffffULL : 0x1ffff;
	else if (calls(n, KIND_RETURNED) || calls(n, KIND_RETURNVAL))
		fetch_register(t, 0);
	else if (calls(n, KIND_RETURNED_HIGH))
		fetch_register(t, 1);
	else if (n->u.call.builtin->capture & RT_CAP_ARGS)
		fetch_argument(t, argument_number(t, n));
}

static void set_value(struct fetcher *t, struct var *var, const struct ast_node *value)
{
	const void *before = g_hash_table_lookup(t->values, var);

	g_hash_table_insert(t->values, var,
			    value && (!before || before == value) ? (void *)value : (void *)var);
}

/* Records the value that each local variable is set to. */
static int find_values(struct ast_node **slot, void *data)
{
	struct fetcher *t = data;
	struct ast_node *n = *slot, *to = n->kind == AST_ASSIGN ? n->u.binary.left
					  : n->kind == AST_CREMENT ? n->u.crement.operand
					  : NULL;

	if (to && to->kind == AST_NAME && to->u.name.var)
		set_value(t, to->u.name.var,
			  n->kind == AST_ASSIGN && !strcmp(n->u.binary.op, "=") &&
					  !to->u.name.var->global
				  ? n->u.binary.right
				  : NULL);
	return 1;
}

static int calls_mm_address(struct ast_node **slot, void *data)
{
	*(int *)data |= calls(*slot, KIND_MM_ADDRESS);
	return 1;
}

static int walk(struct ast_node **slot, void *data);

/* Walks a called function with its parameters set to the call's arguments. */
static void fetch_function(struct fetcher *t, struct function *f, const struct ast_node *call)
{
	int constant = 0;

	if (g_ptr_array_find(t->calls, f, NULL))
		return;
	g_ptr_array_add(t->calls, f);
	for (guint i = 0; i < f->params->len && i < call->u.call.args.n; i++)
		g_hash_table_insert(t->values, f->params->pdata[i],
				    (void *)value_of(t, call->u.call.args.at[i]));
	ast_walk(&f->node->u.function.body, find_values, t);
	/* arguments and environment of the process */
	ast_walk(&f->node->u.function.body, calls_mm_address, &constant);
	t->constant += constant;
	ast_walk(&f->node->u.function.body, walk, t);
	t->constant -= constant;
	for (guint i = 0; i < f->locals->len; i++)
		g_hash_table_remove(t->values, f->locals->pdata[i]);
	for (guint i = 0; i < f->params->len; i++)
		g_hash_table_remove(t->values, f->params->pdata[i]);
	g_ptr_array_remove_index(t->calls, t->calls->len - 1);
}

static int walk(struct ast_node **slot, void *data)
{
	struct ast_node *n = *slot;
	struct fetcher *t = data;
	const struct ast_node *before = t->via;

	if (n->kind != AST_CALL)
		return 1;
	if (program_is_users(t->prog, n->mark.src))
		t->via = n;
	for (unsigned i = 0; i < n->u.call.args.n; i++)
		ast_walk(&n->u.call.args.at[i], walk, t);
	if (n->u.call.builtin)
		fetch_builtin(t, n);
	for (struct function *f = n->u.call.function; f; f = f->overload)
		fetch_function(t, f, n);
	t->via = before;
	return 0;
}

static gint by_base(gconstpointer a, gconstpointer b)
{
	const struct rt_piece *p = a, *q = b;
	int order = strcmp(p->base, q->base);

	return order ? order : (p->offset > q->offset) - (p->offset < q->offset);
}

void uprobe_fetch_probe(struct program *prog, struct probe *probe)
{
	struct fetcher t = {
		.prog = prog,
		.probe = probe,
		.arm64 = !strcmp(prog->arch, "arm64"),
		.values = g_hash_table_new(NULL, NULL),
		.calls = g_ptr_array_new(),
		.pieces = g_array_new(FALSE, FALSE, sizeof(struct rt_piece)),
	};
	struct rt_piece *pieces;

	ast_walk(&probe->body, find_values, &t);
	ast_walk(&probe->body, walk, &t);
	if (probe->condition)
		ast_walk(&probe->condition, walk, &t);
	g_array_sort(t.pieces, by_base);
	pieces = ast_alloc(prog->ast, t.pieces->len * sizeof(*pieces) + 1);
	memcpy(pieces, t.pieces->data, t.pieces->len * sizeof(*pieces));
	probe->fetch.pieces = pieces;
	probe->fetch.npieces = t.pieces->len;
	g_array_unref(t.pieces);
	g_ptr_array_unref(t.calls);
	g_hash_table_unref(t.values);
}
