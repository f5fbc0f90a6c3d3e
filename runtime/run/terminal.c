/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal.c - see terminal.h.
 */
#include "runtime/run/terminal.h"

#include "runtime/run/run.h"

#include <string.h>
#include <unistd.h>

#define PARAMETERS_MAX 16	/* bytes of a sequence between "ESC [" and its letter */

/* Bytes of the character at p if it is UTF-8 of several bytes and no C1 control; otherwise 0. */
static u32 utf8_bytes(const u8 *p, u32 n)
{
	u32 bytes = *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;

	if (*p < 0xc2 || *p > 0xf4 || bytes > n)
		return 0;
	for (u32 i = 1; i < bytes; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((*p == 0xc2 && p[1] < 0xa0) ||				/* C1 */
	    (*p == 0xe0 && p[1] < 0xa0) || (*p == 0xf0 && p[1] < 0x90) ||	/* overlong */
	    (*p == 0xf4 && p[1] > 0x8f))				/* above U+10FFFF */
		return 0;
	return bytes;
}

/* Bytes of the sequence at p if it is one of those that tapsets/ansi.stp makes; otherwise 0. */
static u32 ansi_bytes(const char *p, u32 n)
{
	u32 i = 2;

	if (n < 3 || p[1] != '[')
		return 0;
	if (n >= 6 && !memcmp(p + 2, "?25", 3))
		return p[5] == 'h' || p[5] == 'l' ? 6 : 0;
	while (i < n && i < 2 + PARAMETERS_MAX && ((p[i] >= '0' && p[i] <= '9') || p[i] == ';'))
		i++;
	return i < n && p[i] && strchr("mHJsu", p[i]) ? i + 1 : 0;
}

/* Number of bytes at p that pass unchanged; 0: the first one does not. */
static u32 passing(const char *p, u32 n)
{
	if ((*p >= ' ' && *p <= '~') || *p == '\t' || *p == '\n' || *p == '\r')
		return 1;
	if (*p == '\033')
		return ansi_bytes(p, n);
	return utf8_bytes((const u8 *)p, n);
}

u32 terminal_put(struct sink *s, const char *p, u32 n)
{
	u32 at = 0, put = 0, bytes;

	while (at < n) {
		u32 from = at;

		while (at < n && (bytes = passing(p + at, n - at)))
			at += bytes;
		if (s)
			sink_put(s, p + from, at - from);
		put += at - from;
		if (at < n) {
			u8 c = (u8)p[at++];
			char shown[4] = { '\\', (char)('0' + (c >> 6)), (char)('0' + (c >> 3 & 7)),
					  (char)('0' + (c & 7)) };

			if (s)
				sink_put(s, shown, sizeof(shown));
			put += sizeof(shown);
		}
	}
	return put;
}

int terminal_is(FILE *to)
{
	return opt.terminals >> fileno(to) & 1 || isatty(fileno(to));
}

static void to_file(struct sink *s)
{
	fwrite(s->p, 1, s->used, s->owner);
	s->used = 0;
}

void terminal_print(FILE *to, const char *text)
{
	char buf[256];
	struct sink s = { .p = buf, .size = sizeof(buf), .drain = to_file, .owner = to };

	if (!terminal_is(to)) {
		fputs(text, to);
		return;
	}
	terminal_put(&s, text, (u32)strlen(text));
	to_file(&s);
}
