/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_symbol.c - the symbols of a file with DWARF (dwarf.h): the function that contains an
 * address, and other functions that the address can be expressed relative to.
 *
 * The functions are sorted once, because libdwfl scans all symbols in each query. Only addresses
 * outside functions are looked up by libdwfl.
 */
#include "translator/debuginfo/dwarf_symbol.h"

#include "lib/sorted.h"
#include "translator/debuginfo/dwarf_private.h"

#include <stdlib.h>

struct symbol {
	guint64		start, end;
	const char	*name;
	GElf_Word	section;
	/* in the symbol table; negative: global, the preferred of two names */
	int		index;
};

static int by_start(const void *a, const void *b)
{
	const struct symbol *s = a, *t = b;

	return s->start != t->start ? (s->start > t->start) - (s->start < t->start)
				    : s->index - t->index;
}

static GArray *functions_of(struct dwarf *d)
{
	int n = dwfl_module_getsymtab(d->module);

	if (d->symbols)
		return d->symbols;
	d->symbols = g_array_new(FALSE, FALSE, sizeof(struct symbol));
	for (int i = 0; i < n; i++) {
		struct symbol s = { .index = i };
		GElf_Sym sym;

		s.name = dwfl_module_getsym_info(d->module, i, &sym, &s.start, &s.section, NULL,
						 NULL);
		if (!s.name || !*s.name || GELF_ST_TYPE(sym.st_info) != STT_FUNC ||
		    sym.st_shndx == SHN_UNDEF)
			continue;
		s.end = s.start + sym.st_size;
		if (GELF_ST_BIND(sym.st_info) == STB_GLOBAL)
			s.index -= n;
		g_array_append_val(d->symbols, s);
	}
	g_array_sort(d->symbols, by_start);
	return d->symbols;
}

/* The function that contains an address, by its best name; NULL: none. */
static const struct symbol *function_at(struct dwarf *d, guint64 address)
{
	const GArray *symbols = functions_of(d);
	guint n = sorted_until(symbols, address);
	const struct symbol *s = (const struct symbol *)(const void *)symbols->data;

	while (n > 1 && s[n - 2].start == s[n - 1].start)
		n--;
	return n && address < s[n - 1].end ? &s[n - 1] : NULL;
}

int dwarf_symbol(struct dwarf *d, Dwarf_Addr address, const char **name, guint64 *offset)
{
	const struct symbol *s = function_at(d, address);
	GElf_Sym symbol;

	if (s) {
		*name = s->name;
		*offset = address - s->start;
		return 1;
	}
	*name = dwfl_module_addrinfo(d->module, address, offset, &symbol, NULL, NULL, NULL);
	return *name != NULL;
}

int dwarf_anchor(struct dwarf *d, guint64 linked, int (*fits)(void *data, const char *name),
		 void *data, const char **name, gint64 *offset)
{
	const GArray *symbols = functions_of(d);
	const struct symbol *own = function_at(d, linked + d->bias);
	GElf_Addr bias;
	GElf_Ehdr header;
	guint64 start;
	int moves = gelf_getehdr(dwfl_module_getelf(d->module, &bias), &header) &&
		    header.e_type == ET_REL;

	if ((moves && !own) || !dwarf_symbol(d, linked + d->bias, name, &start))
		return 0;
	start = linked + d->bias - start;
	for (guint n = sorted_until(symbols, start); n; n--) {
		const struct symbol *s = &g_array_index(symbols, struct symbol, n - 1);

		if (moves && s->section != own->section)
			return 0;
		if (fits(data, s->name)) {
			*name = s->name;
			*offset = (gint64)(start - s->start);
			return 1;
		}
	}
	return 0;
}
