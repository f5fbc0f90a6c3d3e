/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symfile.c - symbol tables of ELF files and of the kernel; see symfile.h.
 */
#include "runtime/elf/symfile.h"

#include "lib/ksyms.h"
#include "runtime/elf/table.h"
#include "runtime/elf/xz.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
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

/* ---- ELF --------------------------------------------------------------------*/

struct elf {
	const unsigned char *p;
	u64		size;
	int		mapped;		/* ours to unmap */
	const Elf64_Ehdr *eh;
	const Elf64_Shdr *sh;		/* NULL: none that can be read */
	const Elf64_Phdr *ph;
};

static int inside(const struct elf *e, u64 at, u64 n)
{
	return at <= e->size && n <= e->size - at;
}

/* Bytes from anywhere. 0, or -1: no ELF file that we can read. */
static int elf_look(struct elf *e, const void *p, u64 size)
{
	*e = (struct elf){ .p = p, .size = size, .eh = p };
	if (size < sizeof(*e->eh) || memcmp(e->eh->e_ident, ELFMAG, SELFMAG) || e->eh->e_ident[EI_CLASS] != ELFCLASS64 ||
	    e->eh->e_ident[EI_DATA] != ELFDATA2LSB || e->eh->e_phoff & 7 || e->eh->e_shoff & 7 ||
	    !inside(e, e->eh->e_phoff, (u64)e->eh->e_phnum * sizeof(Elf64_Phdr)))
		return -1;
	e->ph = (const Elf64_Phdr *)(e->p + e->eh->e_phoff);
	if (e->eh->e_shoff && inside(e, e->eh->e_shoff, (u64)e->eh->e_shnum * sizeof(Elf64_Shdr)))
		e->sh = (const Elf64_Shdr *)(e->p + e->eh->e_shoff);
	return 0;
}

static void elf_close(struct elf *e)
{
	if (e->mapped)
		munmap((void *)e->p, e->size);
	e->mapped = 0;
}

static int elf_open_fd(struct elf *e, int fd)
{
	struct stat st;
	void *p;

	memset(e, 0, sizeof(*e));
	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size < (off_t)sizeof(Elf64_Ehdr))
		return -1;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return -1;
	if (elf_look(e, p, (u64)st.st_size)) {
		munmap(p, (size_t)st.st_size);
		return -1;
	}
	e->mapped = 1;
	return 0;
}

static int elf_open(struct elf *e, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = elf_open_fd(e, fd);

	if (fd >= 0)
		close(fd);
	return rc;
}

/* A section's bytes by its name; NULL: none. */
static const void *elf_section(const struct elf *e, const char *wanted, u64 *size)
{
	const Elf64_Shdr *names;

	if (!e->sh || e->eh->e_shstrndx >= e->eh->e_shnum)
		return NULL;
	names = &e->sh[e->eh->e_shstrndx];
	if (!names->sh_size || !inside(e, names->sh_offset, names->sh_size) || e->p[names->sh_offset + names->sh_size - 1])
		return NULL;
	for (unsigned i = 0; i < e->eh->e_shnum; i++) {
		const Elf64_Shdr *s = &e->sh[i];

		if (s->sh_type == SHT_NOBITS || s->sh_name >= names->sh_size || !inside(e, s->sh_offset, s->sh_size) ||
		    strcmp((const char *)e->p + names->sh_offset + s->sh_name, wanted))
			continue;
		*size = s->sh_size;
		return e->p + s->sh_offset;
	}
	return NULL;
}

static int file_offset(const struct elf *e, u64 address, u64 *offset)
{
	for (unsigned i = 0; i < e->eh->e_phnum; i++) {
		const Elf64_Phdr *p = &e->ph[i];

		if (p->p_type == PT_LOAD && address >= p->p_vaddr && address - p->p_vaddr < p->p_filesz) {
			*offset = address - p->p_vaddr + p->p_offset;
			return 0;
		}
	}
	return -1;
}

/* All functions of one symbol section. image: the file that runs, whose segments say where in it an address is. */
static void take_section(const struct elf *e, const Elf64_Shdr *sec, const struct elf *image, struct table *b)
{
	const Elf64_Shdr *strings;
	const Elf64_Sym *sym;

	if (sec->sh_link >= e->eh->e_shnum || sec->sh_offset & 7 || !inside(e, sec->sh_offset, sec->sh_size))
		return;
	strings = &e->sh[sec->sh_link];
	if (!strings->sh_size || !inside(e, strings->sh_offset, strings->sh_size) || e->p[strings->sh_offset + strings->sh_size - 1])
		return;
	sym = (const Elf64_Sym *)(e->p + sec->sh_offset);
	for (u64 i = 0; i < sec->sh_size / sizeof(*sym); i++) {
		int type = ELF64_ST_TYPE(sym[i].st_info);
		u64 at;

		if ((type != STT_FUNC && type != STT_GNU_IFUNC) || sym[i].st_shndx == SHN_UNDEF || sym[i].st_name >= strings->sh_size)
			continue;
		if (file_offset(image, sym[i].st_value, &at) || !e->p[strings->sh_offset + sym[i].st_name])
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

/* The build-id in hexadecimal; "" without. */
static void build_id(const struct elf *e, char hex[2 * 32 + 1])
{
	hex[0] = 0;
	for (unsigned i = 0; i < e->eh->e_phnum; i++) {
		u64 at = e->ph[i].p_offset, end = at + e->ph[i].p_filesz;

		if (e->ph[i].p_type != PT_NOTE || end < at || !inside(e, at, end - at))
			continue;
		while (at + sizeof(Elf64_Nhdr) <= end && !(at & 3)) {
			const Elf64_Nhdr *n = (const Elf64_Nhdr *)(e->p + at);
			u64 name = at + sizeof(*n), text = name + ((n->n_namesz + 3ULL) & ~3ULL);

			at = text + ((n->n_descsz + 3ULL) & ~3ULL);
			if (at > end || n->n_type != NT_GNU_BUILD_ID || n->n_namesz != 4 || memcmp(e->p + name, "GNU", 4) || n->n_descsz > 32)
				continue;
			for (unsigned k = 0; k < n->n_descsz; k++)
				sprintf(hex + 2 * k, "%02x", e->p[text + k]);
			return;
		}
	}
}

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

/* A file of debug information that says it belongs to image; root: what its paths are below, "" ours. */
static int open_by_id(struct elf *debug, const struct elf *image, const char *root)
{
	char id[2 * 32 + 1], path[512], other[2 * 32 + 1];

	build_id(image, id);
	if (strlen(id) < 4)
		return -1;
	snprintf(path, sizeof(path), "%s/usr/lib/debug/.build-id/%.2s/%s.debug", root, id, id + 2);
	if (elf_open(debug, path))
		return -1;
	build_id(debug, other);
	if (!strcmp(id, other))
		return 0;
	elf_close(debug);
	return -1;
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

/* .symtab of the file, or of the file its symbols were moved to; else what it exports and what was left beside it. */
static struct wire_symtab *make(const struct elf *image, const char *root, const char *shown, u64 *bytes)
{
	struct elf debug = { 0 };
	struct table b = { 0 };
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
	t = table_finish(&b, shown, bytes);
	for (size_t i = 0; i < b.n; i++)
		if (b.sym[i].rank < 0)
			free((char *)b.sym[i].name);
	free(b.sym);
	free(unpacked);
	elf_close(&debug);
	return t;
}

struct wire_symtab *symfile_elf(int fd, const char *root, const char *shown, u64 *bytes)
{
	struct wire_symtab *t;
	struct elf e;

	if (elf_open_fd(&e, fd))
		return NULL;
	t = make(&e, root, shown, bytes);
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

struct wire_symtab *symfile_vdso(u64 *bytes)
{
	u64 size = 0;
	const u8 *p = symfile_vdso_bytes(&size);
	struct elf e;

	return p && !elf_look(&e, p, size) ? make(&e, "", "[vdso]", bytes) : NULL;
}

/* ---- the kernel ----------------------------------------------------------------*/

struct wire_symtab *symfile_kernel(u64 *bytes)
{
	struct ksyms *k = ksyms_open_running(0);
	struct table b = { 0 };
	struct wire_symtab *t = NULL;

	for (u32 i = 0; k && i < k->n; i++) {
		const struct ksym *s = &k->sym[i];
		const char *name = k->text + s->name;

		/* Padding in front of functions and arm64's mapping symbols are not functions. */
		if (s->address && name[0] != '$' && strncmp(name, "__pfx_", 6) && strncmp(name, "__cfi_", 6))
			table_add(&b, s->address, 0, name, s->module ? k->text + s->module : NULL, 0);
	}
	if (b.n)
		t = table_finish(&b, "kernel", bytes);
	free(b.sym);
	ksyms_close(k);
	return t;
}

static void take_address(struct symfile_want *w, u64 address, int *hidden)
{
	*hidden |= !address;
	if (address && w->n < sizeof(w->addresses) / sizeof(w->addresses[0]))
		w->addresses[w->n++] = address;
}

/* Variables are not in the kept table, and few scripts ask for any: kallsyms is read for them. */
static void resolve_data(struct symfile_want *wants, unsigned n, int *hidden)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	char *line = NULL, name[128], module[128];
	size_t room = 0;
	u64 address;

	while (f && getline(&line, &room, f) > 0) {
		*module = 0;
		if (sscanf(line, "%llx %*c %127s [%127[^]]", &address, name, module) < 2)
			continue;
		for (struct symfile_want *w = wants; w < wants + n; w++)
			if (w->is_data && !w->n && !strcmp(w->name, name) && (!w->module || !strcmp(w->module, module)))
				take_address(w, address, hidden);
	}
	free(line);
	if (f)
		fclose(f);
}

int symfile_resolve(struct symfile_want *wants, unsigned n)
{
	struct ksyms *k = ksyms_open_running(0);
	int hidden = 0, data = 0;

	if (!k)
		return -1;
	for (struct symfile_want *w = wants; w < wants + n; w++) {
		data |= w->is_data;
		for (const struct ksym *s = w->is_data ? NULL : ksyms_find(k, w->name); s; s = ksyms_again(k, s))
			if (!w->module || (s->module && !strcmp(w->module, k->text + s->module)))
				take_address(w, s->address, &hidden);
	}
	ksyms_close(k);
	if (data)
		resolve_data(wants, n, &hidden);
	return hidden ? -2 : 0;
}
