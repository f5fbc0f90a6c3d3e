/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * failure.h - what commands and lapwing-run say when they cannot do what was asked: the message, and
 * the number of its page.
 *
 *	lapwing report: 'x.capture': No such file or directory [lapwing explain E1006]
 *
 * libc only: the static lapwing-run links it. Messages about scripts are diag.h's.
 */
#ifndef LAPWING_LIB_FAILURE_H
#define LAPWING_LIB_FAILURE_H

#include <stdarg.h>
#include <stdio.h>

enum failure_code {
#define FAILURE(number, name, status) FAILURE_##name,
#include "lib/failure.def"
#undef FAILURE
	FAILURE_COUNT
};

/* Prints " [lapwing explain NUMBER]", which ends the line of every message that has a page. */
void failure_end(FILE *to, const char *number);
/* Prints "WHO: ", the message and its end on standard error. Returns -1. */
int failure_print(const char *who, enum failure_code code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The same with the arguments as a list. */
int failure_print_args(const char *who, enum failure_code code, const char *format, va_list args);
/* "E1006". Static. */
const char *failure_number(enum failure_code code);
/* The exit status of a command that ends by it. */
int failure_status(enum failure_code code);

#endif
