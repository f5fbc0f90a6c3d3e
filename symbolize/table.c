/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.c - see table.h.
 */
#include "symbolize/table.h"

#include "runtime/core/symbol.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for another element after the n at *p. */
static int grow(void *p, size_t n, size_t *room, size_t size)
{
	size_t more = *room ? 2 * *room : 1024;
	void *bigger;

	if (n < *room)
		return 0;
	bigger = realloc(*(void **)p, more * size);
	if (!bigger)
		return -1;
	*(void **)p = bigger;
	*room = more;
	return 0;
}

int table_add(struct table *b, u64 start, u64 size, const char *name, const char *module, int rank)
{
	if (grow(&b->sym, b->n, &b->room, sizeof(*b->sym)))
		return -1;
	b->sym[b->n++] = (struct symbol){ start, size, name, module, rank };
	return 0;
}

int table_add_line(struct table *b, u64 start, const char *file, u32 line)
{
	if (grow(&b->line, b->nlines, &b->line_room, sizeof(*b->line)))
		return -1;
	b->line[b->nlines] = (struct line){ start, file, line, (u32)b->nlines };
	b->nlines++;
	return 0;
}

int table_add_inlined(struct table *b, const struct inlined *call)
{
	if (grow(&b->inlined, b->ninlined, &b->inlined_room, sizeof(*b->inlined)))
		return -1;
	b->inlined[b->ninlined++] = *call;
	return 0;
}

int table_add_caller(struct table *b, const struct wire_caller *c)
{
	if (grow(&b->caller, b->ncallers, &b->caller_room, sizeof(*b->caller)))
		return -1;
	b->caller[b->ncallers++] = *c;
	return 0;
}

void table_free(struct table *b)
{
	free(b->sym);
	free(b->line);
	free(b->inlined);
	free(b->caller);
}

static int underscores(const char *name)
{
	return (int)strspn(name, "_");
}

/*
 * Of several names with one rank, prefers the one with fewer leading underscores: malloc, not
 * __libc_malloc.
 */
static int by_start(const void *a, const void *b)
{
	const struct symbol *s = a, *t = b;

	if (s->start != t->start)
		return s->start < t->start ? -1 : 1;
	if (s->rank != t->rank)
		return t->rank - s->rank;
	return underscores(s->name) != underscores(t->name)
		       ? underscores(s->name) - underscores(t->name)
		       : strcmp(s->name, t->name);
}

/* Assemblers omit sizes. The code that follows may have no symbol. */
static u64 size_until(const struct table *b, const struct symbol *s, u64 end)
{
	u64 next = b->next ? b->next(b->of, s->start) : ~0ULL;

	return next < end ? next - s->start : end == ~0ULL ? 0 : end - s->start;
}

static int is_same_module(const struct symbol *s, const struct symbol *t)
{
	return s->module && t->module ? !strcmp(s->module, t->module) : s->module == t->module;
}

/*
 * Where the next symbol begins. Behind the last one of the kernel, or of a module, another module may
 * be loaded later, but not in its page.
 */
static u64 next_start(const struct table *b, size_t i)
{
	const struct symbol *s = &b->sym[i], *next = i + 1 < b->n ? s + 1 : NULL;
	u64 page_end = (s->start | 0xfff) + 1, end = next ? next->start : ~0ULL;

	if (next ? is_same_module(s, next) : !s->module)
		return end;
	return page_end < end ? page_end : end;
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
	for (size_t i = 0; i < b->n; i++)
		if (!b->sym[i].size)
			b->sym[i].size = size_until(b, &b->sym[i], next_start(b, i));
}

static int line_by_start(const void *a, const void *b)
{
	const struct line *l = a, *m = b;

	if (l->start != m->start)
		return l->start < m->start ? -1 : 1;
	if (!l->line != !m->line)		/* one function may end where another begins */
		return l->line ? 1 : -1;
	return l->order < m->order ? -1 : 1;
}

static void tidy_lines(struct table *b)
{
	size_t k = 0;

	if (!b->nlines)
		return;
	qsort(b->line, b->nlines, sizeof(*b->line), line_by_start);
	for (size_t i = 1; i < b->nlines; i++) {
		const struct line *l = &b->line[i];

		if (l->start == b->line[k].start)
			b->line[k] = *l;
		else if (l->line != b->line[k].line || l->file != b->line[k].file)
			b->line[++k] = *l;
	}
	b->nlines = k + 1;
}

/* One function's rows may end where another's begin. */
static int caller_by_start(const void *a, const void *b)
{
	const struct wire_caller *c = a, *d = b;

	if (c->start != d->start)
		return c->start < d->start ? -1 : 1;
	return (c->base != WIRE_CALLER_NONE) - (d->base != WIRE_CALLER_NONE);
}

static void tidy_callers(struct table *b)
{
	size_t k = 0;

	if (!b->ncallers)
		return;
	qsort(b->caller, b->ncallers, sizeof(*b->caller), caller_by_start);
	for (size_t i = 1; i < b->ncallers; i++)
		if (b->caller[i].start == b->caller[k].start)
			b->caller[k] = b->caller[i];
		else
			b->caller[++k] = b->caller[i];
	b->ncallers = k + 1;
}

static int inlined_by_start(const void *a, const void *b)
{
	const struct inlined *c = a, *d = b;

	if (c->start != d->start)
		return c->start < d->start ? -1 : 1;
	if (c->end != d->end)
		return c->end > d->end ? -1 : 1;
	return c->depth < d->depth ? -1 : c->depth > d->depth;
}

/* ---- the finished table -----------------------------------------------------------*/

/* Strings, each stored once. */
struct pool {
	char	*p;
	size_t	used, room;
	u32	base;		/* offset of the pool in the table */
	u32	*slot, mask;	/* hash slots: offset in the pool + 1, 0 none */
	u32	n;
	int	failed;
};

static u32 pool_hash(const char *text)
{
	u32 h = 5381;

	while (*text)
		h = h * 33 ^ (u8)*text++;
	return h;
}

static int pool_rehash(struct pool *k)
{
	u32 mask = k->mask ? 2 * k->mask + 1 : 1023, *slot = calloc(mask + 1ULL, sizeof(*slot));

	if (!slot)
		return -1;
	for (u32 i = 0; k->slot && i <= k->mask; i++) {
		u32 h = k->slot[i] ? pool_hash(k->p + k->slot[i] - 1) : 0;

		while (k->slot[i] && slot[h & mask])
			h++;
		if (k->slot[i])
			slot[h & mask] = k->slot[i];
	}
	free(k->slot);
	k->slot = slot;
	k->mask = mask;
	return 0;
}

/* Offset in the table of a string of len bytes, without deduplication. */
static u32 pool_append(struct pool *k, const char *text, size_t len)
{
	size_t n = len + 1, at = k->used;

	while (k->room - k->used < n && !k->failed) {
		size_t room = k->room ? 2 * k->room : 65536;
		char *more = realloc(k->p, room);

		k->failed = !more || room > ~0U;
		k->p = more ? more : k->p;
		k->room = more ? room : k->room;
	}
	if (k->failed)
		return 0;
	memcpy(k->p + at, text, len);
	k->p[at + len] = 0;
	k->used += n;
	return k->base + (u32)at;
}

static u32 pool_put(struct pool *k, const char *text)
{
	u32 h = pool_hash(text), at;

	if (k->n >= k->mask / 2 && pool_rehash(k))
		k->failed = 1;
	if (k->failed)
		return 0;
	for (; (at = k->slot[h & k->mask]); h++)
		if (!strcmp(k->p + at - 1, text))
			return k->base + at - 1;
	at = pool_append(k, text, strlen(text));
	k->slot[h & k->mask] = at - k->base + 1;
	k->n++;
	return at;
}

static u32 size_of(u64 size)
{
	return size > ~0U ? ~0U : (u32)size;
}

static void put_symbols(const struct table *b, struct wire_symbol *s, struct pool *names)
{
	const char *module = NULL;
	u32 module_at = 0;

	for (size_t i = 0; i < b->n; i++) {
		const struct symbol *from = &b->sym[i];
		size_t len = strcspn(from->name, b->versions ? "@" : "");

		s[i] = (struct wire_symbol){ .start = from->start,
					     .size = size_of(from->size),
					     .name = pool_append(names, from->name, len) };
		if (!from->module)
			continue;
		if (!module || strcmp(module, from->module)) {
			module = from->module;
			module_at = pool_append(names, module, strlen(module));
		}
		s[i].module = module_at;
	}
}

static void put_lines(const struct table *b, struct wire_line *l, struct pool *names)
{
	const char *file = NULL;
	u32 at = 0;

	for (size_t i = 0; i < b->nlines; i++) {
		if (!file || b->line[i].file != file)
			at = pool_put(names, file = b->line[i].file);
		l[i] = (struct wire_line){ .start = b->line[i].start,
					   .file = at,
					   .line = b->line[i].line };
	}
}

/* In this order, the enclosing call is the nearest preceding one that has not ended. */
static void put_inlined(struct table *b, struct wire_inlined *c, struct pool *names)
{
	u32 outer = 0;

	if (b->ninlined)		/* qsort() takes no NULL */
		qsort(b->inlined, b->ninlined, sizeof(*b->inlined), inlined_by_start);
	for (size_t i = 0; i < b->ninlined; i++) {
		const struct inlined *from = &b->inlined[i];

		while (outer && b->inlined[outer - 1].end < from->end)
			outer = c[outer - 1].outer;
		c[i] = (struct wire_inlined){ .start = from->start,
					      .size = size_of(from->end - from->start),
					      .outer = outer,
					      .line = from->line,
					      .name = pool_put(names, from->name),
					      .file = pool_put(names, from->file) };
		outer = (u32)i + 1;
	}
}

struct wire_symtab *table_finish(struct table *b, const char *path, u64 *bytes)
{
	struct pool names = { 0 };
	struct wire_symtab *t, *whole;
	struct wire_symbol *s;
	struct wire_line *l;
	u64 base;

	table_tidy(b);
	tidy_lines(b);
	tidy_callers(b);
	base = sizeof(*t) + b->n * sizeof(*s) + b->nlines * sizeof(*l) +
	       b->ninlined * sizeof(struct wire_inlined) + b->ncallers * sizeof(struct wire_caller);
	t = base < ~0U ? calloc(1, base) : NULL;
	if (!t)
		return NULL;
	*t = (struct wire_symtab){ .nsyms = (u32)b->n, .names = (u32)base, .nlines = (u32)b->nlines, .ninlined = (u32)b->ninlined,
				   .ncallers = (u32)b->ncallers };
	s = (struct wire_symbol *)(t + 1);
	l = (struct wire_line *)(s + b->n);
	names.base = (u32)base;
	pool_append(&names, path, strlen(path));
	put_symbols(b, s, &names);
	put_lines(b, l, &names);
	put_inlined(b, (struct wire_inlined *)(l + b->nlines), &names);
	if (b->ncallers)
		memcpy((void *)symtab_callers(t), b->caller, b->ncallers * sizeof(*b->caller));
	*bytes = base + names.used;
	whole = names.failed || *bytes > ~0U ? NULL : realloc(t, *bytes);
	if (whole)
		memcpy((char *)whole + base, names.p, names.used);
	else
		free(t);
	free(names.p);
	free(names.slot);
	return whole;
}
