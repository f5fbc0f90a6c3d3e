/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.c - parses the directives of a printf format.
 *
 *   % [one of 0 + - space #] [digits or *] [. [digits or *]] [l] conversion
 *
 * Formatting is in runtime/core/fmt.
 */
#include "parser/format.h"

#include <glib.h>
#include <string.h>

static const char *skip_number(const char *at, GString *kinds)
{
	if (*at == '*') {
		g_string_append_c(kinds, 'l');
		return at + 1;
	}
	while (g_ascii_isdigit(*at))
		at++;
	return at;
}

/* at points after the '%'. Returns the end of the directive, or NULL: *bad is the reason. */
static const char *read_directive(const char *at, GString *kinds, const char **bad)
{
	if (*at == '%')
		return at + 1;
	if (*at && strchr("0+- #", *at))
		at++;
	at = skip_number(at, kinds);
	if (*at == '.')
		at = skip_number(at + 1, kinds);
	if (*at == 'l')
		at++;
	if (!*at || !strchr("diuxXopscbmM", *at)) {
		*bad = *at || at[-1] == '%' ? "invalid or missing conversion specifier" : "trailing incomplete print format conversion";
		return NULL;
	}
	g_string_append_c(kinds, *at == 's' ? 's' : *at == 'm' || *at == 'M' ? 'm' : 'l');
	return at + 1;
}

char *format_kinds(const char *text, const char **bad)
{
	GString *kinds = g_string_new(NULL);
	const char *at = text;

	while ((at = strchr(at, '%'))) {
		at = read_directive(at + 1, kinds, bad);
		if (!at) {
			g_string_free(kinds, TRUE);
			return NULL;
		}
	}
	return g_string_free(kinds, FALSE);
}
