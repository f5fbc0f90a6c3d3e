/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jit.c - functions that a process generated at run time, from perf-PID.map and jitdump files.
 * Nothing in these is trusted.
 */
#include "symbolize/jit.h"

#include "lib/foreign.h"
#include "symbolize/symfile.h"
#include "symbolize/table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define JIT_MAGIC	0x4a695444u	/* "JiTD" */
#define JIT_LOAD	0		/* record: code was generated */
/* bytes of a perf map: large ones have a few dozen million */
#define TEXT_MAX	(256L << 20)

/* The last entry for an address is used: rank is the order of entries. */
static struct wire_symtab *finish(struct table *b, const char *shown, u64 *bytes)
{
	struct wire_symtab *t = table_finish(b, shown, bytes);

	table_free(b);
	return t;
}

static char *read_text(int fd)
{
	struct stat st;
	char *text = !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size < TEXT_MAX
			     ? malloc((size_t)st.st_size + 1)
			     : NULL;
	off_t at = 0;
	ssize_t n;

	while (text && at < st.st_size &&
	       (n = pread(fd, text + at, (size_t)(st.st_size - at), at)) > 0)
		at += n;
	if (text)
		text[at] = 0;
	return text;
}

/* Adds the function in a line, which has no newline: 0, or -1: not a valid line. */
static int take_line(struct table *b, const char *line)
{
	char *at, *name;
	u64 start = strtoull(line, &at, 16), size = strtoull(at, &name, 16);

	if (at == line || name == at || *name != ' ' || !name[1])
		return -1;
	table_add(b, start, size, name + 1, NULL, (int)b->n);
	return 0;
}

struct wire_symtab *symfile_perfmap(int fd, const char *shown, u64 *bytes, u32 *rejected)
{
	char *text = read_text(fd), *line, *end;
	struct table b = { 0 };
	struct wire_symtab *t;

	*rejected = 0;
	if (!text)
		return NULL;
	for (line = text; *line; line = end) {
		int whole;

		end = line + strcspn(line, "\n");
		whole = *end == '\n';		/* else the rest may be written later */
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
	size_t size = 0;
	const char *p = foreign_map(fd, 0, &size);
	u64 at;

	h = (const struct jit_header *)p;
	if (!p || size < sizeof(*h)) {
		foreign_unmap(p);
		return NULL;
	}
	for (at = h->magic == JIT_MAGIC ? h->size : size; at + sizeof(struct jit_load) < size; ) {
		const struct jit_load *l = (const struct jit_load *)(p + at);

		if (at & 3 || l->r.size < sizeof(l->r) || l->r.size > size - at)
			break;
		at += l->r.size;
		if (l->r.type == JIT_LOAD && l->r.size > sizeof(*l) &&
		    memchr(l->name, 0, l->r.size - sizeof(*l)))
			table_add(&b, l->address, l->bytes, l->name, NULL, (int)b.n);
	}
	t = finish(&b, shown, bytes);
	foreign_unmap(p);
	return t;
}
