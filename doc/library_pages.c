/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * library_pages.c - a manual page for each function and alias, in section 3, and one for each file
 * of the library with a line for each of them.
 */
#include "doc/library_pages.h"

#include "doc/library_text.h"

#include <errno.h>
#include <string.h>

#define SECTION "3lapwing"

/* Writes text with groff's special characters escaped. */
static void put_text(FILE *to, const char *text)
{
	if (text[0] == '.' || text[0] == '\'')
		fputs("\\&", to);
	for (; *text; text++)
		if (*text == '\\')
			fputs("\\e", to);
		else if (*text == '-')
			fputs("\\-", to);
		else if (*text == '\n')
			fputs(text[1] == '.' || text[1] == '\'' ? "\n\\&" : "\n", to);
		else
			putc(*text, to);
}

static void put_section(FILE *to, const char *title, const char *text)
{
	if (!text || !text[0])
		return;
	fprintf(to, ".SH %s\n", title);
	put_text(to, text);
	putc('\n', to);
}

static void put_lines(FILE *to, const char *title, const char *text)
{
	if (!text || !text[0])
		return;
	fprintf(to, ".SH %s\n.nf\n", title);
	put_text(to, text);
	fputs("\n.fi\n", to);
}

static void put_names(FILE *to, const struct item *item)
{
	if (!item->names->len)
		return;
	fprintf(to, ".SH %s\n", item->points ? "VARIABLES" : "ARGUMENTS");
	for (unsigned i = 0; i < item->names->len; i++) {
		const char *name = item->names->pdata[i], *text = item_term(item, name);

		fputs(".TP\n.B ", to);
		put_text(to, name);
		putc('\n', to);
		put_text(to, text ? text : "");
		putc('\n', to);
	}
}

static FILE *open_page(const char *dir, const char *kind, const char *name, const char *summary)
{
	char *path = g_strdup_printf("%s/%s::%s.%s", dir, kind, name, SECTION),
	     *title = g_ascii_strup(name, -1);
	FILE *to = fopen(path, "w");

	if (!to) {
		fprintf(stderr, "doc/library: cannot write '%s': %s\n", path, g_strerror(errno));
	} else {
		fprintf(to,
			".\\\" written by doc/library of the comments in tapsets/\n"
			".TH \"%s::%s\" \"%s\" \"\" \"Lapwing\" \"Library of Lapwing\"\n.SH NAME\n%s::%s \\- ",
			kind, title, SECTION, kind, name);
		put_text(to, summary);
		putc('\n', to);
	}
	g_free(title);
	g_free(path);
	return to;
}

static int close_page(FILE *to, const char *name)
{
	int failed = ferror(to);

	if (!fclose(to) && !failed)
		return 0;
	fprintf(stderr, "doc/library: cannot write the page of '%s': %s\n", name,
		g_strerror(errno));
	return 1;
}

/* The page of an alias under another of its names: a line that includes the first page. */
static int write_link(const struct item *item, const char *dir)
{
	g_autofree char *path = g_strdup_printf("%s/probe::%s.%s", dir, item->name, SECTION);
	char *text = g_strdup_printf(".so man3/probe::%s.%s\n", item->same->name, SECTION);
	GError *error = NULL;
	int failed = !g_file_set_contents(path, text, -1, &error);

	if (failed) {
		fprintf(stderr, "doc/library: %s\n", error->message);
		g_error_free(error);
	}
	g_free(text);
	return failed;
}

static int write_page(const struct item *item, const char *dir)
{
	FILE *to = open_page(dir, item->points ? "probe" : "function", item->name, item->summary);

	if (!to)
		return 1;
	fputs(".SH SYNOPSIS\n.nf\n", to);
	fputs(item->points ? ".B probe " : ".ft B\n", to);
	put_text(to, item->call);
	fputs(item->points ? " { ... }\n.fi\n" : "\n.ft\n.fi\n", to);
	put_names(to, item);
	put_section(to, "DESCRIPTION", item->more);
	put_section(to, "RETURN VALUE", item->returns);
	put_section(to, "ERRORS", item->fails);
	put_lines(to, "EXAMPLE", item->example);
	put_section(to, "PROBES", item->points);
	fputs(".SH SEE ALSO\n", to);
	if (item->chapter)
		fprintf(to, ".BR tapset::%s (%s),\n", item->chapter->name, SECTION);
	fputs(".BR lapwing (1)\n", to);
	return close_page(to, item->name);
}

static int write_chapter(const struct library_text *lib, const struct chapter *chapter,
			 const char *dir)
{
	unsigned n = 0;
	FILE *to;

	for (unsigned i = 0; i < lib->items->len; i++) {
		const struct item *item = lib->items->pdata[i];

		n += item->chapter == chapter && !item_is_own(item);
	}
	if (!n)
		return 0;
	to = open_page(dir, "tapset", chapter->name,
		       "functions and aliases of one file of the library");
	if (!to)
		return 1;
	put_section(to, "DESCRIPTION", chapter->text);
	fputs(".SH NAMES\n", to);
	for (unsigned i = 0; i < lib->items->len; i++) {
		const struct item *item = lib->items->pdata[i];

		if (item->chapter != chapter || item->same || item_is_own(item))
			continue;
		fprintf(to, ".TP\n.BR %s::%s (%s)\n", item->points ? "probe" : "function",
			item->name, SECTION);
		put_text(to, item->summary);
		putc('\n', to);
	}
	fputs(".SH SEE ALSO\n.BR lapwing (1)\n", to);
	return close_page(to, chapter->name);
}

static int write_one(const struct item *item, const char *dir)
{
	return item->same ? write_link(item, dir) : write_page(item, dir);
}

int library_pages(const struct library_text *lib, const char *dir)
{
	int failed = 0;

	for (unsigned i = 0; i < lib->items->len; i++)
		if (!item_is_own(lib->items->pdata[i]))
			failed |= write_one(lib->items->pdata[i], dir);
	for (unsigned i = 0; i < lib->chapters->len; i++)
		failed |= write_chapter(lib, lib->chapters->pdata[i], dir);
	return failed;
}
