/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain.c - `lapwing explain CODE`: the page of one message; without CODE, the list of all, also
 * for programs.
 *
 * Input: doc/errors/CODE.md, one page for each row of diag.def. Output: its text. A program of its
 * own, started by lapwing.
 */
#include "lib/data.h"
#include "lib/diag.h"
#include "lib/option.h"
#include "lib/paths.h"

#include <stdio.h>
#include <string.h>

/* The page of a message; NULL, reported. Caller frees. */
static char *read_page(unsigned code)
{
	char *name = g_strdup_printf("doc/errors/%s.md", diag_number(code)),
	     *path = paths_data(name), *text = NULL;

	if (!path || !g_file_get_contents(path, &text, NULL, NULL))
		option_fail(FAILURE_INSTALLATION, "%s is not there: is lapwing installed as a whole?", name);
	g_free(path);
	g_free(name);
	return text;
}

/* The page's first line, "# E0511: unresolved function". d: NULL for text. */
static void show_title(struct data *d, unsigned code, char *page)
{
	const char *title;

	page[strcspn(page, "\n")] = 0;
	title = strchr(page, ':');
	if (!d) {
		puts(page + 2);
		return;
	}
	data_row(d);
	data_text(d, NULL, diag_number(code));
	data_text(d, NULL, diag_name(code));
	data_text(d, NULL, title ? title + 2 : NULL);
	data_close(d);
}

static int list_codes(enum data_form form)
{
	static const char *const columns[] = { "code", "name", "title", NULL };
	int missing = 0;
	struct data d;

	if (form) {
		data_begin(&d, stdout, form, "lapwing-explain/1");
		data_rows(&d, "rows", columns);
	}
	for (unsigned i = 0; i < D_COUNT; i++) {
		char *page = read_page(i);

		missing |= !page;
		if (page && strlen(page) > 2)
			show_title(form ? &d : NULL, i, page);
		g_free(page);
	}
	if (!form)
		return missing;
	data_close(&d);
	return missing | data_end(&d, "lapwing explain", "stdout");
}

static int print_page(unsigned code)
{
	char *page = read_page(code);
	int missing = !page;

	if (page)
		fputs(page, stdout);
	g_free(page);
	return missing;
}

/* Looks up by number or by name, ignoring case; D_COUNT: not found. */
static unsigned find_code(const char *word)
{
	unsigned i = 0;

	while (i < D_COUNT && g_ascii_strcasecmp(word, diag_number(i)) &&
	       g_ascii_strcasecmp(word, diag_name(i)))
		i++;
	return i;
}

static int refuse(const char *word)
{
	GPtrArray *names = g_ptr_array_new();
	char *upper = g_ascii_strup(word, -1), *similar;

	for (unsigned i = 0; i < D_COUNT; i++) {
		g_ptr_array_add(names, (void *)diag_number(i));
		g_ptr_array_add(names, (void *)diag_name(i));
	}
	similar = diag_similar(upper, names, 3);
	option_fail(FAILURE_NAME_UNKNOWN, "no message '%s'%s%s; lapwing explain lists them", word,
		    similar ? ": did you mean " : "", similar ? similar : "");
	g_free(similar);
	g_free(upper);
	g_ptr_array_unref(names);
	return 1;
}

int main(int argc, char **argv)
{
	static enum data_form form;
	static const struct option_table tables[] = { { data_options, &form }, { NULL, NULL } };
	static const struct option_program program = {
		.name = "lapwing explain",
		.usage = "[options] [CODE]",
		.what = "Says what a message means, with an example and the fix. Without CODE: lists all\n"
			"messages.",
		.tables = tables,
		.anywhere = 1,
		.wrong = 2,
	};
	int status, i = option_parse(&program, argc, argv, &status);
	unsigned code;

	if (i < 0)
		return status;
	if (argc > i + 1 || (form && argc > i)) {
		if (form)
			option_fail(FAILURE_OPTION_CONFLICT,
				    "--json and --csv are of the list: without CODE");
		else
			option_fail(FAILURE_ARGUMENTS, "one CODE at a time");
		return program.wrong;
	}
	if (i == argc)
		return list_codes(form);
	code = find_code(argv[i]);
	return code == D_COUNT ? refuse(argv[i]) : print_page(code);
}
