/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug.h - a reader of DWARF 2 to 5 for source lines and inlined calls: units, DIEs, attribute
 * values, line programs.
 *
 * For programs that do not load libdw. Input is untrusted: an error ends the unit, not the
 * program. Compressed sections, supplementary and split files and type units are not read.
 */
#ifndef LAPWING_SYMBOLIZE_DEBUG_H
#define LAPWING_SYMBOLIZE_DEBUG_H

#include "symbolize/elffile.h"
#include "symbolize/reader.h"

struct section { const u8 *p; u64 size; };

struct debug_unit {
	u64		start, first, end;	/* in .debug_info: header, first DIE, end of the
						 * last */
	u64		abbrev_at;		/* in .debug_abbrev */
	const u8	**abbrev;		/* by code; read with the first DIE; NULL holes */
	u64		nabbrev;
	u64		low, str_base, addr_base, rnglists_base;
	u64		lines;			/* in .debug_line; ~0: none */
	const char	*folder;		/* compilation directory */
	u16		version;
	u8		address_size, offset_size;
};

struct debug {
	struct elf	elf;
	struct section	info, abbrevs, line, str, line_str, str_offsets, addr, ranges, rnglists;
	struct debug_unit *unit;
	u32		nunits;
};

/* An attribute's value: a number, a string, or neither. References are offsets in .debug_info. */
struct debug_value { u16 form; u64 n; const char *text; };

struct debug_die {
	u64		at;			/* in .debug_info; of the DIE */
	u16		tag;			/* 0: ends its siblings */
	u8		has_children;
	const u8	*attributes;		/* in .debug_abbrev */
	/* position in .debug_info: after the DIE's code, then after each attribute */
	struct reader	r;
};

/*
 * 0, or -1: no readable DWARF. Call debug_close() in both cases. The caller still owns the file's
 * bytes.
 */
int debug_open(struct debug *d, const void *elf, u64 size);
void debug_close(struct debug *d);
struct reader debug_reader(const struct section *s, u64 at);
struct debug_unit *debug_unit_of(struct debug *d, u64 at);	/* the unit of a DIE; NULL: none */
/* Reads the DIE at an offset. 0; -1: end of the unit, or an error. */
int debug_die(struct debug *d, struct debug_unit *u, u64 at, struct debug_die *die);
/*
 * Reads the next attribute. Returns its name, or 0 after the last one: die->r is then at the next
 * DIE.
 */
u16 debug_attribute(struct debug *d, const struct debug_unit *u, struct debug_die *die,
		    struct debug_value *value);
/* Reads a value of a form (DW_FORM_*); line programs use forms too. */
struct debug_value debug_form(struct debug *d, const struct debug_unit *u, struct reader *r,
			      u64 form, s64 implicit);
/* an address from .debug_addr */
u64 debug_address(struct debug *d, const struct debug_unit *u, u64 index);

#endif
