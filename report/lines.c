/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines.c - see lines.h.
 */
#include "report/lines.h"

#include "lib/foreign.h"
#include "report/address.h"
#include "symbolize/debugfile.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <string.h>

/* functions, inlined into each other, with their blocks and namespaces */
#define SCOPES_MAX	256

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));

	if (!name)
		name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attr));
	return name ? name : "?";
}

/* The call site of an inlined function. */
static void caller_line(Dwarf_Die *unit, Dwarf_Die *die, const char **file, int *line)
{
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	Dwarf_Word number;
	size_t n;

	*line = 0;
	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr), &number))
		*line = (int)number;
	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attr), &number) &&
	    !dwarf_getsrcfiles(unit, &files, &n) && number < n)
		*file = dwarf_filesrc(files, number, NULL, NULL);
}

/*
 * The scopes around an address, from the unit inwards, after the first n of the chain; returns
 * their number. (dwarf_getscopes() continues from an inlined function to its definition, not to its
 * call site.)
 */
static guint scopes_in(Dwarf_Die *parent, Dwarf_Addr at, Dwarf_Die *chain, guint n)
{
	Dwarf_Die child;

	if (n == SCOPES_MAX || dwarf_child(parent, &child))
		return n;
	do {
		int tag = dwarf_tag(&child), is_space = tag == DW_TAG_namespace;
		int is_code = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
			      tag == DW_TAG_lexical_block;
		guint found;

		if (!is_space && !(is_code && dwarf_haspc(&child, at) > 0))
			continue;
		chain[n] = child;
		found = scopes_in(&child, at, chain, n + 1);
		if (!is_space || found > n + 1)
			return found;
	} while (!dwarf_siblingof(&child, &child));
	return n;
}

static void one_place(Dwarf_Die *unit, Dwarf_Addr at, guint64 offset, lines_add_fn *add, void *data)
{
	Dwarf_Line *row = dwarf_getsrc_die(unit, at);
	const char *file = row ? dwarf_linesrc(row, NULL, NULL) : NULL;
	Dwarf_Die scopes[SCOPES_MAX];
	int line = 0;
	guint n;

	if (!file || dwarf_lineno(row, &line))
		return;
	n = scopes_in(unit, at, scopes, 0);
	for (guint i = n; i-- > 0; ) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
			continue;
		add(data, offset, file ? file : "?", (guint32)line, name_of(&scopes[i]));
		if (tag == DW_TAG_subprogram)
			break;
		caller_line(unit, &scopes[i], &file, &line);
	}
	if (!n)
		add(data, offset, file, (guint32)line, "");
}

/* The first row of a unit's table at or after an address. */
static size_t first_row(Dwarf_Lines *rows, size_t n, Dwarf_Addr at)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = (low + high) / 2;
		Dwarf_Addr addr = 0;

		dwarf_lineaddr(dwarf_onesrcline(rows, mid), &addr);
		if (addr < at)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Of rows with the same address the last one is used; sampled offsets already have their line. */
static void one_range(Dwarf_Die *unit, Dwarf_Addr at, const struct lines_range *range,
		      const GArray *offsets, lines_add_fn *add, void *data)
{
	Dwarf_Lines *rows;
	size_t n;

	if (dwarf_getsrclines(unit, &rows, &n))
		return;
	for (size_t i = first_row(rows, n, at); i < n; i++) {
		Dwarf_Line *row = dwarf_onesrcline(rows, i);
		Dwarf_Addr addr = 0, next = 0;
		const char *file = dwarf_linesrc(row, NULL, NULL);
		bool ends = false;
		guint64 offset;
		int line = 0;

		if (dwarf_lineaddr(row, &addr) || addr - at >= range->size)
			break;
		if (i + 1 < n && !dwarf_lineaddr(dwarf_onesrcline(rows, i + 1), &next) &&
		    next == addr)
			continue;
		offset = range->offset + (addr - at);
		if (file && !dwarf_lineendsequence(row, &ends) && !ends &&
		    !dwarf_lineno(row, &line) && line &&
		    !g_array_binary_search((GArray *)offsets, &offset, address_compare, NULL))
			add(data, offset, file, (guint32)line, "");
	}
}

/* ---- whole ---------------------------------------------------------------------*/

/*
 * A file, and those that contain its DWARF. libdw gets their bytes and opens nothing: it could
 * block on whatever has the name that it looks for.
 */
struct debug_files {
	void		*bytes;
	struct elf	debug, alt;
	Elf		*elf, *debug_elf, *alt_elf;
	Dwarf		*dw, *alt_dw;
};

static Dwarf *dwarf_of(const struct elf *from, Elf **elf)
{
	*elf = elf_memory((char *)from->p, from->size);
	return *elf ? dwarf_begin_elf(*elf, DWARF_C_READ, NULL) : NULL;
}

static int has_dwarf(Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return 0;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(section, &header)
					   ? elf_strptr(elf, names, header.sh_name)
					   : NULL;

		if (name && (!strcmp(name, ".debug_info") || !strcmp(name, ".zdebug_info")))
			return 1;
	}
	return 0;
}

/*
 * The common file of several debug files must be available too: without it, names would be wrong.
 * 0, or -1.
 */
static int open_alt(struct debug_files *s, const struct elf *from, const char *path)
{
	const char *name;
	const void *id;

	if (!s->dw || dwelf_dwarf_gnu_debugaltlink(s->dw, &name, &id) <= 0)
		return s->dw ? 0 : -1;
	if (debugfile_open_alt(&s->alt, from, "", path))
		return -1;
	s->alt_dw = dwarf_of(&s->alt, &s->alt_elf);
	if (s->alt_dw)
		dwarf_setalt(s->dw, s->alt_dw);
	return s->alt_dw ? 0 : -1;
}

/* 0, or -1: it has no DWARF. source_close() in both cases. */
static int source_open(struct debug_files *s, int fd, const char *path)
{
	char where[DEBUGFILE_PATH];
	struct elf image = { 0 };
	size_t size = 0;

	*s = (struct debug_files){ .bytes = foreign_map(fd, 1, &size) };
	elf_version(EV_CURRENT);
	s->elf = s->bytes ? elf_memory(s->bytes, size) : NULL;
	if (!s->elf)
		return -1;
	/* a 32-bit file: only what libdw reads by itself */
	if (elf_look(&image, s->bytes, size))
		image = (struct elf){ .p = s->bytes, .size = size };
	if (has_dwarf(s->elf)) {
		s->dw = dwarf_begin_elf(s->elf, DWARF_C_READ, NULL);
		return open_alt(s, &image, path);
	}
	if (!image.eh || debugfile_open(&s->debug, &image, "", path, where))
		return -1;
	s->dw = dwarf_of(&s->debug, &s->debug_elf);
	return open_alt(s, &s->debug, where);
}

static void source_close(struct debug_files *s)
{
	dwarf_end(s->dw);
	dwarf_end(s->alt_dw);
	elf_end(s->elf);
	elf_end(s->debug_elf);
	elf_end(s->alt_elf);
	elf_close(&s->debug);
	elf_close(&s->alt);
	foreign_unmap(s->bytes);
}

/* The unit that has code at a file offset; *at: the address of that. NULL: none. */
static Dwarf_Die *unit_at(const struct debug_files *s, guint64 offset, Dwarf_Addr *at,
			  Dwarf_Die *unit)
{
	return address_of(s->elf, offset, at) ? NULL : dwarf_addrdie(s->dw, *at, unit);
}

void lines_find(int fd, const char *path, const GArray *offsets, const GArray *ranges,
		lines_add_fn *add, void *data)
{
	struct debug_files s;
	Dwarf_Addr at;
	Dwarf_Die unit;
	int has = !source_open(&s, fd, path);

	for (guint i = 0; has && i < offsets->len; i++) {
		guint64 offset = g_array_index(offsets, guint64, i);

		if (unit_at(&s, offset, &at, &unit))
			one_place(&unit, at, offset, add, data);
	}
	for (guint i = 0; has && i < ranges->len; i++) {
		const struct lines_range *range = &g_array_index(ranges, struct lines_range, i);

		if (unit_at(&s, range->offset, &at, &unit))
			one_range(&unit, at, range, offsets, add, data);
	}
	source_close(&s);
}
