/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * escape.h - the escapes of C in a script's strings, which the tree keeps as they were written.
 */
#ifndef LIB_ESCAPE_H
#define LIB_ESCAPE_H

#include <stddef.h>

/*
 * Reads the byte that begins the text: an escape of C, or the byte itself. "\q" is q. Of "\x" come
 * as many digits as make a byte: "\x41B" is AB, which a C compiler refuses. Returns the length of
 * what was read, which is at least 1.
 */
size_t escape_read(const char *text, char *byte);

/* The text with its escapes resolved; a "\0" ends it. Caller frees. */
char *escape_resolve(const char *text);

#endif
