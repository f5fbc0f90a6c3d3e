/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symfile.c - symbol tables of ELF files; see symfile.h. The kernel's are in kernel.c, those of code that programs made in jit.c.
 */
#include "runtime/elf/symfile.h"

#include "runtime/elf/callers.h"
#include "runtime/elf/elffile.h"
#include "runtime/elf/lines.h"
#include "runtime/elf/table.h"
#include "runtime/elf/xz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/*
 * A stripped library names only what it exports: code between two exported functions is shown as "a->b", so that it still groups.
 * The new names are the caller's to free (rank -1).
 */
static void bridge(struct table *b, u64 start, u64 end)
{
	size_t n = b->n;
	char *first = NULL;

	if (n && start < b->sym[0].start && asprintf(&first, "->%s", b->sym[0].name) > 0 &&
	    table_add(b, start, b->sym[0].start - start, first, NULL, -1))
		free(first);

	for (size_t i = 0; i < n; i++) {
		u64 from = b->sym[i].start + b->sym[i].size, to = i + 1 < n ? b->sym[i + 1].start : end;
		char *name = NULL;

		if (from < to && asprintf(&name, "%s->%s", b->sym[i].name, i + 1 < n ? b->sym[i + 1].name : "") > 0 &&
		    table_add(b, from, to - from, name, NULL, -1))
			free(name);
	}
	table_tidy(b);
}

/* ---- symbols of one file -----------------------------------------------------*/

/* All functions of one symbol section. image: the file that runs, whose segments say where in it an address is. */
static void take_section(const struct elf *e, const Elf64_Shdr *sec, const struct elf *image, struct table *b)
{
	const Elf64_Shdr *strings;
	const Elf64_Sym *sym;

	if (sec->sh_link >= e->eh->e_shnum || sec->sh_offset & 7 || !elf_has(e, sec->sh_offset, sec->sh_size))
		return;
	strings = &e->sh[sec->sh_link];
	if (!strings->sh_size || !elf_has(e, strings->sh_offset, strings->sh_size) || e->p[strings->sh_offset + strings->sh_size - 1])
		return;
	sym = (const Elf64_Sym *)(e->p + sec->sh_offset);
	for (u64 i = 0; i < sec->sh_size / sizeof(*sym); i++) {
		int type = ELF64_ST_TYPE(sym[i].st_info);
		u64 at;

		if ((type != STT_FUNC && type != STT_GNU_IFUNC) || sym[i].st_shndx == SHN_UNDEF || sym[i].st_name >= strings->sh_size)
			continue;
		if (elf_offset(image, sym[i].st_value, &at) || !e->p[strings->sh_offset + sym[i].st_name])
			continue;
		table_add(b, at, sym[i].st_size, (const char *)e->p + strings->sh_offset + sym[i].st_name, NULL,
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

/* File offsets where the executable part begins and ends. */
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

/* ---- where stripped symbols went -------------------------------------------------*/

static u32 crc32_of(const unsigned char *p, u64 n)
{
	u32 crc = ~0U;

	while (n--) {
		crc ^= *p++;
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320U : 0);
	}
	return ~crc;
}

/* 0: the file at a path says that it is of the image with this build-id. */
static int open_checked(struct elf *debug, const char *path, const char *id)
{
	char other[ELF_ID];

	if (elf_open(debug, path))
		return -1;
	elf_build_id(debug, other);
	if (!strcmp(id, other))
		return 0;
	elf_close(debug);
	return -1;
}

/* What debuginfod's own program or library has fetched before. The network is never asked. */
static int open_fetched(struct elf *debug, const char *id)
{
	const char *folder = getenv("DEBUGINFOD_CACHE_PATH"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char path[1024];

	if (folder)
		snprintf(path, sizeof(path), "%s/%s/debuginfo", folder, id);
	else if (cache)
		snprintf(path, sizeof(path), "%s/debuginfod_client/%s/debuginfo", cache, id);
	else
		snprintf(path, sizeof(path), "%s/.cache/debuginfod_client/%s/debuginfo", home ? home : "", id);
	return open_checked(debug, path, id);
}

/* A file of debug information that says it belongs to image; root: what its paths are below, "" ours. */
static int open_by_id(struct elf *debug, const struct elf *image, const char *root)
{
	char id[ELF_ID], path[512];

	elf_build_id(image, id);
	if (strlen(id) < 4)
		return -1;
	snprintf(path, sizeof(path), "%s/usr/lib/debug/.build-id/%.2s/%s.debug", root, id, id + 2);
	return !open_checked(debug, path, id) || (!*root && !open_fetched(debug, id)) ? 0 : -1;
}

static int open_by_link(struct elf *debug, const struct elf *image, const char *root, const char *shown)
{
	static const char *const places[] = { "%s%.*s/%s", "%s%.*s/.debug/%s", "%s/usr/lib/debug%.*s/%s" };
	const char *slash = strrchr(shown, '/');
	u64 size = 0;
	const char *name = elf_section(image, ".gnu_debuglink", &size);
	u32 crc;

	if (!name || !slash || size < 8 || !memchr(name, 0, size - 4))
		return -1;
	memcpy(&crc, name + size - 4, 4);
	for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char path[1024];

		snprintf(path, sizeof(path), places[i], root, (int)(slash - shown), shown, name);
		if (elf_open(debug, path))
			continue;
		if (crc32_of(debug->p, debug->size) == crc)
			return 0;
		elf_close(debug);
	}
	return -1;
}

static int open_debug(struct elf *debug, const struct elf *image, const char *root, const char *shown)
{
	if (!open_by_id(debug, image, root) || !open_by_link(debug, image, root, shown))
		return 0;
	return *root && (!open_by_id(debug, image, "") || !open_by_link(debug, image, "", shown)) ? 0 : -1;
}

/* .gnu_debugdata: the symbols that a distribution left in, compressed. *bytes is the caller's to free. */
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

/* Lines of the file itself, or of its separate file of debug information, which may be open already. NULL: none. */
static struct lines *take_dwarf(const struct elf *image, struct elf *debug, const char *root, const char *shown, struct table *b)
{
	const struct elf *from = image;
	u64 size;

	if (!elf_section(image, ".debug_line", &size))
		from = debug->p || !open_debug(debug, image, root, shown) ? debug : NULL;
	return from ? lines_take((void *)from->p, from->size, place_in_image, image, b) : NULL;
}

/* .symtab of the file, or of the file its symbols were moved to; else what it exports and what was left beside it. */
static struct wire_symtab *make(const struct elf *image, const char *root, const char *shown, u32 with, u64 *bytes)
{
	struct lines *lines = NULL;
	struct elf debug = { 0 };
	struct table b = { .versions = 1 };
	struct wire_symtab *t;
	void *unpacked = NULL;
	u64 start, end;

	if (!take_type(image, SHT_SYMTAB, image, &b) && (open_debug(&debug, image, root, shown) ||
							 !take_type(&debug, SHT_SYMTAB, image, &b))) {
		int more = !open_minidebug(&debug, image, &unpacked) && take_type(&debug, SHT_SYMTAB, image, &b);

		take_type(image, SHT_DYNSYM, image, &b);
		table_tidy(&b);
		code_bounds(image, &start, &end);
		if (!more)
			bridge(&b, start, end);
	}
	if (with & SYMFILE_CALLERS)
		callers_take(image, &b);
	if (with & SYMFILE_LINES)
		lines = take_dwarf(image, &debug, root, shown, &b);
	t = table_finish(&b, shown, bytes);
	lines_close(lines);
	for (size_t i = 0; i < b.n; i++)
		if (b.sym[i].rank < 0)
			free((char *)b.sym[i].name);
	table_free(&b);
	free(unpacked);
	elf_close(&debug);
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

	/* Two pages; its last part is the section headers. */
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

	return p && !elf_look(&e, p, size) ? make(&e, "", "[vdso]", with & SYMFILE_CALLERS, bytes) : NULL;
}
