/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * color.c - whether and how messages are coloured.
 *
 * Input: the user's wish, the environment, the stream; output: escape sequences around text.
 */
#include "lib/color.h"

#include <glib.h>
#include <string.h>
#include <unistd.h>

static const struct { const char *key, *code; } defaults[] = {
	[COLOR_ERROR]	= { "error",	"01;31" },
	[COLOR_WARNING]	= { "warning",	"00;33" },
	[COLOR_SOURCE]	= { "source",	"00;34" },
	[COLOR_CARET]	= { "caret",	"01" },
	[COLOR_TOKEN]	= { "token",	"01" },
};

_Static_assert(G_N_ELEMENTS(defaults) == COLOR_KEYS, "every key has a colour");

static int is_set(const char *name)
{
	const char *value = g_getenv(name);

	return value && *value;
}

static int wanted(enum color_when when, FILE *to)
{
	const char *own = g_getenv("SYSTEMTAP_COLORS"), *term = g_getenv("TERM");

	if (when != COLOR_AUTO)
		return when == COLOR_ALWAYS;
	return isatty(fileno(to)) && !is_set("NO_COLOR") && !(own && !*own) &&
	       !(term && !strcmp(term, "dumb"));
}

/* Parses one "key=code"; anything else is ignored, as in SystemTap. */
static void set_code(struct color_set *set, const char *word)
{
	const char *equal = strchr(word, '=');

	for (unsigned i = 0; equal && i < COLOR_KEYS; i++)
		if (strlen(defaults[i].key) == (size_t)(equal - word) &&
		    !strncmp(defaults[i].key, word, equal - word) && equal[1] &&
		    equal[1 + strspn(equal + 1, "0123456789;")] == '\0')
			g_strlcpy(set->codes[i], equal + 1, sizeof(set->codes[i]));
}

void color_choose(struct color_set *set, enum color_when when, FILE *to)
{
	const char *own = g_getenv("SYSTEMTAP_COLORS");
	char **words = g_strsplit(own ? own : "", ":", -1);

	set->on = wanted(when, to);
	for (unsigned i = 0; i < COLOR_KEYS; i++)
		g_strlcpy(set->codes[i], defaults[i].code, sizeof(set->codes[i]));
	for (unsigned i = 0; words[i]; i++)
		set_code(set, words[i]);
	g_strfreev(words);
}

void color_print(const struct color_set *set, enum color_key key, const char *text, FILE *to)
{
	if (set->on)
		fprintf(to, "\033[%sm%s\033[m\033[K", set->codes[key], text);
	else
		fputs(text, to);
}
