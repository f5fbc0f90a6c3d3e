/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * note.c - fuzz entry: untrusted datagrams as notes: accepted ones are complete, of this process,
 * not of the future, and safe for a terminal. Input: the datagram.
 */
#include "runtime/run/note.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NOW 5000000000ULL

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy;		/* so that a sanitizer knows its end */
	struct note note;
	u32 n;

	size %= 310;
	copy = malloc(size + 1);
	if (!copy)
		return 0;
	memcpy(copy, data, size);
	/* Half of them begin as they should. */
	if (size > 40 && size % 2) {
		memcpy(copy, "lwn1", 4);
		memset(copy + 5, 0, 3);
		copy[4] %= 5;
	}
	n = note_read(copy, size, 77, NOW, &note);
	free(copy);
	if (!n)
		return 0;
	if (n > sizeof(note) || n <= sizeof(note.head) || note.head.pid != 77 ||
	    note.head.time > NOW || note.name[n - sizeof(note.head) - 1] ||
	    strlen(note.name) + 1 != n - sizeof(note.head) ||
	    note.head.start + note.head.bytes < note.head.start)
		abort();
	for (const char *p = note.name; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			abort();
	return 0;
}
