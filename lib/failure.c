/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * failure.c - see failure.h.
 */
#include "lib/failure.h"

#include "lib/exit_status.h"

#include <stdlib.h>

static const struct {
	const char	*number;
	int		status;
} causes[] = {
#define FAILURE(number, name, status) [FAILURE_##name] = { #number, status },
#include "lib/failure.def"
#undef FAILURE
};

_Static_assert(sizeof(causes) / sizeof(causes[0]) == FAILURE_COUNT, "every cause has a row");

void failure_end(FILE *to, const char *number)
{
	fprintf(to, " [lapwing explain %s]", number);
}

int failure_print_args(const char *who, enum failure_code code, const char *format, va_list args)
{
	fprintf(stderr, "%s: ", who);
	vfprintf(stderr, format, args);
	failure_end(stderr, causes[code].number);
	fputc('\n', stderr);
	return -1;
}

int failure_print(const char *who, enum failure_code code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	failure_print_args(who, code, format, args);
	va_end(args);
	return -1;
}

const char *failure_number(enum failure_code code)
{
	return causes[code].number;
}

int failure_status(enum failure_code code)
{
	return causes[code].status;
}
