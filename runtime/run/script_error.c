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

#include "runtime/run/run.h"
#include "runtime/run/terminal.h"
#include "symbolize/elffile.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *number, *text, *hint;
} rows[] = {
#define RUN_ERROR(number, name, text, hint) { #number, text, hint },
#include "lib/run_error.def"
#undef RUN_ERROR
};
#define ROWS	(sizeof(rows) / sizeof(rows[0]))
#define OTHER	(ROWS - 1)	/* fits any text: for those that have a place */

static unsigned char hinted[ROWS];

/* The places of the module's section: near, lines, near, lines ... */
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

/* True if the text fits the pattern, in which each %s stands for any text. */
static int fits(const char *text, size_t len, const char *pattern)
{
	size_t part = strcspn(pattern, "%");

	if (part > len || memcmp(text, pattern, part))
		return 0;
	if (!pattern[part])
		return part == len;
	for (size_t i = part; i <= len; i++)
		if (fits(text + i, len - i, pattern + part + 2))
			return 1;
	return 0;
}

/* Length of the text without its place, and the place's lines; *lines NULL: none is known. */
static size_t find_place(const char *text, const char **lines)
{
	size_t len = strlen(text);

	*lines = NULL;
	if (!places.read)
		read_places();
	for (const char *near = places.texts, *end = near + places.size; near && near < end; ) {
		const char *its = near + strlen(near) + 1;
		size_t n = strlen(" near ") + strlen(near);

		if (its >= end)
			break;
		if (n < len && !strcmp(text + len - n + strlen(" near "), near) &&
		    !memcmp(text + len - n, " near ", strlen(" near "))) {
			*lines = its;
			return len - n;
		}
		near = its + strlen(its) + 1;
	}
	return len;
}

int script_error(const char *text)
{
	const char *lines;
	size_t len = find_place(text, &lines), row = 0;

	while (row < OTHER && !fits(text, len, rows[row].text))
		row++;
	fputs("ERROR: ", stderr);
	terminal_print(stderr, text);
	if (opt.no_partial) {
		fputc('\n', stderr);
		return lines != NULL;
	}
	if (row < OTHER || lines)
		fprintf(stderr, " [lapwing explain %s]", rows[row].number);
	fputc('\n', stderr);
	if (lines && *lines && places.shown && !places.shown[lines - places.texts]) {
		places.shown[lines - places.texts] = 1;
		terminal_print(stderr, lines);
		fputc('\n', stderr);
	}
	if (rows[row].hint && !hinted[row]) {
		hinted[row] = 1;
		fprintf(stderr, "        hint: %s\n", rows[row].hint);
	}
	return lines != NULL;
}

void script_error_free(void)
{
	free(places.shown);
	elf_close(&places.file);
}
