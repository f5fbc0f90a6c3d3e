// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * symbol.c - see symbol.h.
 */
#include "runtime/core/symbol.h"
#include "runtime/core/caller.h"
#include "runtime/core/fmt.h"
#include "runtime/core/port.h"

/* True if a text is among the names, which end with a NUL. */
static int text_is_inside(const struct wire_symtab *t, u32 at, u64 bytes)
{
	return at >= t->names && at < bytes;
}

static int symbols_are_sound(const struct wire_symtab *t, u64 bytes)
{
	const struct wire_symbol *s = symtab_symbols(t);
	u32 i;

	for (i = 0; i < t->nsyms; i++)
		if (!text_is_inside(t, s[i].name, bytes) ||
		    (s[i].module && !text_is_inside(t, s[i].module, bytes)) ||
		    (i && s[i].start < s[i - 1].start))
			return 0;
	return 1;
}

static int lines_are_sound(const struct wire_symtab *t, u64 bytes)
{
	const struct wire_line *l = symtab_lines(t);
	u32 i;

	for (i = 0; i < t->nlines; i++)
		if (!text_is_inside(t, l[i].file, bytes) || (i && l[i].start < l[i - 1].start))
			return 0;
	return 1;
}

/* An inlined call is contained in an earlier one, so that walking outwards terminates. */
static int inlined_are_sound(const struct wire_symtab *t, u64 bytes)
{
	const struct wire_inlined *c = symtab_calls(t);
	u32 i;

	for (i = 0; i < t->ninlined; i++)
		if (!text_is_inside(t, c[i].name, bytes) || !text_is_inside(t, c[i].file, bytes) ||
		    c[i].outer > i || (i && c[i].start < c[i - 1].start))
			return 0;
	return 1;
}

static int callers_are_sound(const struct wire_symtab *t)
{
	const struct wire_caller *c = symtab_callers(t);
	u32 i;

	for (i = 1; i < t->ncallers; i++)
		if (c[i].start < c[i - 1].start)
			return 0;
	return 1;
}

int symtab_check(const struct wire_symtab *t, u64 bytes)
{
	u64 fixed = sizeof(*t);

	if (bytes < sizeof(*t) || bytes > ~0U)
		return -EINVAL;
	fixed += (u64)t->nsyms * sizeof(struct wire_symbol) +
		 (u64)t->nlines * sizeof(struct wire_line) +
		 (u64)t->ninlined * sizeof(struct wire_inlined) +
		 (u64)t->ncallers * sizeof(struct wire_caller);
	if (t->names < fixed || t->names >= bytes || ((const char *)t)[bytes - 1])
		return -EINVAL;
	return symbols_are_sound(t, bytes) && lines_are_sound(t, bytes) &&
			       inlined_are_sound(t, bytes) && callers_are_sound(t)
		       ? 0
		       : -EINVAL;
}

/*
 * Number of rows that start at or before an address; the n rows begin with their start and are
 * sorted by it.
 */
static u32 rows_until(const void *rows, u32 n, u32 size, u64 at)
{
	u32 low = 0, high = n;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (*(const u64 *)((const u8 *)rows + (u64)middle * size) <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct wire_symbol *symtab_find(const struct wire_symtab *t, u64 at)
{
	const struct wire_symbol *s = symtab_symbols(t);
	u32 n = rows_until(s, t->nsyms, sizeof(*s), at);

	return n && at - s[n - 1].start < (s[n - 1].size ? s[n - 1].size : 1) ? &s[n - 1] : 0;
}

int symtab_interrupts(const struct wire_symtab *t, u64 at)
{
	/* of the C libraries on x86-64 and of arm64's vDSO; prefixes of the kernels' own */
	static const char *const program[] = { "__restore_rt", "__kernel_rt_sigreturn" },
				 *const kernel[] = { "asm_", "el1" };
	const struct wire_symbol *s = symtab_find(t, at);
	const char *name = s ? symtab_text(t, s->name) : "";

	if (*symtab_path(t) == '/' || *symtab_path(t) == '[')
		return s && s->start == at &&
		       (!strcmp(name, program[0]) || !strcmp(name, program[1]));
	return !strncmp(name, kernel[0], strlen(kernel[0])) ||
	       !strncmp(name, kernel[1], strlen(kernel[1]));
}

const struct wire_symbol *symtab_find_return(const struct wire_symtab *t, u64 at)
{
	const struct wire_symbol *s = symtab_find(t, at);

	return s && s->start == at && !symtab_interrupts(t, at) ? symtab_find(t, at - 1)
	       : s ? s
	       : symtab_find(t, at - 1);
}

const struct wire_line *symtab_line(const struct wire_symtab *t, u64 at)
{
	const struct wire_line *l = symtab_lines(t);
	u32 n = rows_until(l, t->nlines, sizeof(*l), at);

	return n && l[n - 1].line ? &l[n - 1] : 0;
}

const struct wire_caller *symtab_caller(const struct wire_symtab *t, u64 at)
{
	const struct wire_caller *c = symtab_callers(t);
	u32 n = rows_until(c, t->ncallers, sizeof(*c), at);

	return n && c[n - 1].base != WIRE_CALLER_NONE ? &c[n - 1] : 0;
}

const struct wire_inlined *symtab_outer(const struct wire_symtab *t,
					const struct wire_inlined *call)
{
	return call->outer ? symtab_calls(t) + call->outer - 1 : 0;
}

const struct wire_inlined *symtab_inlined(const struct wire_symtab *t, u64 at)
{
	const struct wire_inlined *c = symtab_calls(t);
	u32 n = rows_until(c, t->ninlined, sizeof(*c), at);

	for (c = n ? &c[n - 1] : 0; c && at - c->start >= c->size; c = symtab_outer(t, c))
		;
	return c;
}

const char *symtab_image(const struct wire_symtab *t, u64 at, int user)
{
	const struct wire_symbol *sym = t ? symtab_find(t, at) : 0;

	if (sym && sym->module)
		return symtab_text(t, sym->module);
	return t && (user || sym) ? symtab_path(t) : 0;
}

/* ---- texts ------------------------------------------------------------------------*/

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

static void symbol_known(struct sink *out, const struct wire_symtab *t,
			 const struct wire_symbol *sym, u64 at, u32 style)
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
		symbol_image(out, sym->module ? symtab_text(t, sym->module) : symtab_path(t),
			     style == SYMBOL_SIMPLE);
}

static void symbol_line(struct sink *out, const struct wire_symtab *t, u32 file, u32 line)
{
	if (!line)
		return;
	sink_text(out, " at ");
	sink_text(out, symtab_text(t, file));
	sink_char(out, ':');
	fmt_decimal(out, line);
}

/*
 * Prints the functions inlined here, innermost first, then the enclosing one; each with its current
 * line.
 */
static void symbol_with_lines(struct sink *out, const struct wire_symtab *t,
			      const struct wire_symbol *sym, u64 at, u64 addr, int is_return)
{
	const char *image = sym->module ? symtab_text(t, sym->module) : symtab_path(t);
	const struct wire_line *l = symtab_line(t, at - !!is_return);
	const struct wire_inlined *c;
	u32 file = l ? l->file : 0, line = l ? l->line : 0;

	for (c = symtab_inlined(t, at - !!is_return); c; c = symtab_outer(t, c)) {
		sink_char(out, ' ');
		fmt_hex(out, addr);
		sink_text(out, " : ");
		sink_text(out, symtab_text(t, c->name));
		symbol_line(out, t, file, line);
		symbol_image(out, image, 0);
		sink_text(out, " (inlined)\n");
		file = c->file;
		line = c->line;
	}
	sink_char(out, ' ');
	fmt_hex(out, addr);
	sink_text(out, " : ");
	sink_text(out, symtab_text(t, sym->name));
	sink_char(out, '+');
	fmt_hex(out, at - sym->start);
	sink_char(out, '/');
	fmt_hex(out, sym->size);
	symbol_line(out, t, file, line);
	symbol_image(out, image, 0);
	sink_char(out, '\n');
}

void symbol_place(struct sink *out, const struct wire_symtab *t, const struct wire_line *line,
		  u64 addr, u32 parts)
{
	if (!line) {
		fmt_hex(out, addr);
		return;
	}
	if (parts & SYMBOL_FILE)
		sink_text(out, symtab_text(t, line->file));
	if (parts == (SYMBOL_FILE | SYMBOL_LINE_NUMBER))
		sink_char(out, ':');
	if (parts & SYMBOL_LINE_NUMBER)
		fmt_decimal(out, line->line);
}

static int names_images(u32 style)
{
	return style == SYMBOL_LINE || style == SYMBOL_SIMPLE || style == SYMBOL_DATA;
}

void symbol_print(struct sink *out, const struct wire_symtab *t, u64 at, u64 addr, u32 style)
{
	int is_return = style & SYMBOL_RETURN;
	const struct wire_symbol *sym = 0;

	style &= ~(u32)SYMBOL_RETURN;
	if (t && style != SYMBOL_HEX)
		sym = is_return ? symtab_find_return(t, at) : symtab_find(t, at);
	if (style == SYMBOL_FILELINE && sym) {
		symbol_with_lines(out, t, sym, at, addr, is_return);
		return;
	}
	style = style == SYMBOL_FILELINE ? (u32)SYMBOL_LINE : style;
	if (addr == STACK_GAP && style >= SYMBOL_LINE && style != SYMBOL_HEX) {
		sink_text(out, " (callers are missing here)\n");
		return;
	}
	if (style == SYMBOL_LINE)
		sink_char(out, ' ');
	if (!sym || style == SYMBOL_LINE)
		fmt_hex(out, addr);
	if (sym && style == SYMBOL_LINE)
		sink_text(out, " : ");
	if (sym)
		symbol_known(out, t, sym, at, style);
	else if (t && (*symtab_path(t) == '/' || !t->nsyms) && names_images(style)) {
		sink_text(out, " [");
		sink_text(out, symtab_path(t));
		sink_char(out, '+');
		fmt_hex(out, at);
		sink_char(out, ']');
	}
	if (style >= SYMBOL_LINE)
		sink_char(out, style == SYMBOL_HEX ? ' ' : '\n');
}
