/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symfile.c - symbol tables of ELF files; see symfile.h. Those of the kernel are in kernel.c, those
 * of generated code in jit.c.
 */
#include "symbolize/symfile.h"

#include "symbolize/callers.h"
#include "symbolize/cfi.h"
#include "symbolize/debugfile.h"
#include "symbolize/elffile.h"
#include "symbolize/lines.h"
#include "symbolize/table.h"
#include "symbolize/xz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/*
 * A stripped library names only what it exports: code between two exported functions is shown as
 * "a->b", so that it can still be grouped. The caller frees the new names (rank -1).
 */
static void bridge(struct table *b, u64 start, u64 end)
{
	size_t n = b->n;
	char *first = NULL;

	if (n && start < b->sym[0].start && asprintf(&first, "->%s", b->sym[0].name) > 0 &&
	    table_add(b, start, b->sym[0].start - start, first, NULL, -1))
		free(first);

	for (size_t i = 0; i < n; i++) {
		u64 from = b->sym[i].start + b->sym[i].size,
		    to = i + 1 < n ? b->sym[i + 1].start : end;
		char *name = NULL;

		if (from < to &&
		    asprintf(&name, "%s->%s", b->sym[i].name, i + 1 < n ? b->sym[i + 1].name : "") >
			    0 &&
		    table_add(b, from, to - from, name, NULL, -1))
			free(name);
	}
	table_tidy(b);
}

/* ---- symbols of one file -----------------------------------------------------*/

/*
 * Limits of what is read of one image, above what any program has. A malicious file may be made to
 * keep us busy forever, or to use all memory.
 */
#define ENTRIES_MAX	(64u << 20)	/* of symbol sections */
#define FUNCTIONS_MAX	(8u << 20)
#define NAMES_MAX	(256u << 20)	/* bytes */
#define NAME_MAX	(64u << 10)

static int is_enough(const struct table *b)
{
	return b->looked >= ENTRIES_MAX || b->n >= FUNCTIONS_MAX || b->text >= NAMES_MAX;
}

/*
 * Adds all functions of one symbol section. image: the file that is executed, whose segments map an
 * address to its file offset.
 */
static void take_section(const struct elf *e, const Elf64_Shdr *sec, const struct elf *image,
			 struct table *b)
{
	const Elf64_Shdr *strings;
	const Elf64_Sym *sym;

	if (sec->sh_link >= e->eh->e_shnum || sec->sh_offset & 7 ||
	    !elf_has(e, sec->sh_offset, sec->sh_size))
		return;
	strings = &e->sh[sec->sh_link];
	if (!strings->sh_size || !elf_has(e, strings->sh_offset, strings->sh_size) ||
	    e->p[strings->sh_offset + strings->sh_size - 1])
		return;
	sym = (const Elf64_Sym *)(e->p + sec->sh_offset);
	for (u64 i = 0; i < sec->sh_size / sizeof(*sym) && !is_enough(b); i++) {
		int type = ELF64_ST_TYPE(sym[i].st_info);
		const char *name = (const char *)e->p + strings->sh_offset + sym[i].st_name;
		size_t len;
		u64 at;

		b->looked++;
		if ((type != STT_FUNC && type != STT_GNU_IFUNC) || sym[i].st_shndx == SHN_UNDEF ||
		    sym[i].st_name >= strings->sh_size)
			continue;
		len = elf_offset(image, sym[i].st_value, &at) ? 0 : strnlen(name, NAME_MAX);
		if (!len || len == NAME_MAX)
			continue;
		b->text += len;
		table_add(b, at, sym[i].st_size, name, NULL,
			  ELF64_ST_BIND(sym[i].st_info) == STB_GLOBAL);
	}
}

static int take_type(const struct elf *e, unsigned type, const struct elf *image, struct table *b)
{
	size_t before = b->n;

	for (unsigned i = 0; e->sh && i < e->eh->e_shnum; i++)
		if (e->sh[i].sh_type == type)
			take_section(e, &e->sh[i], image, b);
	return b->n > before;
}

/* File offsets of the executable part. */
static void code_bounds(const struct elf *e, u64 *start, u64 *end)
{
	*start = ~0ULL;
	*end = 0;
	for (unsigned i = 0; i < e->eh->e_phnum; i++) {
		const Elf64_Phdr *p = &e->ph[i];

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X) || p->p_filesz > e->size)
			continue;
		if (p->p_offset < *start)
			*start = p->p_offset;
		if (p->p_offset + p->p_filesz > *end)
			*end = p->p_offset + p->p_filesz;
	}
}

/* ---- whole files ----------------------------------------------------------------*/

/*
 * .gnu_debugdata: the symbols that a distribution kept, compressed. The caller frees *bytes.
 */
static int open_minidebug(struct elf *debug, const struct elf *image, void **bytes)
{
	u64 size = 0, whole = 0;
	const void *packed = elf_section(image, ".gnu_debugdata", &size);

	*bytes = packed ? xz_unpack(packed, size, &whole) : NULL;
	return *bytes ? elf_look(debug, *bytes, whole) : -1;
}

static int place_in_image(const void *image, u64 address, u64 *offset)
{
	return elf_offset(image, address, offset);
}

/* The files that a table is made from. */
struct sources {
	const struct elf *image;
	const char	*root, *shown;
	struct elf	debug, alt;	/* debug.p NULL: not searched yet, or none */
	char		path[DEBUGFILE_PATH];	/* of debug */
	void		*unpacked;	/* of .gnu_debugdata */
};

static int open_debug(struct sources *s)
{
	return debugfile_open(&s->debug, s->image, s->root, s->shown, s->path);
}

/*
 * Lines of the file itself, or of its separate debug file, which may be open already. NULL: none.
 */
static struct lines *take_dwarf(struct sources *s, struct table *b)
{
	char own[DEBUGFILE_PATH];
	const struct elf *from = s->image;
	u64 size;

	snprintf(own, sizeof(own), "%s%s", s->root, s->shown);
	if (!elf_section(s->image, ".debug_line", &size))
		from = s->debug.p || !open_debug(s) ? &s->debug : NULL;
	if (!from ||
	    debugfile_open_alt(&s->alt, from, s->root, from == s->image ? own : s->path) < 0)
		return NULL;
	return lines_take(from, s->alt.p ? &s->alt : NULL, place_in_image, s->image, b);
}

/*
 * .symtab of the file, or of its separate debug file; else .dynsym and .gnu_debugdata.
 */
static void take_functions(struct sources *s, struct table *b)
{
	const struct elf *image = s->image;
	struct elf mini;
	u64 start, end;
	int more;

	if (take_type(image, SHT_SYMTAB, image, b) ||
	    (!open_debug(s) && take_type(&s->debug, SHT_SYMTAB, image, b)))
		return;
	more = !open_minidebug(&mini, image, &s->unpacked) &&
	       take_type(&mini, SHT_SYMTAB, image, b);
	take_type(image, SHT_DYNSYM, image, b);
	table_tidy(b);
	code_bounds(image, &start, &end);
	if (!more)
		bridge(b, start, end);
}

static u64 next_function(const void *image, u64 start)
{
	const struct elf *e = image;

	return cfi_next(e->p, e->size, start);
}

static struct wire_symtab *make(const struct elf *image, const char *root, const char *shown,
				u32 with, u64 *bytes)
{
	struct sources s = { .image = image, .root = root, .shown = shown };
	struct lines *lines = NULL;
	struct table b = { .versions = 1, .next = next_function, .of = image };
	struct wire_symtab *t;

	take_functions(&s, &b);
	if (with & SYMFILE_CALLERS)
		callers_take(image, &b);
	if (with & SYMFILE_LINES)
		lines = take_dwarf(&s, &b);
	t = table_finish(&b, shown, bytes);
	lines_close(lines);
	for (size_t i = 0; i < b.n; i++)
		if (b.sym[i].rank < 0)
			free((char *)b.sym[i].name);
	table_free(&b);
	free(s.unpacked);
	/* an incomplete table gives wrong names */
	if (elf_cut(image) || elf_cut(&s.debug) || elf_cut(&s.alt)) {
		free(t);
		t = NULL;
	}
	elf_close(&s.debug);
	elf_close(&s.alt);
	return t;
}

struct wire_symtab *symfile_elf(int fd, const char *root, const char *shown, u32 with, u64 *bytes)
{
	struct wire_symtab *t;
	struct elf e;

	if (elf_open_fd(&e, fd))
		return NULL;
	t = make(&e, root, shown, with, bytes);
	elf_close(&e);
	return t;
}

const u8 *symfile_vdso_bytes(u64 *size)
{
	const Elf64_Ehdr *eh = (const Elf64_Ehdr *)getauxval(AT_SYSINFO_EHDR);

	/* Two pages; the section headers are at its end. */
	if (!eh || eh->e_shnum > 256 || eh->e_shoff > 65536)
		return NULL;
	*size = eh->e_shoff + eh->e_shnum * sizeof(Elf64_Shdr);
	return (const u8 *)eh;
}

struct wire_symtab *symfile_vdso(u32 with, u64 *bytes)
{
	u64 size = 0;
	const u8 *p = symfile_vdso_bytes(&size);
	struct elf e;

	return p && !elf_look(&e, p, size) ? make(&e, "", "[vdso]", with & SYMFILE_CALLERS, bytes)
					   : NULL;
}
