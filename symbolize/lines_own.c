/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines_own.c - see lines.h: for static programs, which cannot load libdw; uses debug.h.
 */
#include "symbolize/debug.h"
#include "symbolize/debug_line.h"
#include "symbolize/lines.h"

#include <dwarf.h>
#include <stdlib.h>

#define ORIGINS_MAX 16		/* DIEs on the way to a name */

struct lines {
	struct debug	debug;
	struct debug_files *files;	/* of each unit: own strings of the table */
	/* during reading */
	lines_place	*place;
	const void	*arg;
	struct table	*b;
};

/* The end of a sequence is after its last byte, and may be the end of the segment. */
static void take_row(void *data, u64 address, const char *file, s64 line)
{
	struct lines *l = data;
	int is_end = line < 0;
	u64 at;

	if (!l->place(l->arg, address - (u64)is_end, &at))
		table_add_line(l->b, at + (u64)is_end, file, is_end ? 0 : (u32)line);
}

/* ---- inlined calls -------------------------------------------------------------*/

/* The name of a DIE, possibly via its origin; NULL: none. */
static const char *name_of(struct lines *l, u64 at)
{
	for (u32 step = 0; step < ORIGINS_MAX && at; step++) {
		struct debug_unit *u = debug_unit_of(&l->debug, at);
		const char *name = NULL;
		struct debug_value v;
		struct debug_die die;
		u64 next = 0;
		u16 what;

		if (!u || debug_die(&l->debug, u, at, &die))
			return NULL;
		while ((what = debug_attribute(&l->debug, u, &die, &v))) {
			if (what == DW_AT_name)
				name = v.text;
			else if (what == DW_AT_abstract_origin || what == DW_AT_specification)
				next = v.form == DW_FORM_GNU_ref_alt ||
						       v.form == DW_FORM_ref_sup4 ||
						       v.form == DW_FORM_ref_sup8
					       ? 0
					       : v.n;
		}
		if (name)
			return name;
		at = next;
	}
	return NULL;
}

struct call { struct inlined in; u64 origin, file, low, high, ranges; u16 high_form, ranges_form; };

static void call_attribute(struct call *c, u16 name, const struct debug_value *v)
{
	switch (name) {
	case DW_AT_abstract_origin:	c->origin = v->n; break;
	case DW_AT_call_file:		c->file = v->n; break;
	case DW_AT_call_line:		c->in.line = (u32)v->n; break;
	case DW_AT_low_pc:		c->low = v->n; break;
	case DW_AT_high_pc:		c->high = v->n; c->high_form = v->form; break;
	case DW_AT_ranges:		c->ranges = v->n; c->ranges_form = v->form; break;
	}
}

static void add_range(struct lines *l, const struct call *c, u64 low, u64 high)
{
	struct inlined in = c->in;

	if (low < high && !l->place(l->arg, low, &in.start)) {
		in.end = in.start + (high - low);
		table_add_inlined(l->b, &in);
	}
}

/* Up to version 4: pairs of addresses, or the largest address and a new base. */
static void add_pairs(struct lines *l, const struct debug_unit *u, const struct call *c)
{
	struct reader r = debug_reader(&l->debug.ranges, c->ranges);
	u64 all = u->address_size == 8 ? ~0ULL : (1ULL << 8 * u->address_size) - 1, base = u->low;

	while (!r.failed) {
		u64 low = take(&r, u->address_size), high = take(&r, u->address_size);

		if (!low && !high)
			break;
		if (low == all)
			base = high;
		else
			add_range(l, c, base + low, base + high);
	}
}

/* One entry of a list; 0: it was the last. */
static int add_entry(struct lines *l, const struct debug_unit *u, const struct call *c,
		     struct reader *r, u64 *base)
{
	u64 low;

	switch (take(r, 1)) {
	case DW_RLE_base_addressx:	*base = debug_address(&l->debug, u, take_uleb(r)); return 1;
	case DW_RLE_base_address:	*base = take(r, u->address_size); return 1;
	case DW_RLE_offset_pair:
		low = *base + take_uleb(r);
		add_range(l, c, low, *base + take_uleb(r));
		return 1;
	case DW_RLE_start_end:
		low = take(r, u->address_size);
		add_range(l, c, low, take(r, u->address_size));
		return 1;
	case DW_RLE_start_length:
		low = take(r, u->address_size);
		add_range(l, c, low, low + take_uleb(r));
		return 1;
	case DW_RLE_startx_length:
		low = debug_address(&l->debug, u, take_uleb(r));
		add_range(l, c, low, low + take_uleb(r));
		return 1;
	case DW_RLE_startx_endx:
		low = debug_address(&l->debug, u, take_uleb(r));
		add_range(l, c, low, debug_address(&l->debug, u, take_uleb(r)));
		return 1;
	}
	return 0;
}

static void add_list(struct lines *l, const struct debug_unit *u, const struct call *c)
{
	struct reader r = debug_reader(&l->debug.rnglists, c->ranges);
	u64 base = u->low;

	if (c->ranges_form == DW_FORM_rnglistx) {
		r = debug_reader(&l->debug.rnglists, u->rnglists_base + c->ranges * u->offset_size);
		r = debug_reader(&l->debug.rnglists, u->rnglists_base + take(&r, u->offset_size));
	}
	while (!r.failed && add_entry(l, u, c, &r, &base))
		;
}

static void add_call(struct lines *l, const struct debug_unit *u, const struct debug_files *files,
		     struct call *c)
{
	c->in.name = name_of(l, c->origin);
	c->in.file = c->file < files->n ? files->name[c->file] : "";
	if (!*c->in.file)
		c->in.line = 0;
	if (!c->in.name)
		return;
	if (c->ranges_form && u->version >= 5)
		add_list(l, u, c);
	else if (c->ranges_form)
		add_pairs(l, u, c);
	else
		add_range(l, c, c->low,
			  c->high_form == DW_FORM_addr ||
					  (c->high_form >= DW_FORM_addrx1 &&
					   c->high_form <= DW_FORM_addrx4) ||
					  c->high_form == DW_FORM_addrx
				  ? c->high
				  : c->low + c->high);
}

static void take_calls(struct lines *l, struct debug_unit *u, const struct debug_files *files)
{
	struct debug_value v;
	struct debug_die die;
	u32 depth = 0;
	u16 name;

	for (u64 at = u->first; !debug_die(&l->debug, u, at, &die) && !die.r.failed;
	     at = (u64)(die.r.at - l->debug.info.p)) {
		struct call c = { .in.depth = depth };

		while ((name = debug_attribute(&l->debug, u, &die, &v)))
			call_attribute(&c, name, &v);
		if (die.tag == DW_TAG_inlined_subroutine)
			add_call(l, u, files, &c);
		depth = depth + die.has_children - (!die.tag && depth);
	}
}

/* ---- whole files ---------------------------------------------------------------*/

struct lines *lines_take(const struct elf *elf, const struct elf *alt, lines_place *place,
			 const void *arg, struct table *b)
{
	struct lines *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	*l = (struct lines){ .place = place, .arg = arg, .b = b };
	if (debug_open(&l->debug, elf->p, elf->size) ||
	    !(l->files = calloc(l->debug.nunits, sizeof(*l->files)))) {
		lines_close(l);
		return NULL;
	}
	for (u32 i = 0; i < l->debug.nunits; i++) {
		debug_lines(&l->debug, &l->debug.unit[i], &l->files[i], take_row, l);
		take_calls(l, &l->debug.unit[i], &l->files[i]);
	}
	return l;
}

void lines_close(struct lines *l)
{
	if (!l)
		return;
	for (u32 i = 0; l->files && i < l->debug.nunits; i++)
		debug_files_free(&l->files[i]);
	free(l->files);
	debug_close(&l->debug);
	free(l);
}
