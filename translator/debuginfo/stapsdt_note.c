/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stapsdt_note.c - the notes of <sys/sdt.h> (stapsdt.h): a note has the addresses at link time; the
 * section .stapsdt.base gives the distance that the file has been moved since (prelink).
 */
#include "translator/debuginfo/stapsdt_note.h"

#include "translator/debuginfo/stapsdt.h"
#include "translator/debuginfo/userfile.h"

#include <fnmatch.h>
#include <gelf.h>
#include <string.h>

#define NOTE_TYPE	3

/* The string at offset *at in size bytes; NULL: unterminated. *at is advanced past it. */
static const char *take_text(const char *text, gsize size, gsize *at)
{
	const char *begin = text + *at, *end = *at < size ? memchr(begin, 0, size - *at) : NULL;

	if (end)
		*at += (gsize)(end - begin) + 1;
	return end ? begin : NULL;
}

static int read_mark(const char *description, gsize size, guint64 base_now, struct stapsdt_mark *m)
{
	guint64 addresses[3];		/* the mark, the base, the semaphore */
	gsize at = sizeof(addresses);

	if (size < sizeof(addresses))
		return 0;
	memcpy(addresses, description, sizeof(addresses));
	m->provider = take_text(description, size, &at);
	m->name = m->provider ? take_text(description, size, &at) : NULL;
	m->arguments = m->name ? take_text(description, size, &at) : NULL;
	m->address = addresses[0] + (base_now ? base_now - addresses[1] : 0);
	m->semaphore = addresses[2] ? addresses[2] + (base_now ? base_now - addresses[1] : 0) : 0;
	return m->arguments != NULL;
}

GArray *stapsdt_marks(const struct userfile *f, const char *provider, const char *name)
{
	GArray *found = g_array_new(FALSE, FALSE, sizeof(struct stapsdt_mark));
	GElf_Shdr header;
	guint64 base = userfile_section(f, ".stapsdt.base", &header) ? header.sh_addr : 0;
	Elf_Scn *section = userfile_section(f, ".note.stapsdt", &header);
	Elf_Data *notes = section ? elf_getdata(section, NULL) : NULL;
	size_t at = 0, name_at, description_at;
	struct stapsdt_mark m;
	GElf_Nhdr note;

	while (notes && (at = gelf_getnote(notes, at, &note, &name_at, &description_at))) {
		const char *bytes = notes->d_buf;

		if (note.n_type != NOTE_TYPE || note.n_namesz != sizeof("stapsdt") ||
		    memcmp(bytes + name_at, "stapsdt", sizeof("stapsdt")) ||
		    !read_mark(bytes + description_at, note.n_descsz, base, &m))
			continue;
		if (!fnmatch(name, m.name, 0) && (!provider || !fnmatch(provider, m.provider, 0)))
			g_array_append_val(found, m);
	}
	return found;
}
