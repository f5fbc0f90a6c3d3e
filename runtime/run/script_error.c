/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script_error.c - see script_error.h.
 *
 *	ERROR: division by 0 near operator '/' at x.stp:1:32 [lapwing explain E0901]
 *	        source: probe begin { a = 0; println(1 / a) }
 *	                                               ^
 *	        hint: test the divisor before: if (n) ...
 */
#include "runtime/run/script_error.h"

#include "lib/failure.h"
#include "runtime/run/run.h"
#include "runtime/run/terminal.h"
#include "symbolize/elffile.h"

#include <stdlib.h>
#include <string.h>

static struct row {
	enum run_error	row;
	const char	*hint;
	int		shown;
} rows[] = {
#define RUN_ERROR(number, name, text, hint) { name, hint, 0 },
#include "lib/run_error.def"
#undef RUN_ERROR
};

/* The places of the module's section, in the order of rt_script.near: near, lines, near, lines ... */
static struct {
	int		read;
	struct elf	file;
	const char	*texts;
	u64		size;
	unsigned char	*shown;		/* by offset */
} places;

static void read_places(void)
{
	places.read = 1;
	if (elf_open(&places.file, opt.module))
		return;
	places.texts = elf_section(&places.file, RT_SOURCE_SECTION, &places.size);
	if (places.texts && (!places.size || places.texts[places.size - 1]))
		places.texts = NULL;
	if (places.texts)
		places.shown = calloc(places.size, 1);
}

/* The source lines of a place: the second text of the section's entry `near`, from 1. NULL: none. */
static const char *place_lines(u32 near)
{
	const char *text, *end;

	if (!places.read)
		read_places();
	text = places.texts;
	end = text + places.size;
	for (u64 skip = 2 * (u64)near - 1; near && text && skip; skip--) {
		text += strlen(text) + 1;
		if (text >= end)
			return NULL;
	}
	return near ? text : NULL;
}

static void print_once(const char *lines)
{
	if (!lines || !*lines || !places.shown || places.shown[lines - places.texts])
		return;
	places.shown[lines - places.texts] = 1;
	terminal_print(stderr, lines);
	fputc('\n', stderr);
}

static void print_hint(u32 number)
{
	for (struct row *r = rows; r < rows + sizeof(rows) / sizeof(rows[0]); r++)
		if (r->row == number && r->hint && !r->shown) {
			r->shown = 1;
			fprintf(stderr, "        hint: %s\n", r->hint);
		}
}

void script_error(const struct wire_error *error, const char *text)
{
	char number[16];

	fputs("ERROR: ", stderr);
	terminal_print(stderr, text);
	if (opt.no_partial) {
		fputc('\n', stderr);
		return;
	}
	if (error->row != RUN_OTHER || error->near) {
		snprintf(number, sizeof(number), "%X", error->row);
		failure_end(stderr, number);
	}
	fputc('\n', stderr);
	print_once(place_lines(error->near));
	print_hint(error->row);
}

void run_error_show(enum run_error row, const char *what)
{
	char text[512];
	struct sink s = { .p = text, .size = sizeof(text) - 1 };

	run_error_put(&s, row, what);
	text[s.used] = 0;
	script_error(&(struct wire_error){ .row = row }, text);
}

void script_error_free(void)
{
	free(places.shown);
	elf_close(&places.file);
}
