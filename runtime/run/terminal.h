/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal.h - makes text that a traced program may have written safe for a terminal.
 *
 * A process can name itself "\\033]0;...": a terminal would obey. Tab, newline, carriage return and
 * the sequences of tapsets/ansi.stp pass; any other control character (ESC by itself, OSC, DCS, C1,
 * also in UTF-8) and any byte that is not UTF-8 become "\\ooo", three octal digits. The literal
 * text of a script's formats is the user's own and not changed.
 */
#ifndef LAPWING_RUN_TERMINAL_H
#define LAPWING_RUN_TERMINAL_H

#include "runtime/core/sink.h"

#include <stdio.h>

/*
 * Appends n bytes at p in that form; s NULL: only counts. Returns the number of output bytes.
 */
u32 terminal_put(struct sink *s, const char *p, u32 n);
/* True if `to` is a terminal, or leads to one (--terminal). */
int terminal_is(FILE *to);
/* Prints NUL-terminated `text`: in that form if `to` is a terminal. */
void terminal_print(FILE *to, const char *text);

#endif
