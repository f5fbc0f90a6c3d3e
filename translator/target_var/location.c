/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * location.c - from a location to a value: members, elements, bitfields, addresses; and stores to a
 * location (variable.h).
 *
 * Loads and stores are calls of rt.h functions that scripts cannot name. The initial location of a
 * variable comes from elsewhere.
 */
#include "translator/target_var/location.h"

#include "translator/debuginfo/btf.h"
#include "translator/program/options.h"
#include "translator/target_var/user_variable.h"
#include "translator/target_var/variable.h"

#include <string.h>

static const struct builtin load = { "load",	  TYPE_LONG, "ll", "rt_load",
				     CTX | FAILS, 0,	     "",   KIND_LOAD };
static const struct builtin user_load = { "load",      TYPE_LONG,   "ll", "rt_user_load",
					  CTX | FAILS, RT_CAP_TASK, "",	  KIND_USER_LOAD };
/* --skip-badvars */
static const struct builtin load_or_zero = { "load", TYPE_LONG, "ll", "rt_load_or_zero",
					     CTX,    0,		"",   KIND_LOAD };
static const struct builtin user_load_or_zero = {
	"load", TYPE_LONG, "ll", "rt_user_load_or_zero", CTX, RT_CAP_TASK, "", KIND_USER_LOAD
};
static const struct builtin user_store = {
	"store", TYPE_UNKNOWN, "lll", "rt_user_store", CTX | FAILS | EFFECT, RT_CAP_KERNEL, ""
};
static const struct builtin argument = { "argument", TYPE_LONG,	  "ll", "rt_arg",
					 CTX,	     RT_CAP_ARGS, "",	KIND_ARGUMENT };
static const struct builtin result = { "result", TYPE_LONG, "l", "rt_returned",
				       CTX,	 0,	    "",	 KIND_RETURNED };
static const struct builtin result_high = { "result", TYPE_LONG, "", "rt_returned_high",
					    CTX,      0,	 "", KIND_RETURNED_HIGH };
static const struct builtin dwarf_register = {
	"register", TYPE_LONG, "l", "rt_dwarf_register", CTX | FAILS, RT_CAP_REGS, "", KIND_DWARF_REGISTER,
};
static const struct builtin narrow = {
	"narrow", TYPE_LONG, "ll", "rt_narrow", 0, 0, "", KIND_NARROW
};
static const struct builtin bits = { "bits", TYPE_LONG, "lll", "rt_bits", 0, 0, "", KIND_BITS };
static const struct builtin store = { "store",	  TYPE_UNKNOWN,		"lll",
				      "rt_store", CTX | FAILS | EFFECT, 0,
				      "" };
static const struct builtin store_bits = {
	"store", TYPE_UNKNOWN, "lll", "rt_store_bits", CTX | FAILS | EFFECT, 0, ""
};
static const struct builtin set_argument = {
	"store", TYPE_UNKNOWN, "ll", "rt_set_arg", CTX | FAILS | EFFECT, RT_CAP_REGS, ""
};
static const struct builtin set_result = {
	"store", TYPE_UNKNOWN, "l", "rt_set_returnval", CTX | FAILS | EFFECT, RT_CAP_REGS, ""
};
static const struct builtin set_register = {
	"store", TYPE_UNKNOWN, "ll", "rt_set_dwarf_register", CTX | FAILS | EFFECT, RT_CAP_REGS, ""
};

struct location location_fail(struct lowering *l, const char *why)
{
	if (!l->why)
		l->why = why;
	return (struct location){ .where = IN_NONE };
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

struct ast_node *lower_call(struct lowering *l, const struct builtin *builtin, struct ast_node *a,
			    struct ast_node *b, struct ast_node *c)
{
	struct ast_node *n = make(l, AST_CALL), *args[] = { a, b, c };

	n->u.call.name = l->text;
	n->u.call.builtin = builtin;
	for (unsigned i = 0; i < 3; i++)
		if (args[i])
			ast_append(l->prog->ast, &n->u.call.args, args[i]);
	return n;
}

struct ast_node *lower_load(struct lowering *l, struct ast_node *at, gint64 size)
{
	const struct builtin *how[] = { &load, &user_load, &load_or_zero, &user_load_or_zero };

	return lower_call(l, how[2 * l->prog->opt->skip_badvars + !!l->user], at,
			  lower_number(l, size), NULL);
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

struct ast_node *lower_binary(struct lowering *l, struct ast_node *a, const char *op,
			      struct ast_node *b)
{
	struct ast_node *n;

	if (*op == '+' && b->kind == AST_NUMBER && !b->u.number.value)
		return a;
	if (*op == '+' && b->kind == AST_NUMBER && a->kind == AST_NUMBER)
		return lower_number(l, a->u.number.value + b->u.number.value);
	n = make(l, AST_BINARY);
	n->u.binary.op = g_intern_string(op);
	n->u.binary.left = a;
	n->u.binary.right = b;
	return n;
}

/* ---- values ------------------------------------------------------------------*/

/* Size in bytes of a number, negative for signed types; 0: not a number. */
static gint64 kind_of(struct lowering *l, guint32 type)
{
	guint64 size = btf_size(l->btf, type);

	switch (btf_kind(l->btf, btf_strip(l->btf, type))) {
	case BTF_INT: case BTF_PTR: case BTF_ENUM: case BTF_ENUM64:
		if (size == 1 || size == 2 || size == 4 || size == 8)
			return btf_is_signed(l->btf, type) && size < 8 ? -(gint64)size
								       : (gint64)size;
		return 0;
	default:
		return 0;
	}
}

struct ast_node *location_address(struct lowering *l, struct location p)
{
	if (p.where != IN_MEMORY || p.width || p.bit % 8) {
		location_fail(l, p.width ? "a bitfield has no address" : "it is not in memory");
		return NULL;
	}
	return lower_binary(l, p.base, "+", lower_number(l, (gint64)(p.bit / 8)));
}

/*
 * The address of the word in memory that contains a bitfield; *unit: its size in bytes, *shift: the
 * field's bit offset in it.
 */
static struct ast_node *bitfield_word(struct lowering *l, struct location p, gint64 kind,
				      guint64 *unit, guint64 *shift)
{
	guint64 byte;

	*unit = (guint64)(kind < 0 ? -kind : kind);
	byte = p.bit / (*unit * 8) * *unit;
	if (p.bit - byte * 8 + p.width > *unit * 8) {		/* packed: crosses a boundary of
								 * its type's words */
		byte = p.bit / 8;
		*unit = 8;
	}
	*shift = p.bit - byte * 8;
	return lower_binary(l, p.base, "+", lower_number(l, (gint64)byte));
}

static struct ast_node *bitfield(struct lowering *l, struct location p, gint64 kind)
{
	gint64 width = btf_is_signed(l->btf, p.type) ? -(gint64)p.width : (gint64)p.width;
	guint64 unit, shift;
	struct ast_node *at = bitfield_word(l, p, kind, &unit, &shift), *word;

	word = lower_load(l, at, (gint64)unit);
	return lower_call(l, &bits, word, lower_number(l, (gint64)shift), lower_number(l, width));
}

struct ast_node *lower_word(struct lowering *l, struct location p, unsigned n)
{
	if (p.where == IN_ARGUMENT)
		return lower_call(l, &argument, lower_number(l, p.slot + n), lower_number(l, 8),
				  NULL);
	if (p.where == IN_REGISTER && !n)
		return lower_call(l, &dwarf_register, lower_number(l, p.slot), NULL, NULL);
	if (p.where == IN_RESULT && n < 2)
		return n ? lower_call(l, &result_high, NULL, NULL, NULL)
			 : lower_call(l, &result, lower_number(l, 8), NULL, NULL);
	location_fail(l, "it is in several registers");
	return NULL;
}

/* A value in a register: the register, or a member of a struct passed in one or two registers. */
static struct ast_node *in_register(struct lowering *l, struct location p, gint64 kind)
{
	gint64 width = p.width ? p.width : (kind < 0 ? -kind : kind) * 8;
	struct ast_node *word;

	if (!p.width && !p.bit && p.where == IN_ARGUMENT)
		return lower_call(l, &argument, lower_number(l, p.slot), lower_number(l, kind),
				  NULL);
	if (!p.width && !p.bit && p.where == IN_RESULT)
		return lower_call(l, &result, lower_number(l, kind), NULL, NULL);
	word = lower_word(l, p, (unsigned)(p.bit / 64));
	if (!word || width == 64)
		return word;
	if (!p.width && !p.bit)
		return lower_call(l, &narrow, word, lower_number(l, kind), NULL);
	return lower_call(l, &bits, word, lower_number(l, (gint64)(p.bit % 64)),
			  lower_number(l, btf_is_signed(l->btf, p.type) ? -width : width));
}

/* The location of a number that is within one of p's pieces. */
static struct location in_piece(struct lowering *l, struct location p, gint64 kind)
{
	guint64 wide = p.width ? p.width : (guint64)(kind < 0 ? -kind : kind) * 8;
	struct location at;

	for (unsigned i = 0; i < p.npieces; p.bit -= p.pieces[i++].bits) {
		if (p.bit >= p.pieces[i].bits)
			continue;
		if (p.bit + wide > p.pieces[i].bits)
			return location_fail(l, "it lies in several places here");
		at = p.pieces[i].location;
		if (at.where == IN_NONE)
			return location_fail(l, "this part of it is optimized out here");
		at.type = p.type;
		at.width = p.width;
		at.bit = p.bit;
		at.is_member = 1;
		if (at.where == COMPUTED && wide < 64)
			at.base = lower_call(l, &bits, at.base, lower_number(l, (gint64)p.bit),
					     lower_number(l, btf_is_signed(l->btf, p.type)
								     ? -(gint64)wide
								     : (gint64)wide));
		return at;
	}
	return location_fail(l, "this part of it is optimized out here");
}

struct ast_node *location_value(struct lowering *l, struct location p)
{
	gint64 kind = kind_of(l, p.type);

	if (p.where == IN_PIECES && kind)
		p = in_piece(l, p, kind);
	if (p.where == IN_NONE)
		return NULL;
	if (p.where == COMPUTED)
		return p.base;
	if (!kind && p.where == IN_MEMORY &&
	    btf_kind(l->btf, btf_strip(l->btf, p.type)) == BTF_ARRAY)
		return location_address(l, p);
	if (!kind) {
		char *type = btf_type_text(l->btf, p.type);

		location_fail(l,
			      ast_printf(l->prog->ast,
					 "a %s is not a number: name a member, or write & in front",
					 type));
		g_free(type);
		return NULL;
	}
	if (p.where != IN_MEMORY)
		return in_register(l, p, kind);
	if (p.width)
		return bitfield(l, p, kind);
	return lower_load(l, location_address(l, p), kind);
}

struct ast_node *location_store(struct lowering *l, struct location p, struct ast_node *value)
{
	gint64 kind = kind_of(l, p.type);
	guint64 unit, shift;

	if (p.where == IN_PIECES && kind)
		p = in_piece(l, p, kind);
	if (p.where == IN_NONE)
		return NULL;
	if (!kind || p.where == COMPUTED) {
		location_fail(l, kind ? "it is computed: there is no place to write to"
				      : "only numbers and pointers can be written");
		return NULL;
	}
	if (p.where == IN_MEMORY && p.width && l->user) {
		location_fail(l, "a program's bitfields cannot be written");
		return NULL;
	}
	if (p.where == IN_MEMORY && p.width) {
		struct ast_node *at = bitfield_word(l, p, kind, &unit, &shift);

		return lower_call(l, &store_bits, at,
				  lower_number(l, (gint64)(unit << 16 | shift << 8 | p.width)),
				  value);
	}
	if (p.where == IN_MEMORY)
		return lower_call(l, l->user ? &user_store : &store, location_address(l, p),
				  lower_number(l, kind), value);
	if (p.is_member ||
	    (p.where == IN_ARGUMENT && p.slot >= (strcmp(l->prog->arch, "arm64") ? 6 : 8))) {
		location_fail(l, p.is_member ? "a part of a register cannot be written"
					     : "only arguments in registers can be written");
		return NULL;
	}
	value = lower_call(l, &narrow, value, lower_number(l, kind), NULL);
	if (p.where == IN_RESULT)
		return lower_call(l, &set_result, value, NULL, NULL);
	if (p.where == IN_REGISTER)
		return lower_call(l, &set_register, lower_number(l, p.slot), value, NULL);
	return lower_call(l, &set_argument, lower_number(l, p.slot + 1), value, NULL);
}

/* ---- steps --------------------------------------------------------------------*/

/* Dereferences a pointer; locations of other types are unchanged. */
static struct location follow(struct lowering *l, struct location p)
{
	guint32 type = btf_strip(l->btf, p.type);

	if (p.where == IN_NONE || btf_kind(l->btf, type) != BTF_PTR)
		return p;
	return (struct location){ .where = IN_MEMORY,
				  .type = btf_target(l->btf, type),
				  .base = location_value(l, p) };
}

static const char *member_list(struct lowering *l, guint32 type)
{
	GString *out = g_string_new(NULL);
	struct btf_field field;
	const char *text;

	for (unsigned i = 0; i < 24 && btf_field(l->btf, type, i, &field); i++)
		if (*field.name)
			g_string_append_printf(out, "%s%s", out->len ? " " : "", field.name);
	if (btf_fields(l->btf, type) > 24)
		g_string_append(out, " ...");
	text = ast_strdup(l->prog->ast, out->str);
	g_string_free(out, TRUE);
	return text;
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
	why = similar ? ast_printf(l->prog->ast, "%s has no member '%s' (similar: %s)", text, name,
				   similar)
		      : ast_printf(l->prog->ast, "%s has no member '%s' (members: %s)", text, name,
				   member_list(l, type));
	g_free(similar);
	g_free(text);
	g_ptr_array_free(names, TRUE);
	return why;
}

/* The full definition of a struct that this compilation unit of a program may only declare. */
static guint32 whole_struct(struct lowering *l, guint32 type)
{
	const struct btf *btf = l->btf;
	char *text = l->user && !btf_fields(btf, type) ? btf_type_text(btf, type) : NULL;
	guint32 whole = text ? user_type(l, text) : 0;

	if (!whole)
		l->btf = btf;
	g_free(text);
	return whole ? whole : type;
}

struct location location_member(struct lowering *l, struct location p, const char *name)
{
	struct btf_field field;
	enum btf_kind kind;

	p = follow(l, p);
	p.is_cast = 0;
	if (p.where == IN_NONE)
		return p;
	p.type = btf_strip(l->btf, p.type);
	kind = btf_kind(l->btf, p.type);
	if (kind != BTF_STRUCT && kind != BTF_UNION) {
		char *text = btf_type_text(l->btf, p.type);
		const char *why = ast_printf(l->prog->ast, "a %s has no members%s", text,
					     kind == BTF_FWD ? " that this BTF knows" : "");

		g_free(text);
		return location_fail(l, why);
	}
	p.type = whole_struct(l, p.type);
	if (!btf_member(l->btf, p.type, name, &field))
		return location_fail(l, no_member(l, p.type, name));
	p.bit += field.bit;
	p.type = field.type;
	p.width = field.width;
	p.is_member = 1;
	return p;
}

struct location location_element(struct lowering *l, struct location p, struct ast_node *index)
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
	else if (!p.is_cast)			/* a cast's value acts as a pointer to its type:
						 * [i] may follow */
		return location_fail(l, "it is neither an array nor a pointer");
	size = btf_size(l->btf, p.type);
	if (!size)
		return location_fail(l, "its elements have no size");
	offset = index->kind == AST_NUMBER
			 ? lower_number(l, index->u.number.value * (gint64)size)
			 : lower_binary(l, index, "*", lower_number(l, (gint64)size));
	p.base = lower_binary(l, p.base, "+", offset);
	p.is_cast = 0;
	return p;
}

