/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_error.h - the errors of a run, by the rows of lib/run_error.def: whoever raises one names its
 * row. How they get to the consumer is in refuse.h, those of handlers in ctx.h.
 */
#ifndef LAPWING_CORE_RUN_ERROR_H
#define LAPWING_CORE_RUN_ERROR_H

#include "runtime/core/sink.h"

/*
 * A row's value is its number in hexadecimal, 0xE0901: a reader that does not know the row can
 * still name it.
 */
enum run_error {
#define RUN_ERROR(number, name, text, hint) name = 0x##number,
#include "lib/run_error.def"
#undef RUN_ERROR
};

/* A reason: the error number that stands for it. */
struct refusal {
	int		rc;		/* -errno; 0 ends a table, with the row of all others */
	enum run_error	row;
};

/* The row of an error number. */
enum run_error refusal_row(const struct refusal *table, int rc);
/* Appends the row's text, in which `what` stands for "%s"; NULL: nothing. */
void run_error_put(struct sink *s, enum run_error row, const char *what);

#endif
