/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * variable.c - see variable.h. Loads are calls of rt.h functions that scripts cannot name.
 *
 * Arguments: x86-64 passes them in 6 registers, arm64 in 8, then on the stack; a struct of up to 16 bytes takes one or two,
 * a larger one lies on the stack (x86-64) or is passed by address (arm64).
 */
#include "translator/variable.h"

#include "translator/debuginfo/btf.h"
#include "translator/debuginfo/debuginfo.h"
#include "translator/families/family.h"
#include "translator/options.h"

#include <string.h>

static const struct builtin load = { "load", TYPE_LONG, "ll", "rt_load", 1, 0, 1, 0, "" };
static const struct builtin argument = { "argument", TYPE_LONG, "ll", "rt_arg", 1, RT_CAP_ARGS, 0, 0, "" };
static const struct builtin result = { "result", TYPE_LONG, "l", "rt_returned", 1, 0, 0, 0, "" };
static const struct builtin bits = { "bits", TYPE_LONG, "lll", "rt_bits", 0, 0, 0, 0, "" };

static struct spot fail(struct lowering *l, const char *why)
{
	if (!l->why)
		l->why = why;
	return (struct spot){ .where = IN_NONE };
}

/* ---- nodes ------------------------------------------------------------------*/

static struct ast_node *make(struct lowering *l, enum ast_kind kind)
{
	struct ast_node *n = ast_node_new(l->prog->ast, kind, l->node->loc);

	n->mark = l->node->mark;
	return n;
}

struct ast_node *lower_number(struct lowering *l, gint64 value)
{
	struct ast_node *n = make(l, AST_NUMBER);

	n->u.number.value = value;
	return n;
}

struct ast_node *lower_call(struct lowering *l, const struct builtin *builtin, struct ast_node *a, struct ast_node *b, struct ast_node *c)
{
	struct ast_node *n = make(l, AST_CALL), *args[] = { a, b, c };

	n->u.call.name = l->text;
	n->u.call.builtin = builtin;
	for (unsigned i = 0; i < 3; i++)
		if (args[i])
			ast_append(l->prog->ast, &n->u.call.args, args[i]);
	return n;
}

struct ast_node *lower_format(struct lowering *l, const char *format, GPtrArray *args)
{
	struct ast_node *n = make(l, AST_PRINT);

	n->u.print.name = "sprintf";
	n->u.print.to_string = 1;
	n->u.print.format = ast_strdup(l->prog->ast, format);
	for (unsigned i = 0; i < args->len; i++)
		ast_append(l->prog->ast, &n->u.print.args, args->pdata[i]);
	return n;
}

static struct ast_node *add(struct lowering *l, struct ast_node *a, const char *op, struct ast_node *b)
{
	struct ast_node *n;

	if (*op == '+' && b->kind == AST_NUMBER && !b->u.number.value)
		return a;
	n = make(l, AST_BINARY);
	n->u.binary.op = g_intern_string(op);
	n->u.binary.left = a;
	n->u.binary.right = b;
	return n;
}

/* ---- values ------------------------------------------------------------------*/

/* Size, negative for signed types; 0: not a number. */
static gint64 kind_of(struct lowering *l, guint32 type)
{
	guint64 size = btf_size(l->btf, type);

	switch (btf_kind(l->btf, btf_strip(l->btf, type))) {
	case BTF_INT: case BTF_PTR: case BTF_ENUM: case BTF_ENUM64:
		if (size == 1 || size == 2 || size == 4 || size == 8)
			return btf_is_signed(l->btf, type) && size < 8 ? -(gint64)size : (gint64)size;
		return 0;
	default:
		return 0;
	}
}

struct ast_node *spot_address(struct lowering *l, struct spot p)
{
	if (p.where != IN_MEMORY || p.width || p.bit % 8) {
		fail(l, p.width ? "a bitfield has no address" : "it is not in memory");
		return NULL;
	}
	return add(l, p.base, "+", lower_number(l, (gint64)(p.bit / 8)));
}

static struct ast_node *bitfield(struct lowering *l, struct spot p, gint64 kind)
{
	guint64 unit = (guint64)(kind < 0 ? -kind : kind), byte = p.bit / (unit * 8) * unit;
	gint64 width = btf_is_signed(l->btf, p.type) ? -(gint64)p.width : (gint64)p.width;
	struct ast_node *word;

	if (p.bit - byte * 8 + p.width > unit * 8) {		/* packed: over the end of its type's word */
		byte = p.bit / 8;
		unit = 8;
	}
	word = lower_call(l, &load, add(l, p.base, "+", lower_number(l, (gint64)byte)), lower_number(l, (gint64)unit), NULL);
	return lower_call(l, &bits, word, lower_number(l, (gint64)(p.bit - byte * 8)), lower_number(l, width));
}

/* Part of a register: all of it, or a member of a struct passed in one or two. */
static struct ast_node *in_register(struct lowering *l, struct spot p, gint64 kind)
{
	int is_argument = p.where == IN_ARGUMENT;
	gint64 width = p.width ? p.width : (kind < 0 ? -kind : kind) * 8;
	gint64 whole = p.bit || p.width ? 8 : kind;
	struct ast_node *word;

	if (!is_argument && p.bit >= 64) {
		fail(l, "it is in the second half of a returned struct");
		return NULL;
	}
	if (is_argument)
		word = lower_call(l, &argument, lower_number(l, p.slot + (gint64)(p.bit / 64)), lower_number(l, whole), NULL);
	else
		word = lower_call(l, &result, lower_number(l, whole), NULL, NULL);
	if (whole == kind && !p.width && !p.bit)
		return word;
	return lower_call(l, &bits, word, lower_number(l, (gint64)(p.bit % 64)),
			  lower_number(l, btf_is_signed(l->btf, p.type) ? -width : width));
}

struct ast_node *spot_value(struct lowering *l, struct spot p)
{
	gint64 kind = kind_of(l, p.type);

	if (p.where == IN_NONE)
		return NULL;
	if (p.where == COMPUTED)
		return p.base;
	if (!kind && p.where == IN_MEMORY && btf_kind(l->btf, btf_strip(l->btf, p.type)) == BTF_ARRAY)
		return spot_address(l, p);
	if (!kind) {
		char *type = btf_type_text(l->btf, p.type);

		fail(l, ast_printf(l->prog->ast, "a %s is not a number: name a member, or write & in front", type));
		g_free(type);
		return NULL;
	}
	if (p.where != IN_MEMORY)
		return in_register(l, p, kind);
	if (p.width)
		return bitfield(l, p, kind);
	return lower_call(l, &load, spot_address(l, p), lower_number(l, kind), NULL);
}

/* ---- steps --------------------------------------------------------------------*/

/* What a pointer points to; anything else is itself. */
static struct spot follow(struct lowering *l, struct spot p)
{
	guint32 type = btf_strip(l->btf, p.type);

	if (p.where == IN_NONE || btf_kind(l->btf, type) != BTF_PTR)
		return p;
	return (struct spot){ .where = IN_MEMORY, .type = btf_target(l->btf, type), .base = spot_value(l, p) };
}

static const char *member_list(struct lowering *l, guint32 type)
{
	GString *out = g_string_new(NULL);
	struct btf_field field;

	for (unsigned i = 0; i < 24 && btf_field(l->btf, type, i, &field); i++)
		if (*field.name)
			g_string_append_printf(out, "%s%s", out->len ? " " : "", field.name);
	if (btf_fields(l->btf, type) > 24)
		g_string_append(out, " ...");
	return ast_strdup(l->prog->ast, g_string_free(out, FALSE));
}

static const char *no_member(struct lowering *l, guint32 type, const char *name)
{
	GPtrArray *names = g_ptr_array_new();
	struct btf_field field;
	char *similar, *text = btf_type_text(l->btf, type);
	const char *why;

	for (unsigned i = 0; btf_field(l->btf, type, i, &field); i++)
		g_ptr_array_add(names, (void *)field.name);
	similar = diag_similar(name, names, 3);
	why = similar ? ast_printf(l->prog->ast, "%s has no member '%s' (similar: %s)", text, name, similar) :
			ast_printf(l->prog->ast, "%s has no member '%s' (members: %s)", text, name, member_list(l, type));
	g_free(similar);
	g_free(text);
	g_ptr_array_free(names, TRUE);
	return why;
}

struct spot spot_member(struct lowering *l, struct spot p, const char *name)
{
	struct btf_field field;
	enum btf_kind kind;

	p = follow(l, p);
	if (p.where == IN_NONE)
		return p;
	p.type = btf_strip(l->btf, p.type);
	kind = btf_kind(l->btf, p.type);
	if (kind != BTF_STRUCT && kind != BTF_UNION) {
		char *text = btf_type_text(l->btf, p.type);
		const char *why = ast_printf(l->prog->ast, "a %s has no members%s", text, kind == BTF_FWD ? " that this BTF knows" : "");

		g_free(text);
		return fail(l, why);
	}
	if (!btf_member(l->btf, p.type, name, &field))
		return fail(l, no_member(l, p.type, name));
	p.bit += field.bit;
	p.type = field.type;
	p.width = field.width;
	return p;
}

struct spot spot_element(struct lowering *l, struct spot p, struct ast_node *index)
{
	guint32 type = btf_strip(l->btf, p.type);
	struct ast_node *offset;
	guint64 size;

	if (p.where == IN_NONE)
		return p;
	if (btf_kind(l->btf, type) == BTF_PTR)
		p = follow(l, p);
	else if (btf_kind(l->btf, type) == BTF_ARRAY && p.where == IN_MEMORY)
		p.type = btf_target(l->btf, type);
	else
		return fail(l, "it is neither an array nor a pointer");
	size = btf_size(l->btf, p.type);
	if (!size)
		return fail(l, "its elements have no size");
	offset = index->kind == AST_NUMBER ? lower_number(l, index->u.number.value * (gint64)size) :
					     add(l, index, "*", lower_number(l, (gint64)size));
	p.base = add(l, p.base, "+", offset);
	return p;
}

/* ---- where it begins ------------------------------------------------------------*/

static int is_return(const struct probe *p)
{
	return !strcmp(p->family->name, "function") && ((const struct rt_function *)p->row)->is_return;
}

/* The prototype of the probed function; 0 with l->why. *skip: parameters before the script's. */
static guint32 prototype(struct lowering *l, unsigned *skip)
{
	const struct probe *p = l->probe;
	char *name = NULL;
	guint32 id = 0;

	*skip = 0;
	if (p && !strcmp(p->family->name, "function")) {
		id = btf_find(l->btf, p->function, BTF_FUNC);
	} else if (p && !strcmp(p->family->name, "tracepoint")) {
		*skip = 1;
		name = g_strdup_printf("__traceiter_%s", ((const struct rt_tracepoint *)p->row)->name);
		id = btf_find(l->btf, name, BTF_FUNC);
		g_free(name);
	} else {
		return 0;		/* has_variables() has said why */
	}
	if (!id)
		fail(l, ast_printf(l->prog->ast, "the kernel's BTF does not know '%s'", p->function));
	else if (btf_find_next(l->btf, id) && btf_fields(l->btf, btf_target(l->btf, btf_find_next(l->btf, id))) !=
		 btf_fields(l->btf, btf_target(l->btf, id)))
		fail(l, ast_printf(l->prog->ast, "several functions are called '%s', with different parameters", p->function));
	return l->why ? 0 : btf_target(l->btf, id);
}

/* Slot of parameter n by the ABI; *by_address: the slot holds the address of a copy. */
static unsigned abi_slot(struct lowering *l, guint32 proto, unsigned n, int *by_address)
{
	int arm64 = !strcmp(l->prog->arch, "arm64");
	unsigned registers = arm64 ? 8 : 6, used = 0, stack = 0, slot = 0;
	struct btf_field field;

	for (unsigned i = 0; i <= n && btf_field(l->btf, proto, i, &field); i++) {
		unsigned words = (unsigned)((btf_size(l->btf, field.type) + 7) / 8);
		int large = words > 2;

		*by_address = large && arm64;
		if (!words || *by_address)
			words = 1;
		if ((!large || arm64) && used + words <= registers) {
			slot = used;
			used += words;
		} else {
			if (arm64)
				used = registers;
			slot = registers + stack;
			stack += words;
		}
	}
	return slot;
}

static const char *no_parameter(struct lowering *l, guint32 proto, unsigned skip, const char *name)
{
	GString *names = g_string_new(NULL);
	struct btf_field field;
	const char *why;

	for (unsigned i = skip; btf_field(l->btf, proto, i, &field); i++)
		g_string_append_printf(names, " $%s", field.name);
	if (is_return(l->probe) && btf_target(l->btf, proto))
		g_string_append(names, " $return");
	why = ast_printf(l->prog->ast, "%s has no '%s' (available:%s)", l->probe->point, name, names->len ? names->str : " none");
	g_string_free(names, TRUE);
	return why;
}

static struct spot parameter(struct lowering *l, const char *name)
{
	struct btf_field field;
	struct spot p = { .where = IN_ARGUMENT };
	unsigned skip, i;
	guint32 proto = prototype(l, &skip);
	int by_address = 0;

	if (!proto)
		return fail(l, "no prototype");
	for (i = skip; btf_field(l->btf, proto, i, &field) && strcmp(field.name, name); i++)
		;
	if (!btf_field(l->btf, proto, i, &field) || !*name)
		return fail(l, no_parameter(l, proto, skip, ast_printf(l->prog->ast, "$%s", name)));
	p.slot = abi_slot(l, proto, i, &by_address) - skip;
	p.type = field.type;
	if (p.slot + (btf_size(l->btf, p.type) + 7) / 8 > RT_ARGS)
		return fail(l, "it lies too far up the stack");
	if (!by_address)
		return p;
	return (struct spot){ .where = IN_MEMORY, .type = p.type,
			       .base = lower_call(l, &argument, lower_number(l, p.slot), lower_number(l, 8), NULL) };
}

static struct spot returned(struct lowering *l)
{
	unsigned skip;
	guint32 proto = l->probe && is_return(l->probe) ? prototype(l, &skip) : 0;

	if (!proto)
		return fail(l, "$return is only known in a .return probe");
	if (!btf_target(l->btf, proto))
		return fail(l, ast_printf(l->prog->ast, "'%s' returns nothing", l->probe->function));
	if (btf_size(l->btf, btf_target(l->btf, proto)) > 16)
		return fail(l, "the returned struct is not in registers");
	return (struct spot){ .where = IN_RESULT, .type = btf_target(l->btf, proto) };
}

/* "struct x", "union x", "enum x" or a plain name, with or without stars after it. */
static guint32 named_type(struct lowering *l, const char *text, int *stars)
{
	static const struct { const char *word; enum btf_kind kind; } kinds[] = {
		{ "struct ", BTF_STRUCT }, { "union ", BTF_UNION }, { "enum ", BTF_ENUM }, { "", BTF_STRUCT }, { "", BTF_UNION },
		{ "", BTF_TYPEDEF }, { "", BTF_INT }, { "", BTF_ENUM },
	};
	char *name = g_strdup(text);
	guint32 id = 0;

	for (*stars = 0; *name && strchr("* ", name[strlen(name) - 1]); name[strlen(name) - 1] = 0)
		*stars += name[strlen(name) - 1] == '*';
	for (unsigned i = 0; i < G_N_ELEMENTS(kinds) && !id; i++)
		if (g_str_has_prefix(name, kinds[i].word))
			id = btf_find(l->btf, name + strlen(kinds[i].word), kinds[i].kind);
	g_free(name);
	return id;
}

/* A cast's value is an address of the type, or a number where the type is one and nothing follows. */
static struct spot cast(struct lowering *l)
{
	const char *text = l->node->u.target.type_name;
	int stars;
	guint32 id = named_type(l, text, &stars);

	if (!id)
		return fail(l, ast_printf(l->prog->ast, "the kernel's BTF has no type '%s'", text));
	if (!l->node->u.target.nsuffixes)
		return (struct spot){ .where = COMPUTED, .type = id, .base = l->node->u.target.operand };
	return (struct spot){ .where = IN_MEMORY, .type = id, .base = l->node->u.target.operand };
}

static struct spot begin(struct lowering *l)
{
	const char *name = l->node->u.target.name;

	switch (l->node->u.target.form) {
	case TARGET_CAST:
		return cast(l);
	case TARGET_DOLLAR:
		return !strcmp(name, "$return") ? returned(l) : parameter(l, name + 1);
	default:
		return fail(l, "only the kernel's debug information has types of variables; BTF has none: use @cast");
	}
}

/* ---- all of it -----------------------------------------------------------------*/

static void list_value(struct lowering *l, GString *format, GPtrArray *args, const char *name, struct spot p)
{
	struct ast_node *value = spot_value(l, p);

	g_string_append_printf(format, "%s%s=%s", format->len ? " " : "", name, value ? "%#x" : "?");
	if (value)
		g_ptr_array_add(args, value);
	l->why = NULL;
}

/* $$vars, $$parms, $$return, $$locals. */
static struct ast_node *lower_list(struct lowering *l, const char *name)
{
	int ret = !strcmp(name, "$$return"), all = !strcmp(name, "$$vars") || !strcmp(name, "$$parms");
	GString *format = g_string_new(NULL);
	GPtrArray *args = g_ptr_array_new();
	struct ast_node *n = NULL;
	struct btf_field field;
	unsigned skip;
	guint32 proto = prototype(l, &skip);

	for (unsigned i = skip; all && proto && btf_field(l->btf, proto, i, &field); i++)
		if (*field.name)
			list_value(l, format, args, field.name, parameter(l, field.name));
	if (ret && proto && is_return(l->probe) && btf_target(l->btf, proto))
		list_value(l, format, args, "return", returned(l));
	if (all || ret || !strcmp(name, "$$locals"))		/* a list of what is known: nothing, where no prototype is */
		n = lower_format(l, format->str, args);
	else
		fail(l, "the lists are $$vars, $$parms, $$locals and $$return");
	g_string_free(format, TRUE);
	g_ptr_array_free(args, TRUE);
	return n;
}

static struct ast_node *lower(struct lowering *l)
{
	const struct ast_node *n = l->node;
	struct spot p;
	unsigned i;

	if (n->u.target.form == TARGET_DOLLAR && g_str_has_prefix(n->u.target.name, "$$") && l->probe)
		return lower_list(l, n->u.target.name);
	p = begin(l);
	for (i = 0; i < n->u.target.nsuffixes && p.where != IN_NONE; i++) {
		const struct ast_suffix *s = &n->u.target.suffixes[i];

		if (s->kind == SUFFIX_PRETTY)
			return pretty_value(l, p, !strcmp(s->member, "$$"));
		p = s->kind == SUFFIX_MEMBER ? spot_member(l, p, s->member) : spot_element(l, p, s->index);
	}
	if (p.where == IN_NONE)
		return NULL;
	return n->u.target.address_of ? spot_address(l, p) : spot_value(l, p);
}

/* What needs no kernel to be refused. */
static const char *has_variables(const struct program *prog, const struct probe *probe, const struct ast_node *target)
{
	if (target->u.target.form != TARGET_DOLLAR)
		return NULL;
	if (!probe)
		return "a function has no target variables; pass the value as an argument";
	if (strcmp(probe->family->name, "function") && strcmp(probe->family->name, "tracepoint"))
		return ast_printf(prog->ast, "probe point '%s' has no target variables; pid(), execname(), addr() and pp() "
				  "say where it fired", probe->point);
	return NULL;
}

struct ast_node *variable_lower(struct program *prog, const struct probe *probe, const struct ast_node *target, const char **why)
{
	const char *module = NULL;
	struct lowering l = { .prog = prog, .probe = probe, .node = target };
	char *text = ast_print(target);
	struct ast_node *n = NULL;

	if (probe && !strcmp(probe->family->name, "function"))
		module = ((const struct rt_function *)probe->row)->module;
	l.text = ast_strdup(prog->ast, text);
	g_free(text);
	l.why = has_variables(prog, probe, target);
	if (!l.why && prog->opt && prog->opt->runtime == RUNTIME_USER)
		l.why = "the user runtime cannot read the kernel's values: add --target=vm to run it in a throw-away guest";
	else if (!l.why && !prog->info)
		l.why = "there is no kernel to ask";
	else if (!l.why)
		l.btf = debuginfo_btf(prog->info, module, &l.why);
	if (l.btf) {
		l.why = NULL;
		n = lower(&l);
	}
	*why = l.why ? l.why : "it has no value";
	return n;
}

int variable_enum(struct program *prog, const char *name, gint64 *value)
{
	const char *problem, *found;
	const struct btf *btf = prog->info ? debuginfo_btf(prog->info, NULL, &problem) : NULL;

	for (guint32 id = 1; btf && btf_kind(btf, id) != BTF_VOID; id++)
		for (unsigned i = 0; btf_enumerator(btf, id, i, &found, value); i++)
			if (!strcmp(found, name))
				return 1;
	return 0;
}

static void list_item(GString *out, const struct btf *btf, const char *name, guint32 type)
{
	char *text = btf_type_text(btf, type), *star = strstr(text, " *");

	if (star)
		memmove(star, star + 1, strlen(star));
	g_string_append_printf(out, " $%s:%s", name, text);
	g_free(text);
}

char *variable_list(struct program *prog, const struct probe *probe)
{
	static const struct ast_node nowhere = { .kind = AST_TARGET };
	struct lowering l = { .prog = prog, .probe = probe, .node = &nowhere };
	const char *module = strcmp(probe->family->name, "function") ? NULL : ((const struct rt_function *)probe->row)->module, *why;
	GString *out = g_string_new(NULL);
	struct btf_field field;
	unsigned skip = 0;
	guint32 proto;

	l.btf = has_variables(prog, probe, &nowhere) ? NULL : debuginfo_btf(prog->info, module, &why);
	proto = l.btf ? prototype(&l, &skip) : 0;
	if (proto && is_return(probe) && btf_target(l.btf, proto))
		list_item(out, l.btf, "return", btf_target(l.btf, proto));
	for (unsigned i = skip; proto && btf_field(l.btf, proto, i, &field); i++)
		if (*field.name)
			list_item(out, l.btf, field.name, field.type);
	return g_string_free(out, FALSE);
}
