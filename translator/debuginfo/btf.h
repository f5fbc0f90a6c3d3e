/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * btf.h - reads BTF: a kernel's types and function prototypes.
 *
 * One pass over the bytes finds every type and checks that it lies inside; names are looked up in a
 * hash table. Later reads never leave the bytes, whatever they contain: an id or name out of range
 * is void or "". A module's BTF ids start after those of its base. It knows neither probes nor
 * registers.
 */
#ifndef LAPWING_BTF_H
#define LAPWING_BTF_H

#include <glib.h>

enum btf_kind {		/* as in the format */
	BTF_VOID, BTF_INT, BTF_PTR, BTF_ARRAY, BTF_STRUCT, BTF_UNION, BTF_ENUM, BTF_FWD, BTF_TYPEDEF, BTF_VOLATILE, BTF_CONST,
	BTF_RESTRICT, BTF_FUNC, BTF_FUNC_PROTO, BTF_VAR, BTF_DATASEC, BTF_FLOAT, BTF_DECL_TAG, BTF_TYPE_TAG, BTF_ENUM64, BTF_KINDS
};

struct btf;

/* A member of a struct, or a parameter of a prototype. */
struct btf_field {
	const char	*name;		/* "" if none; borrowed from the btf */
	guint32		type;
	guint64		bit;		/* offset from the start, in bits */
	unsigned	width;		/* of a bitfield, in bits; 0: not a bitfield */
};

/*
 * Takes ownership of bytes (g_free) unless it fails; then returns NULL, *why is the reason
 * (static). base, or NULL, must outlive the result.
 */
struct btf *btf_open(void *bytes, gsize size, const struct btf *base, const char **why);
void btf_close(struct btf *btf);
/* The first type id, and the first string offset, of a BTF that has this one as its base. */
guint32 btf_end(const struct btf *btf);
guint32 btf_strings_end(const struct btf *btf);

/* The first type of that kind and name; 0: none. */
guint32 btf_find(const struct btf *btf, const char *name, enum btf_kind kind);
/* The next type after id with the same kind and name, in the same BTF; 0: none. */
guint32 btf_find_next(const struct btf *btf, guint32 id);

enum btf_kind btf_kind(const struct btf *btf, guint32 id);
const char *btf_name(const struct btf *btf, guint32 id);
/*
 * The type that a pointer, array, typedef, qualifier, function or prototype (its result) refers to;
 * 0: void.
 */
guint32 btf_target(const struct btf *btf, guint32 id);
/* Strips typedefs, qualifiers and tags. */
guint32 btf_strip(const struct btf *btf, guint32 id);
/* In bytes; 0: unknown or void. */
guint64 btf_size(const struct btf *btf, guint32 id);
int btf_is_signed(const struct btf *btf, guint32 id);
/* Number of elements of an array. */
guint32 btf_count(const struct btf *btf, guint32 id);
/* Number of members, parameters or enumerators. */
unsigned btf_fields(const struct btf *btf, guint32 id);
/* Member or parameter i; 0: none. */
int btf_field(const struct btf *btf, guint32 id, unsigned i, struct btf_field *field);
/* Enumerator i; 0: none, or its value is unknown. */
int btf_enumerator(const struct btf *btf, guint32 id, unsigned i, const char **name, gint64 *value);
/* Finds a member by name, also in anonymous structs and unions; 0: none. */
int btf_member(const struct btf *btf, guint32 id, const char *name, struct btf_field *field);
/* C text: "struct file *". Caller frees. */
char *btf_type_text(const struct btf *btf, guint32 id);

#endif
