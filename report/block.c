/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block.c - see block.h. A function is decoded on first use and then cached: reports are
 * short-lived.
 */
#include "report/block.h"

#include "report/code.h"

/* The function's code; NULL: not in the capture. */
static const struct code *code_of(const struct profile *p, const struct profile_place *at)
{
	static GHashTable *decoded;		/* struct profile_function to struct code */
	const struct profile_image *image = PROFILE_AT(p->images, image, at->image);
	gpointer function = PROFILE_AT(image->functions, function, at->function), code;
	const char *why;

	if (!decoded)
		decoded = g_hash_table_new(NULL, NULL);
	if (!g_hash_table_lookup_extended(decoded, function, NULL, &code)) {
		code = code_make(p, at->image, at->function, NULL, &why);
		g_hash_table_insert(decoded, function, code);
	}
	return code;
}

int block_of(const struct profile *p, guint32 place, guint64 *start)
{
	const struct profile_place *at = PROFILE_AT(p->places, place, place);
	const struct code *c = at->function == PROFILE_NONE ? NULL : code_of(p, at);
	const struct code_block *b = c ? code_block_at(c, at->offset) : NULL;

	if (!b)
		return -1;
	*start = g_array_index(c->instructions, struct code_instruction, b->first).offset - c->function->start;
	return 0;
}
