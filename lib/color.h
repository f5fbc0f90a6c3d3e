/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * color.h - colours of messages on a terminal.
 *
 * SystemTap's variable: SYSTEMTAP_COLORS="error=01;31:warning=00;33:source=00;34:caret=01:token=01"
 * changes single keys, an empty value disables colours; so do NO_COLOR and TERM=dumb, unless
 * colours are requested.
 */
#ifndef LAPWING_COLOR_H
#define LAPWING_COLOR_H

#include <stdio.h>

enum color_key { COLOR_ERROR, COLOR_WARNING, COLOR_SOURCE, COLOR_CARET, COLOR_TOKEN, COLOR_KEYS };

enum color_when { COLOR_NEVER, COLOR_AUTO, COLOR_ALWAYS };

struct color_set {
	int	on;
	char	codes[COLOR_KEYS][16];	/* the text between "\033[" and "m" */
};

/* Decides for a stream, from the user's choice and the environment. */
void color_choose(struct color_set *set, enum color_when when, FILE *to);
/* Writes text, in the key's colour if the set is enabled. */
void color_print(const struct color_set *set, enum color_key key, const char *text, FILE *to);

#endif
