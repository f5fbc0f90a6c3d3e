/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * modules.c - see modules.h. A module's file is linked when it is loaded, so its DWARF is linked
 * here, with the addresses of its sections from /sys.
 */
#include "symbolize/modules.h"

#include "symbolize/elffile.h"
#include "symbolize/lines.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define SECTIONS_MAX	1024		/* of a file */

/* One module's file. */
struct module {
	struct module	*next;
	char		name[64];
	struct elf	elf;
	struct lines	*lines;
	/* where a section was loaded; 0: it was not, or its addresses are hidden */
	u64		base[SECTIONS_MAX];
};

struct modules { struct module *first; };

static struct modules *found;		/* during the search: nftw() has no argument for it */
static struct table *table;

static const char *section_name(const struct elf *e, unsigned i)
{
	const Elf64_Shdr *names = &e->sh[e->eh->e_shstrndx];

	return e->sh[i].sh_name < names->sh_size
		       ? (const char *)e->p + names->sh_offset + e->sh[i].sh_name
		       : "";
}

/* ---- linking -------------------------------------------------------------------*/

static void read_bases(struct module *m)
{
	for (unsigned i = 0; i < m->elf.eh->e_shnum; i++) {
		const char *name = section_name(&m->elf, i);
		char path[256];
		FILE *f = NULL;

		if (m->elf.sh[i].sh_flags & SHF_ALLOC && !strchr(name, '/')) {
			snprintf(path, sizeof(path), "/sys/module/%s/sections/%s", m->name, name);
			f = fopen(path, "re");
		}
		if (f) {
			if (fscanf(f, "%llx", &m->base[i]) != 1)
				m->base[i] = 0;
			fclose(f);
		}
	}
}

/* Number of bytes of a DWARF relocation, for an address or an offset. */
static u32 width_of(const struct elf *e, u64 type)
{
	if (e->eh->e_machine == EM_X86_64)
		return type == R_X86_64_64 ? 8 : type == R_X86_64_32 ? 4 : 0;
	return type == R_AARCH64_ABS64 ? 8 : type == R_AARCH64_ABS32 ? 4 : 0;
}

static void relocate(const struct module *m, const Elf64_Shdr *section)
{
	const struct elf *e = &m->elf;
	const Elf64_Shdr *to = &e->sh[section->sh_info], *symbols = &e->sh[section->sh_link];
	u64 n = section->sh_size / sizeof(Elf64_Rela),
	    nsymbols = symbols->sh_size / sizeof(Elf64_Sym);

	if (!elf_has(e, to->sh_offset, to->sh_size) ||
	    !elf_has(e, symbols->sh_offset, symbols->sh_size) || section->sh_offset & 7 ||
	    symbols->sh_offset & 7)
		return;
	for (u64 i = 0; i < n; i++) {
		const Elf64_Rela *r = (const Elf64_Rela *)(e->p + section->sh_offset) + i;
		const Elf64_Sym *s =
			(const Elf64_Sym *)(e->p + symbols->sh_offset) + ELF64_R_SYM(r->r_info);
		u32 width = width_of(e, ELF64_R_TYPE(r->r_info));
		u64 value;

		if (!width || ELF64_R_SYM(r->r_info) >= nsymbols || r->r_offset > to->sh_size ||
		    width > to->sh_size - r->r_offset)
			continue;
		value = s->st_value + (u64)r->r_addend +
			(s->st_shndx < e->eh->e_shnum ? m->base[s->st_shndx] : 0);
		memcpy((u8 *)e->p + to->sh_offset + r->r_offset, &value, width);
	}
}

/* elf_section() found a section, so section names are readable. */
static int link_debug(struct module *m)
{
	const struct elf *e = &m->elf;

	if (e->eh->e_shnum > SECTIONS_MAX)
		return -1;
	read_bases(m);
	for (unsigned i = 0; i < e->eh->e_shnum; i++) {
		const Elf64_Shdr *s = &e->sh[i];

		if (s->sh_type == SHT_RELA && s->sh_info < e->eh->e_shnum &&
		    s->sh_link < e->eh->e_shnum && elf_has(e, s->sh_offset, s->sh_size) &&
		    !strncmp(section_name(e, s->sh_info), ".debug_", 7))
			relocate(m, s);
	}
	return 0;
}

/* Addresses are run-time addresses; sections that were not loaded are near 0. */
static int place_in_module(const void *arg, u64 address, u64 *at)
{
	const struct module *m = arg;

	*at = address;
	for (unsigned i = 0; i < m->elf.eh->e_shnum; i++)
		if (m->base[i] && m->elf.sh[i].sh_flags & SHF_EXECINSTR &&
		    address - m->base[i] < m->elf.sh[i].sh_size)
			return 0;
	return -1;
}

/* ---- finding -------------------------------------------------------------------*/

static int is_loaded_build(const struct module *m)
{
	unsigned char notes[512] __attribute__((aligned(4)));
	char path[160], loaded[ELF_ID] = "", id[ELF_ID] = "";
	const void *own;
	u64 size;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", m->name);
	f = fopen(path, "re");
	if (f) {
		elf_note_id(notes, fread(notes, 1, sizeof(notes), f), loaded);
		fclose(f);
	}
	own = elf_section(&m->elf, ".note.gnu.build-id", &size);
	if (own)
		elf_note_id(own, size, id);
	return *id && !strcmp(id, loaded);
}

/* NAME.ko or NAME.ko.debug, of a loaded module; files may spell '_' as '-'. */
static int name_module(struct module *m, const char *path)
{
	const char *file = strrchr(path, '/') + 1, *end = strstr(file, ".ko");
	char folder[128];

	if (!end || (end[3] && strcmp(end, ".ko.debug")) || end - file >= (long)sizeof(m->name))
		return -1;
	memcpy(m->name, file, (size_t)(end - file));
	for (char *p = m->name; *p; p++)
		*p = *p == '-' ? '_' : *p;
	snprintf(folder, sizeof(folder), "/sys/module/%s/sections", m->name);
	return access(folder, R_OK);
}

static int look(const char *path, const struct stat *st, int type, struct FTW *where)
{
	struct module *m = type == FTW_F && strstr(path, ".ko") ? calloc(1, sizeof(*m)) : NULL;
	u64 size;

	if (!m)
		return 0;
	if (name_module(m, path) || elf_open(&m->elf, path) ||
	    !elf_section(&m->elf, ".debug_line", &size) || !is_loaded_build(m) || link_debug(m)) {
		elf_close(&m->elf);
		free(m);
		return 0;
	}
	m->lines = lines_take(&m->elf, NULL, place_in_module, m, table);
	m->next = found->first;
	found->first = m;
	return 0;
}

struct modules *modules_lines(struct table *b)
{
	static const char *const roots[] = { "/usr/lib/debug/lib/modules/%s", "/lib/modules/%s" };
	struct utsname kernel;
	char path[256];

	found = uname(&kernel) ? NULL : calloc(1, sizeof(*found));
	table = b;
	for (unsigned i = 0; found && i < sizeof(roots) / sizeof(roots[0]); i++) {
		snprintf(path, sizeof(path), roots[i], kernel.release);
		nftw(path, look, 16, FTW_PHYS);
	}
	return found;
}

void modules_close(struct modules *modules)
{
	while (modules && modules->first) {
		struct module *m = modules->first;

		modules->first = m->next;
		lines_close(m->lines);
		elf_close(&m->elf);
		free(m);
	}
	free(modules);
}
