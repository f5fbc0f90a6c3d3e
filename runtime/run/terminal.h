/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal.h - text that a traced program may have written, in a form that a terminal only shows.
 *
 * A process can name itself "\033]0;...": a terminal would obey. Tab, newline, carriage return and
 * the sequences of tapsets/ansi.stp pass; any other control character (ESC by itself, OSC, DCS, C1,
 * also in UTF-8) and any byte that is not UTF-8 become "\ooo", three octal digits. Does not judge
 * the literal text of a script's formats, which is the user's own.
 */
#ifndef LAPWING_RUN_TERMINAL_H
#define LAPWING_RUN_TERMINAL_H

#include "runtime/core/sink.h"

#include <stdio.h>

/* Appends n bytes at p in that form; s NULL: appends nothing. Returns the bytes that it takes. */
u32 terminal_put(struct sink *s, const char *p, u32 n);
/* True if `to` is a terminal, or ends in one (--terminal). */
int terminal_is(FILE *to);
/* Prints `text`, which ends with NUL: in that form if `to` is a terminal. */
void terminal_print(FILE *to, const char *text);

#endif
