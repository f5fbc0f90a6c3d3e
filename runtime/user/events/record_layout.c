/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record_layout.c - see record_layout.h.
 */
#include "runtime/user/events/record_layout.h"

#include "lib/tracefs_layout.h"

#include <string.h>

static int is(const struct tracefs_place *field, const char *name)
{
	return !strcmp(field->name, name);
}

struct record_layout record_layout_of_call(const char *format)
{
	struct record_layout layout = { 0 };
	struct tracefs_place field;
	int follows_number = 0;

	while (tracefs_layout_next(&format, &field)) {
		if (is(&field, "ret"))
			layout.result = field.offset;
		else if (follows_number)
			layout.arguments = field.offset;
		follows_number = is(&field, "__syscall_nr") || is(&field, "id");
		if (follows_number) {
			layout.number = field.offset;
			layout.number_bytes = field.size;
		}
	}
	return layout;
}

struct record_layout record_layout_of_probe(const char *format)
{
	struct record_layout layout = { 0 };
	struct tracefs_place field;
	int is_return = 0;

	while (tracefs_layout_next(&format, &field)) {
		if (is(&field, "__probe_ip") || is(&field, "__probe_func"))
			layout.address = field.offset;
		else if (is(&field, "__probe_ret_ip"))
			is_return = 1;
		else
			continue;
		layout.fetched = field.offset + field.size;
	}
	*(is_return ? &layout.result : &layout.arguments) = layout.fetched;
	return layout;
}
