/* SPDX-License-Identifier: GPL-2.0-or-later */
/* svg.c - see svg.h. */
#include "report/svg.h"

#include "lib/option.h"

#include <string.h>

void svg_escape(GString *out, const char *text)
{
	char *safe = g_markup_escape_text(text, -1);

	g_string_append(out, safe);
	g_free(safe);
}

void svg_number(GString *out, const char *name, double value)
{
	char number[G_ASCII_DTOSTR_BUF_SIZE];

	g_string_append_printf(out, " %s=\"%s\"", name, g_ascii_formatd(number, sizeof(number), "%.2f", value));
}

int svg_is_html(const char *name)
{
	return g_str_has_suffix(name, ".html") || g_str_has_suffix(name, ".htm");
}

int svg_check_name(const char *name, const char *what)
{
	const char *ending = strrchr(name, '.');

	if (!ending || strchr(ending, '/') || !strcmp(ending, ".svg") || svg_is_html(name))
		return 0;
	return option_fail(FAILURE_OPTION_VALUE,
			   "-o %s: %s is an SVG or HTML file: NAME.svg or NAME.html, which browsers show", name, what);
}
