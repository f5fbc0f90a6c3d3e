/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * failure_error.h - failures (failure.h) as errors of GLib, where who prints the message is not who
 * knows the cause.
 */
#ifndef LAPWING_LIB_FAILURE_ERROR_H
#define LAPWING_LIB_FAILURE_ERROR_H

#include "lib/failure.h"

#include <glib.h>

/* The domain of errors whose codes are those of enum failure_code. */
#define FAILURE_ERROR failure_error_quark()
GQuark failure_error_quark(void);
/*
 * Prints and frees an error; one of another domain is of GLib's functions that read files. Returns
 * the exit status.
 */
int failure_report(const char *who, GError *error);

#endif
