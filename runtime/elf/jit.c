/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jit.c - functions that a process made while it ran, as it tells of them: perf-PID.map and jitdump files. Nothing in these is trusted.
 */
#include "runtime/elf/symfile.h"

#include "runtime/elf/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define JIT_MAGIC	0x4a695444u	/* "JiTD" */
#define JIT_LOAD	0		/* record: code was made */

/* What was said last of an address holds: rank is the order. */
static struct wire_symtab *finish(struct table *b, const char *shown, u64 *bytes)
{
	struct wire_symtab *t = table_finish(b, shown, bytes);

	table_free(b);
	return t;
}

static char *read_text(const char *path)
{
	FILE *f = fopen(path, "re");
	char *text = NULL;
	struct stat st;
	size_t n;

	if (f && !fstat(fileno(f), &st) && S_ISREG(st.st_mode) && st.st_size < 1L << 30 && (text = malloc((size_t)st.st_size + 1))) {
		n = fread(text, 1, (size_t)st.st_size, f);
		text[n] = 0;
	}
	if (f)
		fclose(f);
	return text;
}

/* Takes a line without its end: 0, or -1: it is none. */
static int take_line(struct table *b, const char *line)
{
	char *at, *name;
	u64 start = strtoull(line, &at, 16), size = strtoull(at, &name, 16);

	if (at == line || name == at || *name != ' ' || !name[1])
		return -1;
	table_add(b, start, size, name + 1, NULL, (int)b->n);
	return 0;
}

struct wire_symtab *symfile_perfmap(const char *path, const char *shown, u64 *bytes, u32 *rejected)
{
	char *text = read_text(path), *line, *end;
	struct table b = { 0 };
	struct wire_symtab *t;

	*rejected = 0;
	if (!text)
		return NULL;
	for (line = text; *line; line = end) {
		int whole;

		end = line + strcspn(line, "\n");
		whole = *end == '\n';		/* of others more may come */
		if (whole)
			*end++ = 0;
		if (take_line(&b, line) && whole)
			++*rejected;
	}
	t = finish(&b, shown, bytes);
	free(text);
	return t;
}

struct jit_header { u32 magic, version, size, machine, pad, pid; u64 time, flags; };
struct jit_record { u32 type, size; u64 time; };
struct jit_load { struct jit_record r; u32 pid, tid; u64 vma, address, bytes, index; char name[]; };

struct wire_symtab *symfile_jitdump(int fd, const char *shown, u64 *bytes)
{
	const struct jit_header *h;
	struct table b = { 0 };
	struct wire_symtab *t;
	struct stat st;
	const char *p;
	u64 at;

	if (fd < 0 || fstat(fd, &st) || st.st_size < (off_t)sizeof(*h))
		return NULL;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return NULL;
	h = (const struct jit_header *)p;
	for (at = h->magic == JIT_MAGIC ? h->size : (u64)st.st_size; at + sizeof(struct jit_load) < (u64)st.st_size; ) {
		const struct jit_load *l = (const struct jit_load *)(p + at);

		if (at & 3 || l->r.size < sizeof(l->r) || l->r.size > (u64)st.st_size - at)
			break;
		at += l->r.size;
		if (l->r.type == JIT_LOAD && l->r.size > sizeof(*l) && memchr(l->name, 0, l->r.size - sizeof(*l)))
			table_add(&b, l->address, l->bytes, l->name, NULL, (int)b.n);
	}
	t = finish(&b, shown, bytes);
	munmap((void *)p, (size_t)st.st_size);
	return t;
}
