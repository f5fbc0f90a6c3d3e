/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * failure_error.c - see failure_error.h.
 */
#include "lib/failure_error.h"

G_DEFINE_QUARK(lapwing-failure-error, failure_error)

int failure_report(const char *who, GError *error)
{
	enum failure_code code = error->domain == FAILURE_ERROR ? (enum failure_code)error->code
								 : FAILURE_FILE_READ;

	failure_print(who, code, "%s", error->message);
	g_error_free(error);
	return failure_status(code);
}
