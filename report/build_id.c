/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * build_id.c - see build_id.h.
 */
#include "report/build_id.h"

#include "lib/foreign.h"

#include <elfutils/libdwelf.h>
#include <string.h>

GBytes *build_id_of_file(int fd)
{
	GBytes *result = NULL;
	size_t size = 0;
	void *p = foreign_map(fd, 0, &size);
	const void *id;
	ssize_t n;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = p ? elf_memory(p, size) : NULL;
	n = elf ? dwelf_elf_gnu_build_id(elf, &id) : -1;
	if (n > 0 && !foreign_cut(p))
		result = g_bytes_new(id, (gsize)n);
	elf_end(elf);
	foreign_unmap(p);
	return result;
}

/* Notes as in an ELF file: sizes of name and description, type; both padded to 4. */
GBytes *build_id_of_notes(const char *path)
{
	GBytes *result = NULL;
	char *notes;
	gsize n;

	if (!g_file_get_contents(path, &notes, &n, NULL))
		return NULL;
	for (gsize at = 0; !result && n - at >= 12; ) {
		guint32 head[3];
		gsize name, desc;

		memcpy(head, notes + at, sizeof(head));
		name = (head[0] + 3) & ~3u;
		desc = (head[1] + 3) & ~3u;
		if (name + desc > n - at - 12)
			break;
		/* NT_GNU_BUILD_ID */
		if (head[2] == 3 && head[0] == 4 && !memcmp(notes + at + 12, "GNU", 4))
			result = g_bytes_new(notes + at + 12 + name, head[1]);
		at += 12 + name + desc;
	}
	g_free(notes);
	return result;
}

GBytes *build_id_of_kernel(void)
{
	return build_id_of_notes("/sys/kernel/notes");
}
