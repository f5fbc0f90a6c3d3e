/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elffile.h - an ELF64 file in memory: sections, segments, build-id. Foreign bytes: nothing in them
 * is trusted.
 */
#ifndef LAPWING_SYMBOLIZE_ELFFILE_H
#define LAPWING_SYMBOLIZE_ELFFILE_H

#include "runtime/rt.h"

#include <elf.h>

struct elf {
	const unsigned char *p;
	u64		size;
	int		mapped;		/* elf_close() unmaps it */
	const Elf64_Ehdr *eh;
	const Elf64_Shdr *sh;		/* NULL: none that can be read */
	const Elf64_Phdr *ph;
};

/* Opens bytes in memory, or a file. 0, or -1: not an ELF file that we can read. */
int elf_look(struct elf *e, const void *p, u64 size);
int elf_open(struct elf *e, const char *path);
int elf_open_fd(struct elf *e, int fd);
void elf_close(struct elf *e);
/*
 * 1: the file was truncated while mapped; bytes beyond its end read as zeros (lib/foreign.h), so
 * results are unreliable.
 */
int elf_cut(const struct elf *e);
/* True if n bytes from offset `at` are inside the file. */
int elf_has(const struct elf *e, u64 at, u64 n);
/* A section's bytes by its name; NULL: none. */
const void *elf_section(const struct elf *e, const char *wanted, u64 *size);
/* The file offset of an address. 0, or -1: not in a loaded segment. */
int elf_offset(const struct elf *e, u64 address, u64 *offset);
#define ELF_ID 65
/*
 * The build-id in hexadecimal; "" without. elf_note_id(): from `size` bytes of notes at p, aligned
 * to 4.
 */
void elf_build_id(const struct elf *e, char hex[ELF_ID]);
void elf_note_id(const unsigned char *p, u64 size, char hex[ELF_ID]);
/* The build-id of the running kernel. */
void elf_kernel_id(char hex[ELF_ID]);

#endif
