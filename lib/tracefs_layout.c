/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs_layout.c - see tracefs_layout.h.
 */
#include "lib/tracefs_layout.h"

#include <stdio.h>
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

/* "	field:unsigned long args[6];	offset:16;	size:48;	signed:0;" */
static int parse_field(const char *text, struct tracefs_place *place)
{
	char line[512], declaration[256], *name;
	size_t len = strcspn(text, "\n");

	if (len >= sizeof(line))
		return 0;
	memcpy(line, text, len);		/* scanf's blanks are line ends, too */
	line[len] = 0;
	if (sscanf(line, " field:%255[^;]; offset:%u; size:%u;", declaration, &place->offset,
		   &place->size) != 3)
		return 0;
	len = strlen(declaration);
	if (len && declaration[len - 1] == ']')
		*strrchr(declaration, '[') = 0;
	name = strrchr(declaration, ' ');
	return name && snprintf(place->name, sizeof(place->name), "%s", name + 1) <
			       (int)sizeof(place->name);
}

int tracefs_layout_next(const char **format, struct tracefs_place *place)
{
	int found = 0;

	while (!found && **format) {
		found = parse_field(*format, place);
		*format += strcspn(*format, "\n");
		*format += **format == '\n';
	}
	return found;
}
