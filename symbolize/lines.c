/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines.c - see lines.h. libdw is loaded when lines are requested, so that nothing depends on it
 * and nothing else waits for it.
 */
#include "symbolize/lines.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <libelf.h>
#include <stdlib.h>

#define DEPTH_MAX 256		/* blocks and calls within each other */

/* The functions that we use from libdw and libelf: X(name). */
#define BORROWED(X) \
	X(elf_version) X(elf_memory) X(elf_end) X(dwarf_begin_elf) X(dwarf_setalt) X(dwarf_end) X(dwarf_nextcu) X(dwarf_offdie) \
	X(dwarf_getsrclines) \
	X(dwarf_onesrcline) X(dwarf_lineaddr) X(dwarf_lineno) X(dwarf_linesrc) X(dwarf_lineendsequence) X(dwarf_child) X(dwarf_siblingof) \
	X(dwarf_tag) X(dwarf_attr) X(dwarf_formudata) X(dwarf_diename) X(dwarf_ranges) X(dwarf_getsrcfiles) X(dwarf_filesrc)

static struct {
#define FIELD(name) __typeof__(&name) name;
	BORROWED(FIELD)
#undef FIELD
} dw;

struct lines {
	Elf		*elf, *alt_elf;
	Dwarf		*dwarf, *alt;
	/* during reading */
	lines_place	*place;
	const void	*arg;
	struct table	*b;
	Dwarf_Files	*files;		/* of the unit */
	size_t		nfiles;
};

static int borrow(void)
{
	static int state;		/* 1: loaded; -1: not available */
	void *lib = state ? NULL : dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);

	if (!state)
		state = lib ? 1 : -1;
#define FIND(name) \
	if (lib && !(dw.name = (__typeof__(&name))dlsym(lib, #name))) \
		state = -1;
	BORROWED(FIND)
#undef FIND
	return state == 1 && dw.elf_version(EV_CURRENT) != EV_NONE;
}

static void take_lines(struct lines *l, Dwarf_Die *unit)
{
	Dwarf_Lines *rows;
	size_t n;

	if (dw.dwarf_getsrclines(unit, &rows, &n))
		return;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *row = dw.dwarf_onesrcline(rows, i);
		const char *file = dw.dwarf_linesrc(row, NULL, NULL);
		Dwarf_Addr address;
		bool is_end = false;
		int line = 0;
		u64 at;

		if (!file || dw.dwarf_lineaddr(row, &address) || dw.dwarf_lineno(row, &line) ||
		    dw.dwarf_lineendsequence(row, &is_end))
			continue;
		/*
		 * The end of a sequence is after its last byte, and may be the end of the segment.
		 */
		if (is_end ? l->place(l->arg, address - 1, &at) : l->place(l->arg, address, &at))
			continue;
		table_add_line(l->b, is_end ? at + 1 : at, file,
			       is_end || line < 0 ? 0 : (u32)line);
	}
}

static u64 number(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	return dw.dwarf_attr(die, name, &attr) && !dw.dwarf_formudata(&attr, &value) ? value : 0;
}

static void take_call(struct lines *l, Dwarf_Die *die, u32 depth)
{
	u64 file = number(die, DW_AT_call_file);
	const char *path = file < l->nfiles ? dw.dwarf_filesrc(l->files, file, NULL, NULL) : NULL;
	struct inlined call = { .name = dw.dwarf_diename(die),
				.file = path ? path : "",
				.depth = depth,
				.line = path ? (u32)number(die, DW_AT_call_line) : 0 };
	Dwarf_Addr base, start, end;
	ptrdiff_t next = 0;

	while (call.name && (next = dw.dwarf_ranges(die, next, &base, &start, &end)) > 0)
		if (start < end && !l->place(l->arg, start, &call.start)) {
			call.end = call.start + (end - start);
			table_add_inlined(l->b, &call);
		}
}

/* Adds the inlined calls in all code below a unit's DIE. */
static void take_calls(struct lines *l, Dwarf_Die *unit)
{
	Dwarf_Die at[DEPTH_MAX];
	u32 depth = 0;

	if (dw.dwarf_child(unit, &at[0]))
		return;
	for (;;) {
		int tag = dw.dwarf_tag(&at[depth]),
		    inside = tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
			     tag == DW_TAG_try_block || tag == DW_TAG_inlined_subroutine ||
			     tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
			     tag == DW_TAG_structure_type;

		if (tag == DW_TAG_inlined_subroutine)
			take_call(l, &at[depth], depth);
		if (inside && depth + 1 < DEPTH_MAX &&
		    !dw.dwarf_child(&at[depth], &at[depth + 1])) {
			depth++;
			continue;
		}
		while (dw.dwarf_siblingof(&at[depth], &at[depth])) {
			if (!depth)
				return;
			depth--;
		}
	}
}

static Dwarf *open_dwarf(const struct elf *from, Elf **elf)
{
	*elf = dw.elf_memory((char *)from->p, from->size);
	return *elf ? dw.dwarf_begin_elf(*elf, DWARF_C_READ, NULL) : NULL;
}

struct lines *lines_take(const struct elf *elf, const struct elf *alt, lines_place *place,
			 const void *arg, struct table *b)
{
	Dwarf_Off at = 0, next;
	struct lines *l;
	size_t header;

	if (!borrow())
		return NULL;
	l = calloc(1, sizeof(*l));
	if (!l)
		return NULL;
	*l = (struct lines){ .place = place, .arg = arg, .b = b };
	l->dwarf = open_dwarf(elf, &l->elf);
	l->alt = alt ? open_dwarf(alt, &l->alt_elf) : NULL;
	if (!l->dwarf || (alt && !l->alt)) {
		lines_close(l);
		return NULL;
	}
	/* libdw would search for it, and could block on whatever has that name */
	if (l->alt)
		dw.dwarf_setalt(l->dwarf, l->alt);
	for (; !dw.dwarf_nextcu(l->dwarf, at, &next, &header, NULL, NULL, NULL); at = next) {
		Dwarf_Die unit;

		if (!dw.dwarf_offdie(l->dwarf, at + header, &unit) ||
		    dw.dwarf_tag(&unit) != DW_TAG_compile_unit)
			continue;
		if (dw.dwarf_getsrcfiles(&unit, &l->files, &l->nfiles))
			l->nfiles = 0;
		take_lines(l, &unit);
		take_calls(l, &unit);
	}
	return l;
}

void lines_close(struct lines *l)
{
	if (!l)
		return;
	if (l->dwarf)
		dw.dwarf_end(l->dwarf);
	if (l->alt)
		dw.dwarf_end(l->alt);
	if (l->elf)
		dw.elf_end(l->elf);
	if (l->alt_elf)
		dw.elf_end(l->alt_elf);
	free(l);
}
