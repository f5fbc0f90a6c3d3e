/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * btf.c - see btf.h. The format is the kernel's Documentation/bpf/btf.rst; words have the host's
 * byte order (little-endian on all targets).
 */
#include "translator/debuginfo/btf.h"

#include <string.h>

#define MAGIC		0xeb9f
#define INT_SIGNED	(1u << 24)
#define DEPTH_MAX	32	/* qualifiers, pointers and anonymous members in a row */

struct header {
	guint16 magic;
	guint8 version, flags;
	guint32 hdr_len, type_off, type_len, str_off, str_len;
};

struct btf {
	const struct btf *base;
	char		*bytes;
	const char	*strings;
	guint32		nstrings;
	guint32		first, n;	/* ids first .. first + n - 1 are here */
	const guint32	**types;	/* [n]: name, info, size or type, extras */
	guint32		*bucket, *next;	/* ids by name; 0 ends */
	guint32		mask;
};

/* Number of words after a type's first three, by kind. */
static gsize extra_words(guint32 info)
{
	static const guint8 fixed[BTF_KINDS] = {
		[BTF_INT] = 1, [BTF_ARRAY] = 3, [BTF_VAR] = 1, [BTF_DECL_TAG] = 1
	};
	static const guint8 each[BTF_KINDS] = {
		[BTF_STRUCT] = 3,     [BTF_UNION] = 3,   [BTF_ENUM] = 2,
		[BTF_FUNC_PROTO] = 2, [BTF_DATASEC] = 3, [BTF_ENUM64] = 3,
	};
	unsigned kind = info >> 24 & 31;

	return kind < BTF_KINDS ? fixed[kind] + (gsize)each[kind] * (info & 0xffff) : 0;
}

static const guint32 *find_type(const struct btf *btf, guint32 id, const struct btf **owner)
{
	while (btf && id < btf->first)
		btf = btf->base;
	if (!btf || !id || id - btf->first >= btf->n)
		return NULL;
	if (owner)
		*owner = btf;
	return btf->types[id - btf->first];
}

static guint32 all_strings(const struct btf *btf)
{
	return btf ? all_strings(btf->base) + btf->nstrings : 0;
}

static const char *string_at(const struct btf *btf, guint32 at)
{
	guint32 before = all_strings(btf->base);

	if (at < before)
		return string_at(btf->base, at);
	return at - before < btf->nstrings ? btf->strings + (at - before) : "";
}

static guint32 hash_name(const char *name, unsigned kind)
{
	guint32 h = 2166136261u + kind;

	for (; *name; name++)
		h = (h ^ (guint8)*name) * 16777619u;
	return h ^ h >> 15;
}

static void index_names(struct btf *btf)
{
	for (btf->mask = 1024; btf->mask < btf->n; btf->mask *= 2)
		;
	btf->bucket = g_new0(guint32, btf->mask);
	btf->next = g_new0(guint32, btf->n + 1);
	btf->mask--;
	for (guint32 i = btf->n; i-- > 0; ) {		/* backwards, so that chains are in the
							 * order of ids */
		const char *name = string_at(btf, btf->types[i][0]);
		guint32 *head;

		if (!*name)
			continue;
		head = &btf->bucket[hash_name(name, btf->types[i][1] >> 24 & 31) & btf->mask];
		btf->next[i] = *head;
		*head = btf->first + i;
	}
}

static const char *index_types(struct btf *btf, const char *from, gsize len)
{
	const guint32 *word = (const guint32 *)from, *end = word + len / 4;
	GPtrArray *types = g_ptr_array_new();

	while (end - word >= 3) {
		gsize words = 3 + extra_words(word[1]);

		if ((word[1] >> 24 & 31) >= BTF_KINDS || !(word[1] >> 24 & 31) ||
		    words > (gsize)(end - word))
			break;
		g_ptr_array_add(types, (void *)word);
		word += words;
	}
	btf->n = types->len;
	btf->types = (const guint32 **)g_ptr_array_free(types, FALSE);
	return word == end ? NULL : "a type is unknown or ends outside";
}

struct btf *btf_open(void *bytes, gsize size, const struct btf *base, const char **why)
{
	const struct header *h = bytes;
	gsize left = size - sizeof(*h);
	struct btf *btf;

	*why = "no BTF header";
	if (size < sizeof(*h) || size > G_MAXINT32 || h->magic != MAGIC || h->version != 1 ||
	    h->hdr_len < sizeof(*h) || h->hdr_len > size)
		return NULL;
	left = size - h->hdr_len;
	*why = "sections lie outside";
	if (h->hdr_len % 4 || h->type_off % 4 || h->type_off > left ||
	    h->type_len > left - h->type_off || h->str_off > left || h->str_len > left - h->str_off)
		return NULL;
	*why = "strings do not end";
	if (!h->str_len || ((char *)bytes)[h->hdr_len + h->str_off + h->str_len - 1])
		return NULL;
	btf = g_new0(struct btf, 1);
	btf->base = base;
	btf->first = base ? base->first + base->n : 1;
	btf->strings = (char *)bytes + h->hdr_len + h->str_off;
	btf->nstrings = h->str_len;
	*why = index_types(btf, (char *)bytes + h->hdr_len + h->type_off, h->type_len);
	if (*why) {
		btf_close(btf);
		return NULL;
	}
	btf->bytes = bytes;
	index_names(btf);
	return btf;
}

void btf_close(struct btf *btf)
{
	if (!btf)
		return;
	g_free(btf->bytes);
	g_free(btf->types);
	g_free(btf->bucket);
	g_free(btf->next);
	g_free(btf);
}

guint32 btf_end(const struct btf *btf)
{
	return btf->first + btf->n;
}

guint32 btf_strings_end(const struct btf *btf)
{
	return all_strings(btf);
}

enum btf_kind btf_kind(const struct btf *btf, guint32 id)
{
	const guint32 *t = find_type(btf, id, NULL);

	return t ? t[1] >> 24 & 31 : BTF_VOID;
}

const char *btf_name(const struct btf *btf, guint32 id)
{
	const struct btf *owner;
	const guint32 *t = find_type(btf, id, &owner);

	return t ? string_at(owner, t[0]) : "";
}

static guint32 search_chain(const struct btf *btf, guint32 id, const char *name, enum btf_kind kind)
{
	while (id && (btf_kind(btf, id) != kind || strcmp(btf_name(btf, id), name)))
		id = btf->next[id - btf->first];
	return id;
}

guint32 btf_find(const struct btf *btf, const char *name, enum btf_kind kind)
{
	guint32 id = 0;

	for (; btf && !id; btf = btf->base)
		id = search_chain(btf, btf->bucket[hash_name(name, kind) & btf->mask], name, kind);
	return id;
}

guint32 btf_find_next(const struct btf *btf, guint32 id)
{
	const struct btf *owner;

	if (!find_type(btf, id, &owner))
		return 0;
	return search_chain(owner, owner->next[id - owner->first], btf_name(btf, id),
			    btf_kind(btf, id));
}

guint32 btf_target(const struct btf *btf, guint32 id)
{
	const guint32 *t = find_type(btf, id, NULL);

	switch (btf_kind(btf, id)) {
	case BTF_ARRAY:
		return t[3];
	case BTF_PTR:
	case BTF_TYPEDEF:
	case BTF_VOLATILE:
	case BTF_CONST:
	case BTF_RESTRICT:
	case BTF_FUNC:
	case BTF_FUNC_PROTO:
	case BTF_VAR: case BTF_TYPE_TAG:
		return t[2];
	default:
		return 0;
	}
}

guint32 btf_strip(const struct btf *btf, guint32 id)
{
	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		switch (btf_kind(btf, id)) {
		case BTF_TYPEDEF:
		case BTF_VOLATILE:
		case BTF_CONST:
		case BTF_RESTRICT:
		case BTF_TYPE_TAG:
			id = btf_target(btf, id);
			break;
		default:
			return id;
		}
	}
	return 0;
}

guint32 btf_count(const struct btf *btf, guint32 id)
{
	return btf_kind(btf, id) == BTF_ARRAY ? find_type(btf, id, NULL)[5] : 0;
}

guint64 btf_size(const struct btf *btf, guint32 id)
{
	guint64 factor = 1;

	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		id = btf_strip(btf, id);
		switch (btf_kind(btf, id)) {
		case BTF_PTR:
			return 8 * factor;
		case BTF_ARRAY:
			factor *= btf_count(btf, id);
			if (factor > G_MAXINT32)
				return 0;
			id = btf_target(btf, id);
			break;
		case BTF_INT:
		case BTF_STRUCT:
		case BTF_UNION:
		case BTF_ENUM:
		case BTF_FLOAT:
		case BTF_ENUM64:
			return find_type(btf, id, NULL)[2] * factor;
		default:
			return 0;
		}
	}
	return 0;
}

/*
 * The BTF of 5.10 marks no character as signed, that of 6.1 does. Which "char" is, depends on the
 * machine.
 */
static int is_signed_char(const struct btf *btf, guint32 id)
{
	const char *name = btf_name(btf, id);
	struct btf_field orig_ax;
	guint32 known;

	while (btf->base)
		btf = btf->base;
	known = btf_find(btf, "signed char", BTF_INT);
	if (!known || find_type(btf, known, NULL)[3] & INT_SIGNED)
		return 0;
	return !strcmp(name, "signed char") ||
	       (!strcmp(name, "char") &&
		btf_member(btf, btf_find(btf, "pt_regs", BTF_STRUCT), "orig_ax", &orig_ax));
}

int btf_is_signed(const struct btf *btf, guint32 id)
{
	const guint32 *t = find_type(btf, id = btf_strip(btf, id), NULL);

	switch (btf_kind(btf, id)) {
	case BTF_INT:
		return t[3] & INT_SIGNED || (t[2] == 1 && is_signed_char(btf, id));
	case BTF_ENUM: case BTF_ENUM64:
		return t[1] >> 31;
	default:
		return 0;
	}
}

unsigned btf_fields(const struct btf *btf, guint32 id)
{
	const guint32 *t = find_type(btf, id, NULL);

	return t ? t[1] & 0xffff : 0;
}

int btf_field(const struct btf *btf, guint32 id, unsigned i, struct btf_field *field)
{
	const struct btf *owner;
	const guint32 *t = find_type(btf, id, &owner);
	enum btf_kind kind = btf_kind(btf, id);

	if (!t || i >= (t[1] & 0xffff))
		return 0;
	memset(field, 0, sizeof(*field));
	if (kind == BTF_FUNC_PROTO) {
		field->name = string_at(owner, t[3 + 2 * i]);
		field->type = t[4 + 2 * i];
		return 1;
	}
	if (kind != BTF_STRUCT && kind != BTF_UNION)
		return 0;
	field->name = string_at(owner, t[3 + 3 * i]);
	field->type = t[4 + 3 * i];
	field->bit = t[5 + 3 * i];
	if (t[1] >> 31) {			/* the offset includes the bitfield's width */
		field->width = field->bit >> 24;
		field->bit &= 0xffffff;
	}
	return 1;
}

int btf_enumerator(const struct btf *btf, guint32 id, unsigned i, const char **name, gint64 *value)
{
	const struct btf *owner;
	const guint32 *t = find_type(btf, id, &owner);
	enum btf_kind kind = btf_kind(btf, id);

	if (!t || i >= (t[1] & 0xffff) || (kind != BTF_ENUM && kind != BTF_ENUM64))
		return 0;
	t += 3 + (gsize)i * (kind == BTF_ENUM ? 2 : 3);
	*name = string_at(owner, t[0]);
	if (kind == BTF_ENUM64)
		*value = (gint64)((guint64)t[2] << 32 | t[1]);
	else
		*value = btf_is_signed(btf, id) ? (gint64)(gint32)t[1] : (gint64)t[1];
	return 1;
}

static int find_member(const struct btf *btf, guint32 id, const char *name, struct btf_field *field,
		       int depth)
{
	struct btf_field inner;

	id = btf_strip(btf, id);
	for (unsigned i = 0; btf_field(btf, id, i, field); i++) {
		if (!strcmp(field->name, name))
			return 1;
		if (*field->name || depth == DEPTH_MAX || btf_kind(btf, id) == BTF_FUNC_PROTO)
			continue;
		if (find_member(btf, field->type, name, &inner, depth + 1)) {
			inner.bit += field->bit;
			*field = inner;
			return 1;
		}
	}
	return 0;
}

int btf_member(const struct btf *btf, guint32 id, const char *name, struct btf_field *field)
{
	return *name && find_member(btf, id, name, field, 0);
}

static void append_type(GString *out, const struct btf *btf, guint32 id, int depth)
{
	static const char *const word[BTF_KINDS] = {
		[BTF_STRUCT] = "struct ",     [BTF_UNION] = "union ", [BTF_ENUM] = "enum ",
		[BTF_ENUM64] = "enum ",       [BTF_FWD] = "struct ",  [BTF_CONST] = "const ",
		[BTF_VOLATILE] = "volatile ",
	};
	enum btf_kind kind = btf_kind(btf, id);

	if (word[kind])
		g_string_append(out, word[kind]);
	if (kind == BTF_VOID || depth == DEPTH_MAX) {
		g_string_append(out, "void");
	} else if (kind == BTF_FUNC_PROTO) {
		g_string_append(out, "function");
	} else if (*btf_name(btf, id)) {
		g_string_append(out, btf_name(btf, id));
	} else if (!btf_target(btf, id) && kind != BTF_PTR && kind != BTF_CONST) {
		g_string_append(out, "{...}");
	} else {
		append_type(out, btf, btf_target(btf, id), depth + 1);
	}
	if (kind == BTF_PTR)
		g_string_append(out, out->str[out->len - 1] == '*' ? "*" : " *");
	else if (kind == BTF_ARRAY)
		g_string_append_printf(out, "[%u]", btf_count(btf, id));
}

char *btf_type_text(const struct btf *btf, guint32 id)
{
	GString *out = g_string_new(NULL);

	append_type(out, btf, id, 0);
	return g_string_free(out, FALSE);
}
