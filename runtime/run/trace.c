/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.c - stp()'s records (enum rt_column) as text: a line each, with a tab between values.
 *
 * Names of addresses are found here, by what was mapped when the record was written. A stack is its
 * functions, the outermost first, with a ';' between them, as flame graphs have them. A value that
 * is missing prints as nothing.
 */
#include "runtime/run/trace.h"

#include "runtime/core/caller.h"
#include "runtime/core/fmt.h"
#include "runtime/core/symbol.h"
#include "runtime/run/spot.h"
#include "runtime/run/track.h"

#include <string.h>

#define STACK_FRAMES 1024		/* no record has room for more */

static int wants_lines;

void trace_want(const char *kinds)
{
	static const char of_lines[] = { RT_COLUMN_FILE, RT_COLUMN_LINE, RT_COLUMN_PLACE, 0 };

	wants_lines |= *kinds == RT_COLUMN_THREAD && strpbrk(kinds, of_lines);
}

int trace_wants_lines(void)
{
	return wants_lines;
}

/* Where there is no function: the place in the image, which is the same in each run. */
static void print_name(struct sink *out, const struct spot *spot)
{
	const char *path = spot->table ? symtab_path(spot->table) : "", *base = strrchr(path, '/');

	if (spot->sym) {
		sink_text(out, symtab_text(spot->table, spot->sym->name));
	} else if (base) {
		sink_text(out, base + 1);
		sink_char(out, '+');
		fmt_hex(out, spot->at);
	} else {
		fmt_hex(out, spot->addr);
	}
}

static void print_address(struct sink *out, const struct spot *spot)
{
	print_name(out, spot);
	if (!spot->sym || spot->at == spot->sym->start)
		return;
	sink_char(out, '+');
	fmt_hex(out, spot->at - spot->sym->start);
}

/* What a column shows of an address. */
static void print_view(struct sink *out, char kind, const struct spot *spot)
{
	const struct wire_line *line = spot->table ? symtab_line(spot->table, spot->at) : NULL;
	const char *image;

	switch (kind) {
	case RT_COLUMN_ADDRESS:
	case RT_COLUMN_RETURN:
		print_address(out, spot);
		break;
	case RT_COLUMN_FUNCTION:
		print_name(out, spot);
		break;
	case RT_COLUMN_SYMBOL:
		symbol_print(out, spot->table, spot->at, spot->addr, SYMBOL_DATA);
		break;
	case RT_COLUMN_IMAGE:
		image = symtab_image(spot->table, spot->at, (s64)spot->addr >= 0);
		sink_text(out, image ? image : "");
		break;
	case RT_COLUMN_FILE:
		symbol_place(out, spot->table, line, spot->addr, SYMBOL_FILE);
		break;
	case RT_COLUMN_LINE:
		symbol_place(out, spot->table, line, spot->addr, SYMBOL_LINE_NUMBER);
		break;
	case RT_COLUMN_PLACE:
		symbol_place(out, spot->table, line, spot->addr, SYMBOL_FILE | SYMBOL_LINE_NUMBER);
		break;
	}
}

static void print_spot(struct sink *out, char kind, s32 pid, u64 addr)
{
	/* names and paths come from untrusted files */
	char text[4096];
	struct sink named = { .p = text, .size = sizeof(text) };
	struct spot spot = spot_of(pid, addr, kind == RT_COLUMN_RETURN);

	print_view(&named, kind, &spot);
	sink_value(out, text, named.used);
}

static void print_stack(struct sink *out, const struct wire_stack *s, u32 len)
{
	static struct spot frame[STACK_FRAMES];
	u32 n = spots_of_stack(s, len, frame, STACK_FRAMES);

	while (n--) {
		char text[2048];
		struct sink named = { .p = text, .size = sizeof(text) };

		if (frame[n].addr == STACK_GAP)
			sink_text(&named, "[callers are missing]");
		else
			print_name(&named, &frame[n]);
		sink_value(out, text, named.used);
		if (n)
			sink_char(out, ';');
	}
}

static void print_value(struct sink *out, char kind, s32 pid, struct fmt_item_source *values)
{
	const struct wire_stack *s;
	struct fmt_value v;
	u32 len;

	if (kind == RT_COLUMN_STACK) {
		s = spot_stack(values, &len);
		if (s)
			print_stack(out, s, len);
		return;
	}
	if (!values->source.next(&values->source, kind == RT_COLUMN_STRING ? 's' : 'l', &v))
		return;
	if (kind == RT_COLUMN_STRING)
		sink_value(out, v.p, v.len > 0 ? (u32)v.len : 0);
	else if (kind == RT_COLUMN_LONG)
		fmt_decimal(out, v.l);
	else
		print_spot(out, kind, pid, (u64)v.l);
}

void trace_print(struct sink *out, const char *kinds, struct fmt_item_source *values, u64 time)
{
	struct fmt_value thread, probe;
	const char *kind = kinds + 2;

	if (!values->source.next(&values->source, 'l', &thread) ||
	    !values->source.next(&values->source, 'l', &probe))
		return;
	track_read();
	track_until(time);
	for (; *kind; kind++) {
		if (kind > kinds + 2)
			sink_char(out, '\t');
		print_value(out, *kind, (s32)(thread.l >> 32), values);
	}
	sink_char(out, '\n');
}
