/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug.h - DWARF 2 to 5 of an ELF file, as much of it as source lines and inlined calls need: units, DIEs, values; line programs.
 *
 * For programs that load no libdw. Foreign bytes: what is wrong ends a unit, not the program. No compressed sections, no supplementary or
 * split files, no type units.
 */
#ifndef LAPWING_SYMBOLIZE_DEBUG_H
#define LAPWING_SYMBOLIZE_DEBUG_H

#include "symbolize/elffile.h"
#include "symbolize/reader.h"

struct section { const u8 *p; u64 size; };

struct debug_unit {
	u64		start, first, end;	/* in .debug_info: header, first DIE, behind the last */
	u64		abbrev_at;		/* in .debug_abbrev */
	const u8	**abbrev;		/* by code; read when a DIE is; NULL holes */
	u64		nabbrev;
	u64		low, str_base, addr_base, rnglists_base;
	u64		lines;			/* in .debug_line; ~0: none */
	const char	*folder;		/* it was compiled in */
	u16		version;
	u8		address_size, offset_size;
};

struct debug {
	struct elf	elf;
	struct section	info, abbrevs, line, str, line_str, str_offsets, addr, ranges, rnglists;
	struct debug_unit *unit;
	u32		nunits;
};

/* An attribute's value: a number, a text, or neither. References are offsets in .debug_info. */
struct debug_value { u16 form; u64 n; const char *text; };

struct debug_die {
	u64		at;			/* in .debug_info; of the DIE */
	u16		tag;			/* 0: ends its siblings */
	u8		has_children;
	const u8	*attributes;		/* in .debug_abbrev */
	struct reader	r;			/* behind its code, then behind what was read */
};

/* 0, or -1: no DWARF that we can read. debug_close() in any case. The file's bytes stay the caller's. */
int debug_open(struct debug *d, const void *elf, u64 size);
void debug_close(struct debug *d);
struct reader debug_reader(const struct section *s, u64 at);
struct debug_unit *debug_unit_of(struct debug *d, u64 at);	/* that holds a DIE; NULL: none */
/* The DIE there. 0; -1: the unit is over, or wrong. */
int debug_die(struct debug *d, struct debug_unit *u, u64 at, struct debug_die *die);
/* The next attribute: its name, or 0 after the last: then die->r is at the next DIE. */
u16 debug_attribute(struct debug *d, const struct debug_unit *u, struct debug_die *die, struct debug_value *value);
/* A value as forms write it; for line programs too. */
struct debug_value debug_form(struct debug *d, const struct debug_unit *u, struct reader *r, u64 form, s64 implicit);
u64 debug_address(struct debug *d, const struct debug_unit *u, u64 index);	/* out of .debug_addr */

#endif
