/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines.c - see lines.h.
 */
#include "report/lines.h"

#include "report/address.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

#define SCOPES_MOST	256		/* functions, inlined into each other, with their blocks and namespaces */

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf, .find_debuginfo = dwfl_standard_find_debuginfo, .section_address = dwfl_offline_section_address,
};

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));

	if (!name)
		name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attr));
	return name ? name : "?";
}

/* Where an inlined function is called. */
static void caller_line(Dwarf_Die *unit, Dwarf_Die *die, const char **file, int *line)
{
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	Dwarf_Word number;
	size_t n;

	*line = 0;
	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr), &number))
		*line = (int)number;
	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attr), &number) && !dwarf_getsrcfiles(unit, &files, &n) && number < n)
		*file = dwarf_filesrc(files, number, NULL, NULL);
}

/*
 * The scopes around an address, from the unit's on, behind the first n of the chain; how many there are then. (dwarf_getscopes() goes on
 * from an inlined function to where that one is defined, not to where it was inlined.)
 */
static guint scopes_in(Dwarf_Die *parent, Dwarf_Addr at, Dwarf_Die *chain, guint n)
{
	Dwarf_Die child;

	if (n == SCOPES_MOST || dwarf_child(parent, &child))
		return n;
	do {
		int tag = dwarf_tag(&child), is_space = tag == DW_TAG_namespace;
		int is_code = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block;
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
	Dwarf_Die scopes[SCOPES_MOST];
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

/* The first row of a unit's table at an address or behind it. */
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

/* Of rows with one address the last counts; what samples fell on has its line already. */
static void one_range(Dwarf_Die *unit, Dwarf_Addr at, const struct lines_range *range, const GArray *offsets, lines_add_fn *add, void *data)
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
		if (i + 1 < n && !dwarf_lineaddr(dwarf_onesrcline(rows, i + 1), &next) && next == addr)
			continue;
		offset = range->offset + (addr - at);
		if (file && !dwarf_lineendsequence(row, &ends) && !ends && !dwarf_lineno(row, &line) && line &&
		    !g_array_binary_search((GArray *)offsets, &offset, address_compare, NULL))
			add(data, offset, file, (guint32)line, "");
	}
}

/* The unit that has code at a file offset, and where that is for it. */
static Dwarf_Die *unit_at(Dwfl_Module *module, Elf *elf, GElf_Addr shift, guint64 offset, Dwarf_Addr *at)
{
	Dwarf_Addr bias;
	GElf_Addr address;
	Dwarf_Die *unit = address_of(elf, offset, &address) ? NULL : dwfl_module_addrdie(module, address + shift, &bias);

	if (unit)
		*at = address + shift - bias;
	return unit;
}

void lines_find(int fd, const char *path, const GArray *offsets, const GArray *ranges, lines_add_fn *add, void *data)
{
	int own = dup(fd);
	Dwfl_Module *module;
	Dwarf_Addr bias, at;
	Dwarf_Die *unit;
	GElf_Addr shift;
	Dwfl *dwfl;
	Elf *elf;

	unsetenv("DEBUGINFOD_URLS");	/* libdwfl would ask there, and wait */
	dwfl = own >= 0 ? dwfl_begin(&callbacks) : NULL;
	if (!dwfl)
		return;
	module = dwfl_report_offline(dwfl, path, path, own);
	dwfl_report_end(dwfl, NULL, NULL);
	elf = module ? dwfl_module_getelf(module, &shift) : NULL;
	if (elf && !dwfl_module_getdwarf(module, &bias))
		elf = NULL;
	for (guint i = 0; elf && i < offsets->len; i++) {
		guint64 offset = g_array_index(offsets, guint64, i);

		unit = unit_at(module, elf, shift, offset, &at);
		if (unit)
			one_place(unit, at, offset, add, data);
	}
	for (guint i = 0; elf && i < ranges->len; i++) {
		const struct lines_range *range = &g_array_index(ranges, struct lines_range, i);

		unit = unit_at(module, elf, shift, range->offset, &at);
		if (unit)
			one_range(unit, at, range, offsets, add, data);
	}
	if (!module)
		close(own);
	dwfl_end(dwfl);
}
