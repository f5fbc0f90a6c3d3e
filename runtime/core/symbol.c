// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * symbol.c - see symbol.h.
 */
#include "runtime/core/symbol.h"
#include "runtime/core/fmt.h"
#include "runtime/core/port.h"

int symtab_check(const struct wire_symtab *t, u64 bytes)
{
	const struct wire_symbol *s = (const struct wire_symbol *)(t + 1);
	u32 i;

	if (bytes < sizeof(*t) || bytes > ~0U || t->nsyms > (bytes - sizeof(*t)) / sizeof(*s))
		return -EINVAL;
	if (t->names < sizeof(*t) + (u64)t->nsyms * sizeof(*s) || t->names >= bytes || ((const char *)t)[bytes - 1])
		return -EINVAL;
	for (i = 0; i < t->nsyms; i++)
		if (s[i].name < t->names || s[i].name >= bytes || s[i].module >= bytes || (s[i].module && s[i].module < t->names) ||
		    (i && s[i].start < s[i - 1].start))
			return -EINVAL;
	return 0;
}

const struct wire_symbol *symtab_find(const struct wire_symtab *t, u64 at)
{
	const struct wire_symbol *s = (const struct wire_symbol *)(t + 1);
	u32 low = 0, high = t->nsyms;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (s[middle].start <= at)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || at - s[low - 1].start >= (s[low - 1].size ? s[low - 1].size : 1))
		return 0;
	return &s[low - 1];
}

static void symbol_image(struct sink *out, const char *image, int base_name)
{
	const char *p;

	for (p = image; base_name && *p; p++)
		if (*p == '/')
			image = p + 1;
	if (!*image)
		return;
	sink_text(out, " [");
	sink_text(out, image);
	sink_char(out, ']');
}

static void symbol_known(struct sink *out, const struct wire_symtab *t, const struct wire_symbol *sym, u64 at, u32 style)
{
	sink_text(out, symtab_text(t, sym->name));
	if (style == SYMBOL_NAME)
		return;
	sink_char(out, '+');
	fmt_hex(out, at - sym->start);
	if (style == SYMBOL_DATA || style == SYMBOL_LINE) {
		sink_char(out, '/');
		fmt_hex(out, sym->size);
	}
	if (style != SYMBOL_BRIEF)
		symbol_image(out, sym->module ? symtab_text(t, sym->module) : symtab_path(t), style == SYMBOL_SIMPLE);
}

void symbol_print(struct sink *out, const struct wire_symtab *t, u64 at, u64 addr, u32 style)
{
	const struct wire_symbol *sym = t && style != SYMBOL_HEX ? symtab_find(t, at) : 0;

	if (style == SYMBOL_LINE)
		sink_char(out, ' ');
	if (!sym || style == SYMBOL_LINE)
		fmt_hex(out, addr);
	if (sym && style == SYMBOL_LINE)
		sink_text(out, " : ");
	if (sym)
		symbol_known(out, t, sym, at, style);
	else if (t && *symtab_path(t) == '/' && (style == SYMBOL_LINE || style == SYMBOL_SIMPLE || style == SYMBOL_DATA)) {
		sink_text(out, " [");
		sink_text(out, symtab_path(t));
		sink_char(out, '+');
		fmt_hex(out, at);
		sink_char(out, ']');
	}
	if (style >= SYMBOL_LINE)
		sink_char(out, style == SYMBOL_HEX ? ' ' : '\n');
}
