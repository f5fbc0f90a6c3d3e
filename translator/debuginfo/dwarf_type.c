/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_type.c - DWARF's types as BTF, on top of the kernel's own: a named type that the kernel's
 * BTF has with the same size is used from there; other types are converted when they are first
 * needed, and read back by btf.c.
 */
#include "translator/debuginfo/dwarf_type.h"

#include "translator/debuginfo/btf.h"
#include "translator/debuginfo/dwarf_pass.h"
#include "translator/debuginfo/dwarf_private.h"

#include <string.h>

#define DEPTH_MAX 400

struct dwarf_types {
	const struct btf *base;
	guint32		first;		/* id of written[0] */
	GPtrArray	*written;	/* GArray of guint32 each: a type's words */
	GString		*strings;
	guint32		strings_base;	/* BTF string offset of strings[0] */
	GHashTable	*ids;		/* DIE offset to id */
	/* struct btf, one per state that was read: older ids stay valid */
	GPtrArray	*read;
	guint		read_types;	/* number of written types in the last of read */
};

struct dwarf_types *dwarf_types_new(const struct btf *base)
{
	struct dwarf_types *t = g_new0(struct dwarf_types, 1);

	t->base = base;
	t->first = base ? btf_end(base) : 1;
	t->strings_base = base ? btf_strings_end(base) : 0;
	t->written = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	t->strings = g_string_new(NULL);
	g_string_append_c(t->strings, 0);
	t->ids = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	t->read = g_ptr_array_new_with_free_func((GDestroyNotify)btf_close);
	return t;
}

void dwarf_types_free(struct dwarf_types *t)
{
	if (!t)
		return;
	g_ptr_array_unref(t->written);
	g_string_free(t->strings, TRUE);
	g_hash_table_unref(t->ids);
	g_ptr_array_unref(t->read);
	g_free(t);
}

static guint32 put_string(struct dwarf_types *t, const char *text)
{
	guint32 at = (guint32)t->strings->len;

	if (!text || !*text)
		return 0;
	g_string_append_len(t->strings, text, (gssize)strlen(text) + 1);
	return t->strings_base + at;
}

/* Reserves a new id for a type, so that its members can refer back to it. */
static GArray *new_type(struct dwarf_types *t, guint32 *id)
{
	GArray *words = g_array_new(FALSE, FALSE, sizeof(guint32));

	*id = t->first + t->written->len;
	g_ptr_array_add(t->written, words);
	return words;
}

static void put_words(GArray *words, guint32 a, guint32 b, guint32 c)
{
	guint32 three[] = { a, b, c };

	g_array_append_vals(words, three, 3);
}

static guint32 info_word(enum btf_kind kind, guint32 n, int flag)
{
	return (guint32)kind << 24 | (n & 0xffff) | (flag ? 1u << 31 : 0);
}

static guint64 number_of(Dwarf_Die *die, unsigned attribute, guint64 otherwise)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	return dwarf_attr_integrate(die, attribute, &attr) && !dwarf_formudata(&attr, &value)
		       ? value
		       : otherwise;
}

static guint32 convert(struct dwarf_types *t, Dwarf_Die *die, int depth);

static guint32 target_of(struct dwarf_types *t, Dwarf_Die *die, int depth)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, &type)
		       ? convert(t, &type, depth + 1)
		       : 0;
}

#define BIT_MAX	0xffffff	/* BTF's limit of a bit offset stored with a width */

/*
 * A data member or base class of an object; a base class has no name. Static members and virtual
 * bases are skipped.
 */
static int is_member(Dwarf_Die *child)
{
	return (dwarf_tag(child) == DW_TAG_member && !dwarf_hasattr(child, DW_AT_external)) ||
	       (dwarf_tag(child) == DW_TAG_inheritance && !dwarf_hasattr(child, DW_AT_virtuality));
}

static void put_members(struct dwarf_types *t, Dwarf_Die *die, GArray *words, int depth)
{
	Dwarf_Die child;
	guint32 n = 0;

	if (!dwarf_child(die, &child))
		do {
			guint64 width = number_of(&child, DW_AT_bit_size, 0),
				bit = dwarf_member_bit(&child);

			if (!is_member(&child) || bit > BIT_MAX)
				continue;
			put_words(words, put_string(t, dwarf_diename(&child)),
				  target_of(t, &child, depth), (guint32)(width << 24 | bit));
			n++;
		} while (!dwarf_siblingof(&child, &child));
	g_array_index(words, guint32, 1) |= n & 0xffff;
}

/*
 * Compilers give an encoding to the enumeration or to its underlying type; old ones to neither, but
 * they write negative values as signed.
 */
static int is_signed(Dwarf_Die *enumeration)
{
	Dwarf_Die type, child;
	guint64 encoding = number_of(enumeration, DW_AT_encoding, 0);
	int is = 0;

	if (!encoding && dwarf_plain_type(enumeration, &type))
		encoding = number_of(&type, DW_AT_encoding, 0);
	if (encoding)
		return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	if (!dwarf_child(enumeration, &child))
		do {
			Dwarf_Attribute attr;
			Dwarf_Sword value = 0;

			is |= dwarf_attr(&child, DW_AT_const_value, &attr) &&
			      dwarf_whatform(&attr) == DW_FORM_sdata &&
			      !dwarf_formsdata(&attr, &value) && value < 0;
		} while (!dwarf_siblingof(&child, &child));
	return is;
}

static void put_enumerators(struct dwarf_types *t, Dwarf_Die *die, GArray *words, enum btf_kind kind)
{
	Dwarf_Die child;
	guint32 n = 0;

	if (!dwarf_child(die, &child))
		do {
			Dwarf_Attribute attr;
			Dwarf_Word value;
			guint32 three[3];

			/* those of signed form are extended; the others are not */
			if (dwarf_tag(&child) != DW_TAG_enumerator || n == 0xffff ||
			    !dwarf_attr(&child, DW_AT_const_value, &attr) ||
			    dwarf_formudata(&attr, &value))
				continue;
			three[0] = put_string(t, dwarf_diename(&child));
			three[1] = (guint32)value;
			three[2] = (guint32)(value >> 32);
			g_array_append_vals(words, three, kind == BTF_ENUM64 ? 3 : 2);
			n++;
		} while (!dwarf_siblingof(&child, &child));
	g_array_index(words, guint32, 1) |= n;
}

/* One BTF array per dimension, the last one innermost. */
static guint32 convert_array(struct dwarf_types *t, Dwarf_Die *die, int depth)
{
	GArray *counts = g_array_new(FALSE, FALSE, sizeof(guint32)), *words;
	guint32 id = target_of(t, die, depth), of, three[3];
	Dwarf_Die child;

	if (!dwarf_child(die, &child))
		do {
			guint32 count = (guint32)number_of(
				&child, DW_AT_count,
				number_of(&child, DW_AT_upper_bound, (guint64)-1) + 1);

			if (dwarf_tag(&child) == DW_TAG_subrange_type)
				g_array_append_val(counts, count);
		} while (!dwarf_siblingof(&child, &child));
	for (guint i = counts->len; i-- > 0; ) {
		of = id;
		words = new_type(t, &id);
		put_words(words, 0, info_word(BTF_ARRAY, 0, 0), 0);
		three[0] = of;
		three[1] = of;
		three[2] = g_array_index(counts, guint32, i);
		g_array_append_vals(words, three, 3);
	}
	g_array_unref(counts);
	return id;
}

static void put_int(GArray *words, guint32 name, guint64 size, guint64 encoding)
{
	guint32 how = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char ? 1
		      : encoding == DW_ATE_boolean ? 4
		      : 0;
	guint32 detail = how << 24 | (guint32)(size * 8);

	put_words(words, name, info_word(BTF_INT, 0, 0), (guint32)size);
	g_array_append_val(words, detail);
}

static const struct { int tag; enum btf_kind kind;
} kinds[] = {
	{ DW_TAG_base_type, BTF_INT },
	{ DW_TAG_pointer_type, BTF_PTR },
	{ DW_TAG_structure_type, BTF_STRUCT },
	{ DW_TAG_union_type, BTF_UNION },
	{ DW_TAG_enumeration_type, BTF_ENUM },
	{ DW_TAG_typedef, BTF_TYPEDEF },
	{ DW_TAG_const_type, BTF_CONST },
	{ DW_TAG_volatile_type, BTF_VOLATILE },
	{ DW_TAG_restrict_type, BTF_RESTRICT },
	{ DW_TAG_array_type, BTF_ARRAY },
	{ DW_TAG_class_type, BTF_STRUCT },
	{ DW_TAG_reference_type, BTF_PTR },
	{ DW_TAG_rvalue_reference_type, BTF_PTR },
	{ DW_TAG_atomic_type, BTF_VOLATILE },
};

static enum btf_kind kind_of(Dwarf_Die *die)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (kinds[i].tag == dwarf_tag(die))
			return kinds[i].kind;
	return BTF_VOID;
}

/* The same type in the base; a declaration matches any type with its name. 0: none. */
static guint32 find_in_base(struct dwarf_types *t, Dwarf_Die *die, enum btf_kind kind)
{
	const char *name = dwarf_diename(die);
	guint32 id = t->base && name ? btf_find(t->base, name, kind) : 0;

	if (!id || kind == BTF_TYPEDEF || dwarf_hasattr(die, DW_AT_declaration) ||
	    btf_size(t->base, id) == number_of(die, DW_AT_byte_size, 0))
		return id;
	return 0;
}

static guint32 convert(struct dwarf_types *t, Dwarf_Die *die, int depth)
{
	enum btf_kind kind = kind_of(die);
	gint64 key = (gint64)dwarf_dieoffset(die);
	gpointer known;
	guint32 id, size = (guint32)number_of(die, DW_AT_byte_size, 0), name;
	GArray *words;

	if (kind == BTF_VOID || depth > DEPTH_MAX)
		return 0;
	if (g_hash_table_lookup_extended(t->ids, &key, NULL, &known))
		return GPOINTER_TO_UINT(known);
	id = find_in_base(t, die, kind);
	words = id || kind == BTF_ARRAY ? NULL : new_type(t, &id);
	if (kind == BTF_ARRAY)
		id = convert_array(t, die, depth);
	g_hash_table_insert(t->ids, g_memdup2(&key, sizeof(key)), GUINT_TO_POINTER(id));
	if (!words)
		return id;
	name = put_string(t, dwarf_diename(die));
	if (kind == BTF_INT) {
		put_int(words, name, size, number_of(die, DW_AT_encoding, 0));
	} else if (kind == BTF_STRUCT || kind == BTF_UNION) {
		put_words(words, name, info_word(kind, 0, 1), size);
		put_members(t, die, words, depth);
	} else if (kind == BTF_ENUM) {
		kind = size > 4 ? BTF_ENUM64 : BTF_ENUM;
		put_words(words, name, info_word(kind, 0, is_signed(die)), size);
		put_enumerators(t, die, words, kind);
	} else {
		put_words(words, kind == BTF_TYPEDEF ? name : 0, info_word(kind, 0, 0), 0);
		g_array_index(words, guint32, 2) = target_of(t, die, depth);
	}
	return id;
}

/* Everything written, as the bytes of a BTF section. */
static void *make_bytes(const struct dwarf_types *t, gsize *size)
{
	struct {
		guint16 magic;
		guint8 version, flags;
		guint32 hdr_len, type_off, type_len, str_off, str_len;
	} h = { 0xeb9f, 1, 0, 24 };
	GByteArray *out = g_byte_array_new();

	g_byte_array_append(out, (guint8 *)&h, sizeof(h));
	for (guint i = 0; i < t->written->len; i++) {
		const GArray *words = t->written->pdata[i];

		g_byte_array_append(out, (guint8 *)words->data, words->len * 4);
	}
	h.type_len = h.str_off = out->len - (guint)sizeof(h);
	h.str_len = (guint32)t->strings->len;
	memcpy(out->data, &h, sizeof(h));
	g_byte_array_append(out, (guint8 *)t->strings->str, (guint)t->strings->len);
	*size = out->len;
	return g_byte_array_free(out, FALSE);
}

/* Makes the types written so far readable for an id. */
static guint32 readable(struct dwarf_types *t, guint32 id, const struct btf **btf)
{
	const char *why;
	gsize size;
	void *bytes;

	if (!t->read->len || t->read_types != t->written->len) {
		bytes = make_bytes(t, &size);
		*btf = btf_open(bytes, size, t->base, &why);
		if (!*btf) {
			g_free(bytes);
			return 0;
		}
		g_ptr_array_add(t->read, (void *)*btf);
		t->read_types = t->written->len;
	}
	*btf = g_ptr_array_index(t->read, t->read->len - 1);
	return id;
}

static void put_parameters(struct dwarf_types *t, Dwarf_Die *function, GArray *words)
{
	Dwarf_Die child;
	guint32 n = 0;

	if (!dwarf_child(function, &child))
		do {
			guint32 two[2];

			if (dwarf_tag(&child) != DW_TAG_formal_parameter)
				continue;
			two[0] = put_string(t, dwarf_diename(&child));
			two[1] = target_of(t, &child, 0);
			g_array_append_vals(words, two, 2);
			n++;
		} while (!dwarf_siblingof(&child, &child));
	g_array_index(words, guint32, 1) |= n & 0xffff;
}

guint32 dwarf_prototype_of(struct dwarf_types *t, Dwarf_Die *function, const struct btf **btf)
{
	gint64 key = (gint64)dwarf_dieoffset(function);
	guint32 id = GPOINTER_TO_UINT(g_hash_table_lookup(t->ids, &key));

	if (!id) {
		GArray *words = new_type(t, &id);

		put_words(words, 0, info_word(BTF_FUNC_PROTO, 0, 0), 0);
		g_array_index(words, guint32, 2) = target_of(t, function, 0);
		put_parameters(t, function, words);
		g_hash_table_insert(t->ids, g_memdup2(&key, sizeof(key)), GUINT_TO_POINTER(id));
	}
	return readable(t, id, btf);
}

guint32 dwarf_type_of(struct dwarf_types *t, Dwarf_Die *die, const struct btf **btf)
{
	return readable(t, target_of(t, die, 0), btf);
}

guint32 dwarf_type_itself(struct dwarf_types *t, Dwarf_Die *die, const struct btf **btf)
{
	return readable(t, convert(t, die, 0), btf);
}
