/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug.c - see debug.h.
 */
#include "symbolize/debug.h"

#include <dwarf.h>
#include <stdlib.h>

#define ABBREVS_MAX	(1U << 16)	/* of a unit */

struct reader debug_reader(const struct section *s, u64 at)
{
	return at < s->size ? (struct reader){ .at = s->p + at, .end = s->p + s->size }
			    : (struct reader){ .at = s->p, .end = s->p, .failed = 1 };
}

static const char *text_at(const struct section *s, u64 at)
{
	struct reader r = debug_reader(s, at);

	return r.failed ? "" : take_text(&r);
}

static u64 number_at(const struct section *s, u64 at, u32 bytes)
{
	struct reader r = debug_reader(s, at);

	return take(&r, bytes);
}

u64 debug_address(struct debug *d, const struct debug_unit *u, u64 index)
{
	return number_at(&d->addr, u->addr_base + index * u->address_size, u->address_size);
}

/* ---- values --------------------------------------------------------------------*/

static const char *indexed_text(struct debug *d, const struct debug_unit *u, u64 index)
{
	return text_at(&d->str, number_at(&d->str_offsets, u->str_base + index * u->offset_size,
					  u->offset_size));
}

static u64 skipped(struct reader *r, u64 n)
{
	take_skip(r, n);
	return 0;
}

struct debug_value debug_form(struct debug *d, const struct debug_unit *u, struct reader *r,
			      u64 form, s64 implicit)
{
	struct debug_value v = { .form = (u16)form };

	switch (form) {		/* flat switch */
	case DW_FORM_addr:		v.n = take(r, u->address_size); break;
	case DW_FORM_addrx:		v.n = debug_address(d, u, take_uleb(r)); break;
	case DW_FORM_addrx1:		v.n = debug_address(d, u, take(r, 1)); break;
	case DW_FORM_addrx2:		v.n = debug_address(d, u, take(r, 2)); break;
	case DW_FORM_addrx3:		v.n = debug_address(d, u, take(r, 3)); break;
	case DW_FORM_addrx4:		v.n = debug_address(d, u, take(r, 4)); break;
	case DW_FORM_data1: case DW_FORM_flag:	v.n = take(r, 1); break;
	case DW_FORM_data2:		v.n = take(r, 2); break;
	case DW_FORM_data4:		v.n = take(r, 4); break;
	case DW_FORM_data8: case DW_FORM_ref_sig8: case DW_FORM_ref_sup8: v.n = take(r, 8); break;
	case DW_FORM_data16:		skipped(r, 16); break;
	case DW_FORM_sdata:		v.n = (u64)take_sleb(r); break;
	case DW_FORM_udata: case DW_FORM_loclistx: case DW_FORM_rnglistx: v.n = take_uleb(r); break;
	case DW_FORM_implicit_const:	v.n = (u64)implicit; break;
	case DW_FORM_flag_present:	v.n = 1; break;
	case DW_FORM_sec_offset:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt: v.n = take(r, u->offset_size); break;
	case DW_FORM_ref_sup4:		v.n = take(r, 4); break;
	case DW_FORM_ref_addr:
		v.n = take(r, u->version > 2 ? u->offset_size : u->address_size);
		break;
	case DW_FORM_ref1:		v.n = u->start + take(r, 1); break;
	case DW_FORM_ref2:		v.n = u->start + take(r, 2); break;
	case DW_FORM_ref4:		v.n = u->start + take(r, 4); break;
	case DW_FORM_ref8:		v.n = u->start + take(r, 8); break;
	case DW_FORM_ref_udata:		v.n = u->start + take_uleb(r); break;
	case DW_FORM_string:		v.text = take_text(r); break;
	case DW_FORM_strp:		v.text = text_at(&d->str, take(r, u->offset_size)); break;
	case DW_FORM_line_strp: v.text = text_at(&d->line_str, take(r, u->offset_size)); break;
	case DW_FORM_strx:		v.text = indexed_text(d, u, take_uleb(r)); break;
	case DW_FORM_strx1:		v.text = indexed_text(d, u, take(r, 1)); break;
	case DW_FORM_strx2:		v.text = indexed_text(d, u, take(r, 2)); break;
	case DW_FORM_strx3:		v.text = indexed_text(d, u, take(r, 3)); break;
	case DW_FORM_strx4:		v.text = indexed_text(d, u, take(r, 4)); break;
	case DW_FORM_block1:		skipped(r, take(r, 1)); break;
	case DW_FORM_block2:		skipped(r, take(r, 2)); break;
	case DW_FORM_block4:		skipped(r, take(r, 4)); break;
	case DW_FORM_block: case DW_FORM_exprloc: skipped(r, take_uleb(r)); break;
	default:			r->failed = 1;
	}
	return v;
}

/* ---- units ---------------------------------------------------------------------*/

/* 0, or -1: no unit here, or an unsupported one. *r moves past it in any case. */
static int take_unit(const struct debug *d, struct reader *r, struct debug_unit *u)
{
	u64 length, type = DW_UT_compile;
	struct reader in;

	*u = (struct debug_unit){ .start = (u64)(r->at - d->info.p), .offset_size = 4, .lines = ~0ULL, .folder = "" };
	length = take(r, 4);
	if (length == 0xffffffff) {
		length = take(r, 8);
		u->offset_size = 8;
	}
	in = *r;
	take_skip(r, length);
	in.end = r->at;
	u->end = (u64)(r->at - d->info.p);
	u->version = (u16)take(&in, 2);
	if (u->version >= 5) {
		type = take(&in, 1);
		u->address_size = (u8)take(&in, 1);
	}
	u->abbrev_at = take(&in, u->offset_size);
	if (u->version < 5)
		u->address_size = (u8)take(&in, 1);
	u->first = (u64)(in.at - d->info.p);
	u->str_base = u->offset_size == 8 ? 16 : 8;
	u->addr_base = 8;
	return r->failed || in.failed || u->version < 2 || u->version > 5 || u->address_size > 8 ||
	       (type != DW_UT_compile && type != DW_UT_partial) ? -1 : 0;
}

static int add_unit(struct debug *d, const struct debug_unit *u)
{
	struct debug_unit *more =
		d->nunits & (d->nunits - 1)
			? d->unit
			: realloc(d->unit, (d->nunits ? 2UL * d->nunits : 1) * sizeof(*more));

	if (!more)
		return -1;
	d->unit = more;
	d->unit[d->nunits++] = *u;
	return 0;
}

static void root_attribute(struct debug_unit *u, u16 name, const struct debug_value *v)
{
	switch (name) {
	case DW_AT_stmt_list:		u->lines = v->n; break;
	case DW_AT_comp_dir:		u->folder = v->text ? v->text : ""; break;
	case DW_AT_low_pc:		u->low = v->n; break;
	case DW_AT_str_offsets_base:	u->str_base = v->n; break;
	case DW_AT_addr_base:		u->addr_base = v->n; break;
	case DW_AT_rnglists_base:	u->rnglists_base = v->n; break;
	}
}

/* Reads the attributes twice: values may come before the bases that they depend on. */
static void take_root(struct debug *d, struct debug_unit *u)
{
	struct debug_value v;
	struct debug_die die;
	u16 name;

	for (int pass = 0; pass < 2; pass++)
		if (!debug_die(d, u, u->first, &die))
			while ((name = debug_attribute(d, u, &die, &v)))
				root_attribute(u, name, &v);
}

int debug_open(struct debug *d, const void *elf, u64 size)
{
	const struct {
		const char *name;
		struct section *to;
	} sections[] = {
		{ ".debug_info", &d->info },	     { ".debug_abbrev", &d->abbrevs },
		{ ".debug_line", &d->line },	     { ".debug_str", &d->str },
		{ ".debug_line_str", &d->line_str }, { ".debug_str_offsets", &d->str_offsets },
		{ ".debug_addr", &d->addr },	     { ".debug_ranges", &d->ranges },
		{ ".debug_rnglists", &d->rnglists },
	};
	struct debug_unit u;
	struct reader r;

	*d = (struct debug){ 0 };
	if (elf_look(&d->elf, elf, size))
		return -1;
	for (unsigned i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		sections[i].to->p = elf_section(&d->elf, sections[i].name, &sections[i].to->size);
	if (!d->info.p || !d->abbrevs.p)
		return -1;
	for (r = debug_reader(&d->info, 0); r.at < r.end; )
		if (!take_unit(d, &r, &u) && add_unit(d, &u))
			return -1;
	for (u32 i = 0; i < d->nunits; i++)
		take_root(d, &d->unit[i]);
	return d->nunits ? 0 : -1;
}

void debug_close(struct debug *d)
{
	for (u32 i = 0; i < d->nunits; i++)
		free(d->unit[i].abbrev);
	free(d->unit);
	elf_close(&d->elf);
}

struct debug_unit *debug_unit_of(struct debug *d, u64 at)
{
	u32 low = 0, high = d->nunits;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (d->unit[middle].start <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low && at >= d->unit[low - 1].first && at < d->unit[low - 1].end ? &d->unit[low - 1]
										: NULL;
}

/* ---- DIEs ----------------------------------------------------------------------*/

/* The next attribute of an abbreviation; 0: no more. */
static u64 take_spec(struct reader *r, u64 *form, s64 *implicit)
{
	u64 name = take_uleb(r);

	*form = take_uleb(r);
	*implicit = *form == DW_FORM_implicit_const ? take_sleb(r) : 0;
	return r->failed || !*form ? 0 : name;
}

static int read_abbrevs(struct debug *d, struct debug_unit *u)
{
	struct reader r = debug_reader(&d->abbrevs, u->abbrev_at);
	u64 code, form;
	s64 implicit;

	while (!r.failed && (code = take_uleb(&r)) && code < ABBREVS_MAX) {
		if (code >= u->nabbrev) {
			const u8 **more = realloc(u->abbrev, 2 * (code + 1) * sizeof(*more));

			if (!more)
				return -1;
			memset(more + u->nabbrev, 0, (2 * (code + 1) - u->nabbrev) * sizeof(*more));
			u->abbrev = more;
			u->nabbrev = 2 * (code + 1);
		}
		u->abbrev[code] = r.at;
		take_uleb(&r);
		take(&r, 1);
		while (take_spec(&r, &form, &implicit))
			;
	}
	return u->nabbrev ? 0 : -1;
}

int debug_die(struct debug *d, struct debug_unit *u, u64 at, struct debug_die *die)
{
	struct reader abbrev;
	u64 code;

	if (at >= u->end || (!u->abbrev && read_abbrevs(d, u)))
		return -1;
	*die = (struct debug_die){ .at = at, .r = { .at = d->info.p + at, .end = d->info.p + u->end } };
	code = take_uleb(&die->r);
	if (!code)
		return die->r.failed ? -1 : 0;
	if (code >= u->nabbrev || !u->abbrev[code])
		return -1;
	abbrev = (struct reader){ .at = u->abbrev[code], .end = d->abbrevs.p + d->abbrevs.size };
	die->tag = (u16)take_uleb(&abbrev);
	die->has_children = (u8)take(&abbrev, 1);
	die->attributes = abbrev.at;
	return 0;
}

u16 debug_attribute(struct debug *d, const struct debug_unit *u, struct debug_die *die,
		    struct debug_value *value)
{
	struct reader abbrev = { .at = die->attributes, .end = d->abbrevs.p + d->abbrevs.size };
	u64 form, name;
	s64 implicit;

	name = die->attributes && !die->r.failed ? take_spec(&abbrev, &form, &implicit) : 0;
	if (!name)
		return 0;
	die->attributes = abbrev.at;
	if (form == DW_FORM_indirect)
		form = take_uleb(&die->r);
	*value = debug_form(d, u, &die->r, form, implicit);
	return (u16)name;
}
