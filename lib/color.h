/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * color.h - colours of messages on a terminal.
 *
 * SystemTap's words: SYSTEMTAP_COLORS="error=01;31:warning=00;33:source=00;34:caret=01:token=01" changes them key by key, an
 * empty value means no colours; NO_COLOR and TERM=dumb too, unless colours are asked for.
 */
#ifndef LAPWING_COLOR_H
#define LAPWING_COLOR_H

#include <stdio.h>

enum color_key { COLOR_ERROR, COLOR_WARNING, COLOR_SOURCE, COLOR_CARET, COLOR_TOKEN, COLOR_KEYS };

enum color_when { COLOR_NEVER, COLOR_AUTO, COLOR_ALWAYS };

struct color_set {
	int	on;
	char	codes[COLOR_KEYS][16];	/* what stands between "\033[" and "m" */
};

/* Decides for a stream, from the user's wish and the environment. */
void color_choose(struct color_set *set, enum color_when when, FILE *to);
/* Writes text, in the key's colour when the set is on. */
void color_print(const struct color_set *set, enum color_key key, const char *text, FILE *to);

#endif
