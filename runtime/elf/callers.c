/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * callers.c - see callers.h.
 */
#include "runtime/elf/callers.h"

#include "runtime/elf/cfi.h"

#include <string.h>

struct taking {
	const struct elf *image;
	struct table	*b;
	u32		sp, fp;		/* their numbers */
};

/* sp + 8, or sp + 16 from some instruction of each 16 bytes on: the one expression that linkers write. */
static int is_plt(const struct cfi_rule *cfa)
{
	static const u8 start[] = { 0x77, 8, 0x80, 0, 0x3f, 0x1a }, end[] = { 0x2a, 0x33, 0x24, 0x22 };

	return cfa->how == CFI_VALUE_EXPRESSION && cfa->end - cfa->at == sizeof(start) + 1 + sizeof(end) &&
	       !memcmp(cfa->at, start, sizeof(start)) && !memcmp(cfa->end - sizeof(end), end, sizeof(end));
}

/* Where a register is, from the caller's stack pointer; 0: where it was. -1: told in a way that is left out. */
static int place_of(const struct cfi_rule *rule, s32 *place)
{
	*place = rule->how == CFI_OFFSET ? (s32)rule->n : 0;
	return rule->how == CFI_SAME || rule->how == CFI_UNDEFINED || (rule->how == CFI_OFFSET && rule->n && rule->n == *place) ? 0 : -1;
}

static struct wire_caller caller_of(const struct taking *k, const struct cfi_row *row)
{
	struct wire_caller c = { .base = WIRE_CALLER_NONE };

	if (row->is_signal)
		c.base = WIRE_CALLER_SIGNAL;
	else if (row->reg[row->ra].how == CFI_UNDEFINED)
		c.base = WIRE_CALLER_END;
	else if (place_of(&row->reg[row->ra], &c.ra) || place_of(&row->reg[k->fp], &c.fp))
		c.base = WIRE_CALLER_NONE;
	else if (is_plt(&row->cfa))
		c = (struct wire_caller){ .base = WIRE_CALLER_PLT, .cfa = row->cfa.at[6] - 0x30, .ra = -8 };
	else if (row->cfa.how == CFI_REGISTER && (row->cfa.n == k->sp || row->cfa.n == k->fp) && row->cfa_offset == (s32)row->cfa_offset) {
		c.base = row->cfa.n == k->sp ? WIRE_CALLER_SP : WIRE_CALLER_FP;
		c.cfa = (s32)row->cfa_offset;
	}
	return c;
}

static void take(void *arg, u64 address, const struct cfi_row *row)
{
	const struct taking *k = arg;
	struct wire_caller c = row ? caller_of(k, row) : (struct wire_caller){ .base = WIRE_CALLER_NONE };

	/* The end is behind a function's last byte, which may be where the segment ends. */
	if (elf_offset(k->image, row ? address : address - 1, &c.start))
		return;
	c.start += !row;
	table_add_caller(k->b, &c);
}

void callers_take(const struct elf *image, struct table *b)
{
	int arm64 = image->eh->e_machine == EM_AARCH64;
	struct taking k = { image, b, arm64 ? 31 : 7, arm64 ? 29 : 6 };

	cfi_each(image->p, image->size, take, &k);
}
