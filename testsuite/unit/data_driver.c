/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data_driver.c - what lib/data.c makes of texts: a row for each line of stdin, which is the text's
 * bytes in hexadecimal, and of one value of each kind. check-data.py reads it.
 * Usage: data_driver json|csv
 */
#include "lib/data.h"
#include "lib/streams.h"

#include <stdio.h>
#include <string.h>

static void read_bytes(const char *line, char *bytes)
{
	unsigned byte;

	for (; sscanf(line, "%2x", &byte) == 1; line += 2)
		*bytes++ = (char)byte;
	*bytes = 0;
}

static void write_row(struct data *d, unsigned number, const char *text)
{
	data_row(d);
	data_value(d, NULL, "%u", number);
	data_text(d, NULL, text);
	data_text(d, NULL, NULL);
	data_array(d, NULL);
	for (unsigned i = 0; i < number % 3; i++) {
		data_object(d, NULL);
		data_text(d, "name", i ? text : NULL);
		data_text(d, "type", "t");
		data_close(d);
	}
	data_close(d);
	data_array(d, NULL);
	for (unsigned i = 0; i < number % 3; i++)
		data_value(d, NULL, "%u", i);
	data_close(d);
	data_close(d);
}

int main(int argc, char **argv)
{
	static const char *const columns[] = { "number", "text", "nothing", "objects", "numbers",
					       NULL };
	char line[100], bytes[50];
	unsigned number = 0;
	struct data d;

	(void)argc;
	if (streams_begin("data_driver"))
		return 1;
	data_begin(&d, stdout, strcmp(argv[1], "csv") ? DATA_JSON : DATA_CSV, "lapwing-test/1");
	data_text(&d, "before", "\"rows\"");
	data_array(&d, "empty");
	data_close(&d);
	data_rows(&d, "rows", columns);
	while (fgets(line, sizeof(line), stdin)) {
		read_bytes(line, bytes);
		write_row(&d, number++, bytes);
	}
	data_close(&d);
	data_object(&d, "after");
	data_value(&d, "most", "%llu", ~0ULL);
	data_wrap(&d);
	data_value(&d, "share", "%.4f", 0.25);
	data_array(&d, "list");
	data_value(&d, NULL, "true");
	data_text(&d, NULL, NULL);
	data_array(&d, NULL);
	data_close(&d);
	data_close(&d);
	data_close(&d);
	return data_end(&d, "data_driver", "stdout");
}
