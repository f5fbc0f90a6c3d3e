/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfi.c - see cfi.h. .eh_frame through the search table of .eh_frame_hdr, as every linker makes it.
 */
#include "symbolize/cfi.h"

#include "symbolize/reader.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

#define REMEMBERED 8		/* nested DW_CFA_remember_state */

/* A pointer in one of .eh_frame's encodings: absolute or relative to its own place. */
static u64 take_pointer(struct reader *r, u8 encoding)
{
	u64 base = (encoding & 0x70) == 0x10 ? r->address : 0;

	switch (encoding & 0x0f) {
	case 0x00: case 0x04: case 0x0c: return base + take(r, 8);
	case 0x01: return base + take_uleb(r);
	case 0x09: return base + (u64)take_sleb(r);
	case 0x02: return base + take(r, 2);
	case 0x0a: return base + (u64)take_signed(r, 2);
	case 0x03: return base + take(r, 4);
	case 0x0b: return base + (u64)take_signed(r, 4);
	}
	r->failed = 1;
	return 0;
}

/* ---- the file --------------------------------------------------------------------*/

struct file {
	const u8	*p;
	u64		size;
	const Elf64_Phdr *ph;
	u32		nph;
};

static int file_look(struct file *f, const u8 *p, u64 size)
{
	const Elf64_Ehdr *eh = (const Elf64_Ehdr *)p;

	if (size < sizeof(*eh) || memcmp(eh->e_ident, ELFMAG, SELFMAG) ||
	    eh->e_ident[EI_CLASS] != ELFCLASS64 || eh->e_phoff & 7 || eh->e_phoff > size ||
	    eh->e_phnum > (size - eh->e_phoff) / sizeof(Elf64_Phdr))
		return -1;
	*f = (struct file){ p, size, (const Elf64_Phdr *)(p + eh->e_phoff), eh->e_phnum };
	return 0;
}

static u64 address_of(const struct file *f, u64 offset)
{
	for (u32 i = 0; i < f->nph; i++)
		if (f->ph[i].p_type == PT_LOAD && offset - f->ph[i].p_offset < f->ph[i].p_filesz)
			return offset - f->ph[i].p_offset + f->ph[i].p_vaddr;
	return 0;
}

/* The bytes from an address to the end of their segment. */
static struct reader reader_at(const struct file *f, u64 address)
{
	for (u32 i = 0; i < f->nph; i++) {
		const Elf64_Phdr *p = &f->ph[i];

		if (p->p_type == PT_LOAD && address - p->p_vaddr < p->p_filesz &&
		    p->p_offset <= f->size && p->p_filesz <= f->size - p->p_offset)
			return (struct reader){ f->p + p->p_offset + (address - p->p_vaddr),
						f->p + p->p_offset + p->p_filesz, address, 0 };
	}
	return (struct reader){ .failed = 1 };
}

/* ---- one function's description ------------------------------------------------------*/

struct cie {
	u64		code_align;
	s64		data_align;
	u8		encoding;	/* of the FDE's addresses */
	int		has_augmentation;
	struct reader	program;
};

/* The contents of a CIE or FDE, after its length. */
static struct reader entry_at(const struct file *f, u64 address)
{
	struct reader r = reader_at(f, address);
	u64 length = take(&r, 4);

	if (length >= 0xfffffff0 || length > (u64)(r.end - r.at))
		r.failed = 1;
	else
		r.end = r.at + length;
	return r;
}

static int read_cie(const struct file *f, u64 address, struct cie *cie, struct cfi_row *row)
{
	struct reader r = entry_at(f, address), augmentation;
	const char *text;
	u8 version;

	take(&r, 4);		/* 0: a CIE */
	version = (u8)take(&r, 1);
	text = (const char *)r.at;
	while (!r.failed && take(&r, 1))
		;
	cie->code_align = take_uleb(&r);
	cie->data_align = take_sleb(&r);
	row->ra = (u32)(version == 1 ? take(&r, 1) : take_uleb(&r));
	if (r.failed || row->ra >= CFI_REGS || (*text && *text != 'z'))
		return -1;
	cie->encoding = 0;
	cie->has_augmentation = *text == 'z';
	if (cie->has_augmentation) {
		u64 length = take_uleb(&r);

		if (length > (u64)(r.end - r.at))
			return -1;
		augmentation = r;
		augmentation.end = r.at + length;
		r.at += length;
		r.address += length;
		for (text++; *text && !augmentation.failed; text++) {
			if (*text == 'R')
				cie->encoding = (u8)take(&augmentation, 1);
			else if (*text == 'L')
				take(&augmentation, 1);
			else if (*text == 'P')
				take_pointer(&augmentation, (u8)take(&augmentation, 1));
			else if (*text == 'S')
				row->is_signal = 1;
		}
	}
	cie->program = r;
	return 0;
}

/* .eh_frame_hdr: addresses of functions and of their FDEs, relative to its own, sorted. */
struct search_table {
	const u8	*at;
	u64		address, count;
};

static struct search_table find_table(const struct file *f)
{
	u64 header = 0, count;
	struct reader r;

	for (u32 i = 0; i < f->nph; i++)
		if (f->ph[i].p_type == PT_GNU_EH_FRAME)
			header = f->ph[i].p_vaddr;
	r = reader_at(f, header);
	/*
	 * version 1; the pointer to .eh_frame in any encoding, the count as 4 bytes, the table as
	 * 4-byte distances from the header's address
	 */
	if (!header || take(&r, 1) != 1)
		return (struct search_table){ 0 };
	count = take(&r, 3);
	if (count >> 16 != 0x3b || (count >> 8 & 0xff) != 0x03)
		return (struct search_table){ 0 };
	take_pointer(&r, (u8)count);
	count = take(&r, 4);
	if (r.failed || count > (u64)(r.end - r.at) / 8)
		return (struct search_table){ 0 };
	return (struct search_table){ r.at, header, count };
}

/* word 0: start of function i; 1: its FDE */
static u64 table_word(const struct search_table *t, u64 i, int word)
{
	s32 distance;

	memcpy(&distance, t->at + 8 * i + 4 * word, sizeof(distance));
	return t->address + (u64)(s64)distance;
}

/* Number of functions that begin at or before an address. */
static u64 begun_until(const struct search_table *t, u64 address)
{
	u64 low = 0;

	for (u64 high = t->count; low < high; ) {
		u64 middle = low + (high - low) / 2;

		if (table_word(t, middle, 0) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The address of the FDE that may cover an address. 0: none. */
static u64 find_fde(const struct file *f, u64 wanted)
{
	struct search_table t = find_table(f);
	u64 n = begun_until(&t, wanted);

	return n ? table_word(&t, n - 1, 1) : 0;
}

u64 cfi_next(const u8 *p, u64 size, u64 offset)
{
	struct search_table t;
	struct file f;
	u64 address, n;

	if (file_look(&f, p, size))
		return ~0ULL;
	address = address_of(&f, offset);
	t = find_table(&f);
	n = begun_until(&t, address);
	return address && n < t.count ? table_word(&t, n, 0) - address + offset : ~0ULL;
}

/* The address of a section; 0: no such section. */
static u64 section_address(const struct file *f, const char *wanted, u64 *size)
{
	const Elf64_Ehdr *eh = (const Elf64_Ehdr *)f->p;
	const Elf64_Shdr *sh = (const Elf64_Shdr *)(f->p + eh->e_shoff),
			 *names = sh + eh->e_shstrndx;

	if (!eh->e_shoff || eh->e_shoff & 7 || eh->e_shoff > f->size ||
	    eh->e_shnum > (f->size - eh->e_shoff) / sizeof(*sh) || eh->e_shstrndx >= eh->e_shnum ||
	    names->sh_offset > f->size || names->sh_size > f->size - names->sh_offset ||
	    !names->sh_size || f->p[names->sh_offset + names->sh_size - 1])
		return 0;
	for (u32 i = 0; i < eh->e_shnum; i++)
		if (sh[i].sh_name < names->sh_size &&
		    !strcmp((const char *)f->p + names->sh_offset + sh[i].sh_name, wanted)) {
			*size = sh[i].sh_size;
			return sh[i].sh_addr;
		}
	return 0;
}

/* Static programs have no search table: searches all of .eh_frame. */
static u64 find_fde_slowly(const struct file *f, u64 wanted)
{
	u64 size = 0, at = section_address(f, ".eh_frame", &size), end = at + size, known = 0;
	struct cfi_row row = { 0 };
	struct cie cie = { 0 };

	while (at && at < end) {
		struct reader r = entry_at(f, at);
		u64 place = r.address, length = (u64)(r.end - r.at), id, start;

		if (r.failed)
			return 0;
		id = length ? take(&r, 4) : 0;		/* empty: ends an object file's part */
		if (id && place - id != known) {
			known = place - id;
			if (read_cie(f, known, &cie, &row))
				return 0;
		}
		if (id) {
			start = take_pointer(&r, cie.encoding);
			if (wanted - start < take_pointer(&r, cie.encoding & 0x0f))
				return at;
		}
		at = place + length;
	}
	return 0;
}

/* ---- running the program -------------------------------------------------------------*/

struct machine {
	const struct cie *cie;
	struct cfi_row	row, initial, kept[REMEMBERED];
	u32		nkept;
	u64		at;		/* code location */
};

static void set_rule(struct machine *m, u64 reg, u8 how, s64 n)
{
	if (reg < CFI_REGS)
		m->row.reg[reg] = (struct cfi_rule){ .how = how, .n = n };
}

static void set_cfa(struct machine *m, u64 reg, s64 offset)
{
	m->row.cfa = (struct cfi_rule){ .how = CFI_REGISTER, .n = (s64)reg };
	m->row.cfa_offset = offset;
}

static struct cfi_rule take_expression(struct reader *r, u8 how)
{
	struct cfi_rule rule = { .how = how };
	u64 length = take_uleb(r);

	if (length > (u64)(r->end - r->at)) {
		r->failed = 1;
		return rule;
	}
	rule.at = r->at;
	rule.end = r->at += length;
	return rule;
}

/* The instructions without an operand in their first byte. flat switch */
static void run_extended(struct machine *m, struct reader *r, u8 op)
{
	s64 align = m->cie->data_align;
	struct cfi_rule rule;
	u64 reg;

	switch (op) {
	case 0x00: break;
	case 0x01: m->at = take_pointer(r, m->cie->encoding); break;
	case 0x02: m->at += take(r, 1) * m->cie->code_align; break;
	case 0x03: m->at += take(r, 2) * m->cie->code_align; break;
	case 0x04: m->at += take(r, 4) * m->cie->code_align; break;
	case 0x05:
		reg = take_uleb(r);
		set_rule(m, reg, CFI_OFFSET, (s64)take_uleb(r) * align);
		break;
	case 0x06:
		reg = take_uleb(r);
		if (reg < CFI_REGS)
			m->row.reg[reg] = m->initial.reg[reg];
		break;
	case 0x07: set_rule(m, take_uleb(r), CFI_UNDEFINED, 0); break;
	case 0x08: set_rule(m, take_uleb(r), CFI_SAME, 0); break;
	case 0x09: reg = take_uleb(r); set_rule(m, reg, CFI_REGISTER, (s64)take_uleb(r)); break;
	case 0x0a:
		if (m->nkept < REMEMBERED)
			m->kept[m->nkept++] = m->row;
		else
			r->failed = 1;
		break;
	case 0x0b:
		if (m->nkept)
			m->row = m->kept[--m->nkept];
		else
			r->failed = 1;
		break;
	case 0x0c: reg = take_uleb(r); set_cfa(m, reg, (s64)take_uleb(r)); break;
	case 0x0d: set_cfa(m, take_uleb(r), m->row.cfa_offset); break;
	case 0x0e: m->row.cfa_offset = (s64)take_uleb(r); break;
	case 0x0f: m->row.cfa = take_expression(r, CFI_VALUE_EXPRESSION); break;
	case 0x10:
	case 0x16:
		reg = take_uleb(r);
		rule = take_expression(r, op == 0x10 ? CFI_EXPRESSION : CFI_VALUE_EXPRESSION);
		if (reg < CFI_REGS)
			m->row.reg[reg] = rule;
		break;
	case 0x11: reg = take_uleb(r); set_rule(m, reg, CFI_OFFSET, take_sleb(r) * align); break;
	case 0x12: reg = take_uleb(r); set_cfa(m, reg, take_sleb(r) * align); break;
	case 0x13: m->row.cfa_offset = take_sleb(r) * align; break;
	case 0x14:
		reg = take_uleb(r);
		set_rule(m, reg, CFI_VALUE_OFFSET, (s64)take_uleb(r) * align);
		break;
	case 0x15:
		reg = take_uleb(r);
		set_rule(m, reg, CFI_VALUE_OFFSET, take_sleb(r) * align);
		break;
	case 0x2d:
		/* arm64: return addresses are signed from here on; signatures are removed anyway */
		break;
	case 0x2e: take_uleb(r); break;	/* size of arguments */
	default: r->failed = 1;
	}
}

/*
 * Runs up to the wanted place: then m->at is beyond it, or all was run. It can be called again for
 * a later place.
 */
static int run(struct machine *m, struct reader *r, u64 wanted)
{
	while (!r->failed && r->at < r->end && m->at <= wanted) {
		u8 op = (u8)take(r, 1), low = op & 0x3f;

		if (op >> 6 == 1)
			m->at += low * m->cie->code_align;
		else if (op >> 6 == 2)
			set_rule(m, low, CFI_OFFSET, (s64)take_uleb(r) * m->cie->data_align);
		else if (op >> 6 == 0)
			run_extended(m, r, op);
		else if (low < CFI_REGS)
			m->row.reg[low] = m->initial.reg[low];
	}
	return r->failed ? -1 : 0;
}

/* A function's FDE: its range, and the rest of its program. */
struct fde {
	u64		start, end;
	struct cie	cie;
	struct machine	m;
	struct reader	program;
};

/* Opens an FDE, with the rules at its start. 0 or -1. */
static int fde_open(const struct file *f, u64 at, struct fde *fde)
{
	struct reader r = entry_at(f, at);
	u64 place = r.address, skip;

	memset(fde, 0, sizeof(*fde));
	fde->m.cie = &fde->cie;
	if (read_cie(f, place - take(&r, 4), &fde->cie, &fde->m.row))
		return -1;
	fde->start = take_pointer(&r, fde->cie.encoding);
	fde->end = fde->start + take_pointer(&r, fde->cie.encoding & 0x0f);
	if (fde->cie.has_augmentation) {
		skip = take_uleb(&r);
		if (skip > (u64)(r.end - r.at))
			return -1;
		r.at += skip;
		r.address += skip;
	}
	fde->program = r;
	fde->m.at = fde->start;
	if (r.failed || run(&fde->m, &fde->cie.program, ~0ULL))
		return -1;
	fde->m.initial = fde->m.row;
	fde->m.at = fde->start;
	return 0;
}

int cfi_find(const u8 *p, u64 size, u64 offset, struct cfi_row *row)
{
	u64 wanted, at;
	struct fde fde;
	struct file f;

	if (file_look(&f, p, size))
		return -1;
	wanted = address_of(&f, offset);
	at = wanted ? find_fde(&f, wanted) : 0;
	if (!at && wanted)
		at = find_fde_slowly(&f, wanted);
	if (!at || fde_open(&f, at, &fde) || wanted - fde.start >= fde.end - fde.start ||
	    run(&fde.m, &fde.program, wanted))
		return -1;
	*row = fde.m.row;
	return 0;
}

/* All rows of one FDE in one pass: large images have a million. */
static void give_rows(const struct file *f, u64 at, cfi_row_fn *each, void *arg)
{
	struct fde fde;
	u64 from, to;

	if (fde_open(f, at, &fde))
		return;
	for (from = fde.start; from < fde.end && !run(&fde.m, &fde.program, from); from = to) {
		to = fde.m.at > from && fde.m.at < fde.end ? fde.m.at : fde.end;
		each(arg, from, &fde.m.row);
	}
	each(arg, fde.end, NULL);
}

void cfi_each(const u8 *p, u64 size, cfi_row_fn *each, void *arg)
{
	u64 bytes = 0, at, end;
	struct file f;

	if (file_look(&f, p, size))
		return;
	at = section_address(&f, ".eh_frame", &bytes);
	for (end = at + bytes; at && at < end; ) {
		struct reader r = entry_at(&f, at);
		u64 place = r.address, length = (u64)(r.end - r.at);

		if (r.failed)
			return;
		/* else a CIE, or the end of an object file's part */
		if (length > 4 && take(&r, 4))
			give_rows(&f, at, each, arg);
		at = place + length;
	}
}
