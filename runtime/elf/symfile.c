/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symfile.c - symbol tables of ELF files and of the kernel; see symfile.h.
 */
#include "runtime/elf/symfile.h"

#include "lib/ksyms.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A table under construction. */
struct builder {
	struct symbol {
		u64		start, size;
		const char	*name, *module;
		int		rank;		/* which of several names at one address */
	} *sym;
	size_t	n, room;
};

static int add(struct builder *b, u64 start, u64 size, const char *name, const char *module, int rank)
{
	if (b->n == b->room) {
		size_t room = b->room ? 2 * b->room : 1024;
		struct symbol *more = realloc(b->sym, room * sizeof(*more));

		if (!more)
			return -1;
		b->sym = more;
		b->room = room;
	}
	b->sym[b->n++] = (struct symbol){ start, size, name, module, rank };
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct symbol *s = a, *t = b;

	if (s->start != t->start)
		return s->start < t->start ? -1 : 1;
	return s->rank != t->rank ? t->rank - s->rank : strcmp(s->name, t->name);
}

/* Sorts, keeps one name an address, gives sizeless symbols the room up to the next. */
static void tidy(struct builder *b)
{
	size_t k = 0;

	if (!b->n)
		return;
	qsort(b->sym, b->n, sizeof(*b->sym), by_start);
	for (size_t i = 1; i < b->n; i++)
		if (b->sym[i].start != b->sym[k].start)
			b->sym[++k] = b->sym[i];
	b->n = k + 1;
	for (size_t i = 0; i + 1 < b->n; i++)
		if (!b->sym[i].size)
			b->sym[i].size = b->sym[i + 1].start - b->sym[i].start;
}

/*
 * A stripped library names only what it exports: code between two exported functions is shown as "a->b", so that it still groups.
 * The new names are the caller's to free (rank -1).
 */
static void bridge(struct builder *b, u64 end)
{
	size_t n = b->n;

	for (size_t i = 0; i < n; i++) {
		u64 from = b->sym[i].start + b->sym[i].size, to = i + 1 < n ? b->sym[i + 1].start : end;
		char *name = NULL;

		if (from < to && asprintf(&name, "%s->%s", b->sym[i].name, i + 1 < n ? b->sym[i + 1].name : "") > 0 &&
		    add(b, from, to - from, name, NULL, -1))
			free(name);
	}
	tidy(b);
}

static u32 put(char *names, u64 *at, u32 base, const char *text)
{
	u32 offset = base + (u32)*at;

	strcpy(names + *at, text);
	*at += strlen(text) + 1;
	return offset;
}

/* The finished table: header, symbols, the path, names. */
static struct wire_symtab *finish(struct builder *b, const char *path, u64 *bytes)
{
	u64 text = strlen(path) + 1, at = 0, base = sizeof(struct wire_symtab) + b->n * sizeof(struct wire_symbol);
	struct wire_symtab *t;
	struct wire_symbol *s;
	const char *module = NULL;
	u32 module_at = 0;
	char *names;

	tidy(b);
	for (size_t i = 0; i < b->n; i++)
		text += strlen(b->sym[i].name) + 1 + (b->sym[i].module ? strlen(b->sym[i].module) + 1 : 0);
	base = sizeof(*t) + b->n * sizeof(*s);
	if (base + text > ~0U)
		return NULL;
	t = calloc(1, base + text);
	if (!t)
		return NULL;
	s = (struct wire_symbol *)(t + 1);
	names = (char *)t + base;
	t->nsyms = (u32)b->n;
	t->names = (u32)base;
	put(names, &at, (u32)base, path);
	for (size_t i = 0; i < b->n; i++) {
		const struct symbol *from = &b->sym[i];

		s[i].start = from->start;
		s[i].size = from->size > ~0U ? ~0U : (u32)from->size;
		s[i].name = put(names, &at, (u32)base, from->name);
		if (!from->module)
			continue;
		if (!module || strcmp(module, from->module)) {
			module = from->module;
			module_at = put(names, &at, (u32)base, module);
		}
		s[i].module = module_at;
	}
	*bytes = base + at;
	return t;
}

/* ---- ELF --------------------------------------------------------------------*/

struct image {
	const unsigned char *p;
	u64		size;
	const Elf64_Ehdr *eh;
	const Elf64_Shdr *sh;
	const Elf64_Phdr *ph;
};

static int inside(const struct image *im, u64 at, u64 n)
{
	return at <= im->size && n <= im->size - at;
}

static int open_image(struct image *im, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	memset(im, 0, sizeof(*im));
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size < (off_t)sizeof(Elf64_Ehdr)) {
		close(fd);
		return -1;
	}
	im->size = (u64)st.st_size;
	im->p = mmap(NULL, im->size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (im->p == MAP_FAILED)
		return -1;
	im->eh = (const Elf64_Ehdr *)im->p;
	if (!memcmp(im->eh->e_ident, ELFMAG, SELFMAG) && im->eh->e_ident[EI_CLASS] == ELFCLASS64 &&
	    im->eh->e_ident[EI_DATA] == ELFDATA2LSB && !(im->eh->e_phoff & 7) && !(im->eh->e_shoff & 7) &&
	    inside(im, im->eh->e_phoff, (u64)im->eh->e_phnum * sizeof(Elf64_Phdr))) {
		im->ph = (const Elf64_Phdr *)(im->p + im->eh->e_phoff);
		if (inside(im, im->eh->e_shoff, (u64)im->eh->e_shnum * sizeof(Elf64_Shdr)))
			im->sh = (const Elf64_Shdr *)(im->p + im->eh->e_shoff);
		return 0;
	}
	munmap((void *)im->p, im->size);
	return -1;
}

static int file_offset(const struct image *im, u64 address, u64 *offset)
{
	for (unsigned i = 0; i < im->eh->e_phnum; i++) {
		const Elf64_Phdr *p = &im->ph[i];

		if (p->p_type == PT_LOAD && address >= p->p_vaddr && address - p->p_vaddr < p->p_filesz) {
			*offset = address - p->p_vaddr + p->p_offset;
			return 0;
		}
	}
	return -1;
}

/* All functions of one symbol section. */
static void take_section(const struct image *im, const Elf64_Shdr *sec, struct builder *b)
{
	const Elf64_Shdr *strings;
	const Elf64_Sym *sym;

	if (sec->sh_link >= im->eh->e_shnum || (sec->sh_offset & 7) || !inside(im, sec->sh_offset, sec->sh_size))
		return;
	strings = &im->sh[sec->sh_link];
	if (!strings->sh_size || !inside(im, strings->sh_offset, strings->sh_size) ||
	    im->p[strings->sh_offset + strings->sh_size - 1])
		return;
	sym = (const Elf64_Sym *)(im->p + sec->sh_offset);
	for (u64 i = 0; i < sec->sh_size / sizeof(*sym); i++) {
		int type = ELF64_ST_TYPE(sym[i].st_info);
		u64 at;

		if ((type != STT_FUNC && type != STT_GNU_IFUNC) || sym[i].st_shndx == SHN_UNDEF || sym[i].st_name >= strings->sh_size)
			continue;
		if (file_offset(im, sym[i].st_value, &at) || !im->p[strings->sh_offset + sym[i].st_name])
			continue;
		add(b, at, sym[i].st_size, (const char *)im->p + strings->sh_offset + sym[i].st_name, NULL,
		    ELF64_ST_BIND(sym[i].st_info) == STB_GLOBAL);
	}
}

/* File offset where the executable part ends. */
static u64 code_end(const struct image *im)
{
	u64 end = 0;

	for (unsigned i = 0; i < im->eh->e_phnum; i++)
		if (im->ph[i].p_type == PT_LOAD && im->ph[i].p_flags & PF_X && im->ph[i].p_filesz <= im->size &&
		    im->ph[i].p_offset + im->ph[i].p_filesz > end)
			end = im->ph[i].p_offset + im->ph[i].p_filesz;
	return end;
}

struct wire_symtab *symfile_elf(const char *path, const char *shown, u64 *bytes)
{
	static const unsigned types[] = { SHT_SYMTAB, SHT_DYNSYM };
	struct builder b = { 0 };
	struct wire_symtab *t;
	struct image im;
	int stripped = 0;

	if (open_image(&im, path))
		return NULL;
	for (int k = 0; im.sh && k < 2 && !b.n; k++) {
		stripped = k;
		for (unsigned i = 0; i < im.eh->e_shnum; i++)
			if (im.sh[i].sh_type == types[k])
				take_section(&im, &im.sh[i], &b);
	}
	tidy(&b);
	if (stripped)
		bridge(&b, code_end(&im));
	t = finish(&b, shown, bytes);
	for (size_t i = 0; i < b.n; i++)
		if (b.sym[i].rank < 0)
			free((char *)b.sym[i].name);
	free(b.sym);
	munmap((void *)im.p, im.size);
	return t;
}

/* ---- the kernel ----------------------------------------------------------------*/

struct wire_symtab *symfile_kernel(u64 *bytes)
{
	struct ksyms *k = ksyms_open_running(0);
	struct builder b = { 0 };
	struct wire_symtab *t = NULL;

	for (u32 i = 0; k && i < k->n; i++) {
		const struct ksym *s = &k->sym[i];
		const char *name = k->text + s->name;

		/* Padding in front of functions and arm64's mapping symbols are not functions. */
		if (s->address && name[0] != '$' && strncmp(name, "__pfx_", 6) && strncmp(name, "__cfi_", 6))
			add(&b, s->address, 0, name, s->module ? k->text + s->module : NULL, 0);
	}
	if (b.n)
		t = finish(&b, "kernel", bytes);
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
