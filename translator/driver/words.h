/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * words.h - options from outside the command line: from the rc file, and from the `#!` line of a
 * script.
 */
#ifndef LAPWING_WORDS_H
#define LAPWING_WORDS_H

#include <glib.h>

/*
 * The kernel passes the text after the program on a `#!` line as one word. If argv[1] is that text
 * of the script argv[2], returns argv with the words of the line in its place; otherwise argv as it
 * is. Ends with NULL; new words are added to `owned`, whose free function is g_free.
 */
GPtrArray *words_of_script(char **argv, GPtrArray *owned);

/* $SYSTEMTAP_DIR/rc, or ~/.systemtap/rc. g_free'd. */
char *words_rc_path(void);
/*
 * Adds the words of the rc file to `words`, parsed like the shell, line by line: quotes, ~, $NAME
 * and file patterns, no commands; lines that begin with '#' are comments. They are also added to
 * `owned`. 0 (also without such a file), or -1, reported.
 */
int words_of_rc(const char *path, GPtrArray *words, GPtrArray *owned);

#endif
