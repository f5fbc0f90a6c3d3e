// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_error.c - see run_error.h.
 */
#include "runtime/core/run_error.h"

static const char *error_text(enum run_error row)
{
	switch (row) {
#define RUN_ERROR(number, name, text, hint) case name: return text;
#include "lib/run_error.def"
#undef RUN_ERROR
	}
	return "%s";		/* of another version */
}

enum run_error refusal_row(const struct refusal *table, int rc)
{
	while (table->rc && table->rc != rc)
		table++;
	return table->row;
}

void run_error_put(struct sink *s, enum run_error row, const char *what)
{
	const char *text = error_text(row);
	u32 i;

	for (i = 0; text[i]; i++)
		if (text[i] == '%') {
			sink_text(s, what ? what : "");
			i++;		/* the s of %s */
		} else {
			sink_char(s, text[i]);
		}
}
