/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * btf.c - fuzz entry: any bytes as BTF, then every question about every type. The header is made
 * right, so that types are reached.
 */
#include "translator/debuginfo/btf.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(const struct btf *btf, guint32 id)
{
	struct btf_field field;
	const char *name;
	gint64 value;

	g_free(btf_type_text(btf, id));
	btf_size(btf, id);
	btf_is_signed(btf, id);
	btf_member(btf, id, "none", &field);
	btf_find_next(btf, id);
	for (unsigned i = 0; btf_field(btf, id, i, &field); i++)
		if (strlen(field.name) > G_MAXINT32)
			__builtin_trap();
	for (unsigned i = 0; btf_enumerator(btf, id, i, &name, &value); i++)
		if (strlen(name) > G_MAXINT32)
			__builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	guint32 types = (guint32)(size / 2) & ~3u,
		head[] = { 0x1eb9f, 24, 0, types, types, (guint32)size - types + 1 };
	char *bytes;
	const char *why;
	struct btf *btf;

	if (size < 16)
		return 0;
	bytes = g_malloc0(sizeof(head) + size + 1);
	memcpy(bytes, head, sizeof(head));
	memcpy(bytes + sizeof(head), data, size);
	/* kinds that exist, few fields: so that most inputs are accepted */
	for (guint32 i = 0; i + 12 <= types; i += 12)
		*(guint32 *)(bytes + sizeof(head) + i + 4) &= data[0] & 1 ? 0x9f000003 : ~0u;
	if (data[0] & 2)
		memcpy(bytes, data, sizeof(guint32) * 4);
	btf = btf_open(bytes, sizeof(head) + size + 1, NULL, &why);
	for (guint32 id = 0; btf && id < 64; id++)
		ask(btf, id);
	if (btf)
		btf_close(btf);
	else
		g_free(bytes);
	return 0;
}
