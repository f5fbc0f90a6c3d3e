/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stapsdt.c - see stapsdt.h. Arguments are assembler operands, "SIZE@OPERAND", separated by blanks.
 *
 *	x86-64	$5  %edi  -20(%rbp)  (%rdi,%rsi,4)  8+x(%rip)
 *	arm64	5   x0    w3   [sp, 28]   [x1, x2, lsl 3]   [x19, w3, sxtw 2]
 *
 * The text comes from the program, so it may contain anything.
 */
#include "translator/debuginfo/stapsdt.h"

#include <stdlib.h>
#include <string.h>

/* ---- registers ----------------------------------------------------------------------*/

/* number: DWARF's register number. */
static const struct { const char *names[5]; int number; } x86_registers[] = {
	{ { "rax", "eax", "ax", "al", "ah" }, 0 },	{ { "rdx", "edx", "dx", "dl", "dh" }, 1 },
	{ { "rcx", "ecx", "cx", "cl", "ch" }, 2 },	{ { "rbx", "ebx", "bx", "bl", "bh" }, 3 },
	{ { "rsi", "esi", "si", "sil", NULL }, 4 },	{ { "rdi", "edi", "di", "dil", NULL }, 5 },
	{ { "rbp", "ebp", "bp", "bpl", NULL }, 6 },	{ { "rsp", "esp", "sp", "spl", NULL }, 7 },
	{ { "rip", "eip", "ip", NULL, NULL }, 16 },
};

static const int x86_bits[] = { 64, 32, 16, 8, 8 };

struct reg {
	int	number, bits, high;
};

static int x86_register(const char *name, struct reg *r)
{
	char *end;
	long n;

	for (unsigned i = 0; i < G_N_ELEMENTS(x86_registers); i++)
		for (unsigned w = 0; w < 5; w++)
			if (x86_registers[i].names[w] && !strcmp(name, x86_registers[i].names[w])) {
				*r = (struct reg){ x86_registers[i].number, x86_bits[w], w == 4 };
				return 1;
			}
	if (*name != 'r' || !g_ascii_isdigit(name[1]))
		return 0;
	n = strtol(name + 1, &end, 10);
	*r = (struct reg){ (int)n, *end == 'd' ? 32 : *end == 'w' ? 16 : *end == 'b' ? 8 : 64, 0 };
	return n >= 8 && n <= 15 && (!*end || (strchr("dwb", *end) && !end[1]));
}

static int arm64_register(const char *name, struct reg *r)
{
	char *end;
	long n;

	*r = (struct reg){ 31, 64, 0 };
	if (!strcmp(name, "sp"))
		return 1;
	if ((*name != 'x' && *name != 'w') || !g_ascii_isdigit(name[1]))
		return 0;
	n = strtol(name + 1, &end, 10);
	*r = (struct reg){ (int)n, *name == 'w' ? 32 : 64, 0 };
	return n <= 30 && !*end;
}

/* ---- operands -----------------------------------------------------------------------*/

static int is_word(char c)
{
	return g_ascii_isalnum(c) || c == '_' || c == '.' || c == '$';
}

/* Copies the word at *p and advances *p past it. */
static void take_word(const char **p, char *to, gsize room)
{
	gsize n = 0;

	for (; is_word(**p); ++*p)
		if (n + 1 < room)
			to[n++] = **p;
	to[n] = 0;
}

/* Parses a sum of numbers and at most one symbol: "-20", "x+8", "8+x-4". */
static int take_sum(const char **p, struct stapsdt_argument *a)
{
	while (**p && !strchr("([, ", **p)) {
		int minus = **p == '-';

		*p += **p == '-' || **p == '+';
		if (g_ascii_isdigit(**p)) {
			char *end;
			guint64 n = g_ascii_strtoull(*p, &end, 0);

			*p = end;
			a->number = (gint64)((guint64)a->number + (minus ? 0 - n : n));
		} else if (is_word(**p) && !minus && !*a->symbol) {
			take_word(p, a->symbol, sizeof(a->symbol));
		} else {
			return 0;
		}
	}
	return 1;
}

/* Of a value in bytes, and the scale of an index. */
static int is_size(long n) { return n == 1 || n == 2 || n == 4 || n == 8; }

static int take_x86_register(const char **p, struct reg *r)
{
	char name[8];

	if (**p != '%')
		return 0;
	++*p;
	take_word(p, name, sizeof(name));
	return x86_register(name, r);
}

/* Parses a sum followed by "(BASE,INDEX,SCALE)", "(BASE,INDEX)", "(BASE)", or these without BASE. */
static int x86_memory(const char **p, struct stapsdt_argument *a)
{
	struct reg r;
	long scale;

	a->where = STAPSDT_MEMORY;
	if (!take_sum(p, a))
		return 0;
	if (**p != '(')
		return **p == 0 || **p == ' ';
	++*p;
	if (**p == '%') {
		if (!take_x86_register(p, &r) || r.bits != 64)
			return 0;
		a->base = r.number;
	}
	if (**p == ',') {
		++*p;
		if (!take_x86_register(p, &r) || r.bits != 64)
			return 0;
		a->index = r.number;
		a->scale = 1;
		a->index_size = 8;
	}
	if (**p == ',') {
		++*p;
		scale = strtol(*p, (char **)p, 10);
		if (!is_size(scale))
			return 0;
		a->scale = (int)scale;
	}
	return *(*p)++ == ')';
}

static int x86_operand(const char **p, struct stapsdt_argument *a)
{
	struct reg r;

	if (**p == '$') {
		++*p;
		return take_sum(p, a) && !*a->symbol;
	}
	if (**p != '%')
		return x86_memory(p, a);
	if (!take_x86_register(p, &r))
		return 0;
	a->where = STAPSDT_REGISTER;
	a->base = r.number;
	a->base_bits = r.bits;
	a->base_high = r.high;
	return 1;
}

static void skip_blanks(const char **p)
{
	while (**p == ' ')
		++*p;
}

/* Parses ", lsl 3" or ", sxtw 2" after an index register. */
static int arm64_extend(const char **p, struct stapsdt_argument *a)
{
	char word[8];

	if (**p != ',')
		return 1;
	++*p;
	skip_blanks(p);
	take_word(p, word, sizeof(word));
	if (strcmp(word, "lsl") && strcmp(word, "sxtw") && strcmp(word, "uxtw") &&
	    strcmp(word, "sxtx"))
		return 0;
	a->index_size = !strcmp(word, "sxtw") ? -4 : !strcmp(word, "uxtw") ? 4 : 8;
	skip_blanks(p);
	*p += **p == '#';
	if (g_ascii_isdigit(**p)) {
		long shift = strtol(*p, (char **)p, 10);

		if (shift > 4)
			return 0;
		a->scale = 1 << shift;
	}
	return 1;
}

static int arm64_memory(const char **p, struct stapsdt_argument *a)
{
	struct reg r;
	char word[8];

	a->where = STAPSDT_MEMORY;
	take_word(p, word, sizeof(word));
	if (!arm64_register(word, &r) || r.bits != 64)
		return 0;
	a->base = r.number;
	if (**p == ',') {
		++*p;
		skip_blanks(p);
		*p += **p == '#';
		if (g_ascii_isdigit(**p) || **p == '-') {
			a->number = strtoll(*p, (char **)p, 0);
		} else {
			take_word(p, word, sizeof(word));
			if (!arm64_register(word, &r))
				return 0;
			a->index = r.number;
			a->scale = 1;
			a->index_size = r.bits / 8;
			if (!arm64_extend(p, a))
				return 0;
		}
	}
	return *(*p)++ == ']';
}

static int arm64_operand(const char **p, struct stapsdt_argument *a)
{
	struct reg r;
	char word[64];

	if (**p == '[') {
		++*p;
		return arm64_memory(p, a);
	}
	*p += **p == '#';
	if (g_ascii_isdigit(**p) || **p == '-') {
		char *end;

		a->number = **p == '-' ? g_ascii_strtoll(*p, &end, 0)
				       : (gint64)g_ascii_strtoull(*p, &end, 0);
		*p = end;
		return 1;
	}
	take_word(p, word, sizeof(word));
	if (!arm64_register(word, &r))
		return 0;
	a->where = STAPSDT_REGISTER;
	a->base = r.number;
	a->base_bits = r.bits;
	return 1;
}

/* Parses "-4@"; without it, the size is that of the register, or 8. */
static int take_size(const char **p, struct stapsdt_argument *a, const char **why)
{
	const char *at = *p;
	long size = strtol(*p, (char **)&at, 10);

	a->size = 8;
	if (at > *p && *at == 'f') {
		*why = "it is a floating-point number";
		return 0;
	}
	if (at == *p || *at != '@')
		return 1;
	*p = at + 1;
	a->size = (int)size;
	*why = "its size is none of 1, 2, 4, 8";
	return size >= -8 && size <= 8 && is_size(labs(size));
}

/* Skips to the end of this argument: brackets may contain blanks. */
static const char *argument_end(const char *p)
{
	int depth = 0;

	for (; *p && (*p != ' ' || depth); p++)
		depth += (*p == '[') - (*p == ']');
	return p;
}

int stapsdt_argument(const char **text, const char *arch, struct stapsdt_argument *a,
		     const char **why)
{
	int arm64 = !strcmp(arch, "arm64"), fine;
	const char *p, *end;
	char *one;

	skip_blanks(text);
	if (!**text)
		return 0;
	end = argument_end(*text);
	one = g_strndup(*text, (gsize)(end - *text));
	*text = end;
	p = one;
	*a = (struct stapsdt_argument){ .base = -1, .index = -1 };
	fine = take_size(&p, a, why);
	if (fine) {
		*why = "its operand is one that lapwing does not know";
		fine = (arm64 ? arm64_operand(&p, a) : x86_operand(&p, a)) && !*p;
	}
	g_free(one);
	return fine ? 1 : -1;
}
