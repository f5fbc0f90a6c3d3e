/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs_layout.c - see tracefs_layout.h.
 */
#include "lib/tracefs_layout.h"

#include <string.h>

uint64_t tracefs_layout(const char *format)
{
	uint64_t sum = 0xcbf29ce484222325;

	for (const char *line = format, *end; *line; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		if (strncmp(line, "\tfield:", 7))
			continue;
		for (; line < end; line++)
			sum = (sum ^ (unsigned char)*line) * 0x100000001b3;
	}
	return sum ? sum : 1;
}
