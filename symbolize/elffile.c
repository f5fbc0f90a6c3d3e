/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elffile.c - see elffile.h.
 */
#include "symbolize/elffile.h"

#include "lib/foreign.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int elf_has(const struct elf *e, u64 at, u64 n)
{
	return at <= e->size && n <= e->size - at;
}

int elf_look(struct elf *e, const void *p, u64 size)
{
	*e = (struct elf){ .p = p, .size = size, .eh = p };
	if (size < sizeof(*e->eh) || memcmp(e->eh->e_ident, ELFMAG, SELFMAG) ||
	    e->eh->e_ident[EI_CLASS] != ELFCLASS64 || e->eh->e_ident[EI_DATA] != ELFDATA2LSB ||
	    e->eh->e_phoff & 7 || e->eh->e_shoff & 7 ||
	    !elf_has(e, e->eh->e_phoff, (u64)e->eh->e_phnum * sizeof(Elf64_Phdr)))
		return -1;
	e->ph = (const Elf64_Phdr *)(e->p + e->eh->e_phoff);
	if (e->eh->e_shoff && elf_has(e, e->eh->e_shoff, (u64)e->eh->e_shnum * sizeof(Elf64_Shdr)))
		e->sh = (const Elf64_Shdr *)(e->p + e->eh->e_shoff);
	return 0;
}

void elf_close(struct elf *e)
{
	if (e->mapped)
		foreign_unmap(e->p);
	e->mapped = 0;
}

int elf_cut(const struct elf *e)
{
	return e->mapped && foreign_cut(e->p);
}

int elf_open_fd(struct elf *e, int fd)
{
	/* libelf unpacks compressed sections in place, in a copy of our own. */
	size_t size = 0;
	void *p = foreign_map(fd, 1, &size);

	memset(e, 0, sizeof(*e));
	if (!p)
		return -1;
	if (elf_look(e, p, size)) {
		foreign_unmap(p);
		return -1;
	}
	e->mapped = 1;
	return 0;
}

int elf_open(struct elf *e, const char *path)
{
	int fd = foreign_open(path), rc = elf_open_fd(e, fd);

	if (fd >= 0)
		close(fd);
	return rc;
}

const void *elf_section(const struct elf *e, const char *wanted, u64 *size)
{
	const Elf64_Shdr *names;

	if (!e->sh || e->eh->e_shstrndx >= e->eh->e_shnum)
		return NULL;
	names = &e->sh[e->eh->e_shstrndx];
	if (!names->sh_size || !elf_has(e, names->sh_offset, names->sh_size) ||
	    e->p[names->sh_offset + names->sh_size - 1])
		return NULL;
	for (unsigned i = 0; i < e->eh->e_shnum; i++) {
		const Elf64_Shdr *s = &e->sh[i];

		if (s->sh_type == SHT_NOBITS || s->sh_name >= names->sh_size ||
		    !elf_has(e, s->sh_offset, s->sh_size) ||
		    strcmp((const char *)e->p + names->sh_offset + s->sh_name, wanted))
			continue;
		*size = s->sh_size;
		return e->p + s->sh_offset;
	}
	return NULL;
}

int elf_offset(const struct elf *e, u64 address, u64 *offset)
{
	for (unsigned i = 0; i < e->eh->e_phnum; i++) {
		const Elf64_Phdr *p = &e->ph[i];

		if (p->p_type == PT_LOAD && address >= p->p_vaddr &&
		    address - p->p_vaddr < p->p_filesz) {
			*offset = address - p->p_vaddr + p->p_offset;
			return 0;
		}
	}
	return -1;
}

void elf_note_id(const unsigned char *p, u64 size, char hex[ELF_ID])
{
	u64 at = 0;

	hex[0] = 0;
	while (at + sizeof(Elf64_Nhdr) <= size) {
		const Elf64_Nhdr *n = (const Elf64_Nhdr *)(p + at);
		u64 name = at + sizeof(*n), text = name + ((n->n_namesz + 3ULL) & ~3ULL);

		at = text + ((n->n_descsz + 3ULL) & ~3ULL);
		if (at > size || n->n_type != NT_GNU_BUILD_ID || n->n_namesz != 4 ||
		    memcmp(p + name, "GNU", 4) || n->n_descsz > ELF_ID / 2)
			continue;
		for (unsigned k = 0; k < n->n_descsz; k++)
			sprintf(hex + 2 * k, "%02x", p[text + k]);
		return;
	}
}

void elf_build_id(const struct elf *e, char hex[ELF_ID])
{
	hex[0] = 0;
	for (unsigned i = 0; i < e->eh->e_phnum && !hex[0]; i++) {
		const Elf64_Phdr *p = &e->ph[i];

		if (p->p_type == PT_NOTE && !(p->p_offset & 3) &&
		    elf_has(e, p->p_offset, p->p_filesz))
			elf_note_id(e->p + p->p_offset, p->p_filesz, hex);
	}
}

void elf_kernel_id(char hex[ELF_ID])
{
	unsigned char notes[4096] __attribute__((aligned(4)));
	FILE *f = fopen("/sys/kernel/notes", "re");
	size_t n = f ? fread(notes, 1, sizeof(notes), f) : 0;

	if (f)
		fclose(f);
	elf_note_id(notes, n, hex);
}
