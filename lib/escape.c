/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * escape.c - see escape.h.
 */
#include "lib/escape.h"

#include <glib.h>
#include <string.h>

/* Reads at most `most` digits in a base, and no more than make a byte. Returns their number. */
static size_t read_digits(const char *text, unsigned base, size_t most, char *byte)
{
	unsigned value = 0;
	size_t n = 0;

	for (int digit; n < most && (digit = g_ascii_xdigit_value(text[n])) >= 0; n++) {
		if ((unsigned)digit >= base || value * base + (unsigned)digit > 255)
			break;
		value = value * base + (unsigned)digit;
	}
	*byte = (char)value;
	return n;
}

size_t escape_read(const char *text, char *byte)
{
	static const char letters[] = "abtnvfr", bytes[] = "\a\b\t\n\v\f\r";
	const char *letter;
	size_t n;

	*byte = *text;
	if (*text != '\\' || !text[1])
		return 1;
	n = read_digits(text + 1, 8, 3, byte);
	if (n)
		return 1 + n;
	n = text[1] == 'x' ? read_digits(text + 2, 16, strlen(text), byte) : 0;
	if (n)
		return 2 + n;
	letter = strchr(letters, text[1]);
	*byte = letter ? bytes[letter - letters] : text[1];
	return 2;
}

char *escape_resolve(const char *text)
{
	GString *out = g_string_new(NULL);
	char byte = 1;

	while (*text && byte) {
		text += escape_read(text, &byte);
		if (byte)
			g_string_append_c(out, byte);
	}
	return g_string_free(out, FALSE);
}
