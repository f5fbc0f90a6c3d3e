/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.c - see table.h.
 */
#include "runtime/elf/table.h"

#include <stdlib.h>
#include <string.h>

int table_add(struct table *b, u64 start, u64 size, const char *name, const char *module, int rank)
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

void table_tidy(struct table *b)
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

static u32 put(char *names, u64 *at, u32 base, const char *text)
{
	u32 offset = base + (u32)*at;

	strcpy(names + *at, text);
	*at += strlen(text) + 1;
	return offset;
}

struct wire_symtab *table_finish(struct table *b, const char *path, u64 *bytes)
{
	u64 text = strlen(path) + 1, at = 0, base = sizeof(struct wire_symtab) + b->n * sizeof(struct wire_symbol);
	struct wire_symtab *t;
	struct wire_symbol *s;
	const char *module = NULL;
	u32 module_at = 0;
	char *names;

	table_tidy(b);
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
