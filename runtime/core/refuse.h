/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refuse.h - what a runtime tells its consumer when it cannot do what the script asks for: errors
 * outside of handlers, and probes that cannot be armed. Any context but NMI.
 */
#ifndef LAPWING_CORE_REFUSE_H
#define LAPWING_CORE_REFUSE_H

#include "runtime/core/run_error.h"

/* Sends WIRE_ERROR: the row's text, with `what` (or NULL) for its "%s". */
void core_error(enum run_error row, const char *what);
/*
 * A probe cannot be armed, because of `rc` (-errno), and the row says why: sends WIRE_SKIPPED if it
 * is optional, and returns 0; otherwise sends WIRE_ERROR and returns rc. what: as in core_error().
 */
int refuse_probe(const struct rt_probe *p, int optional, int rc, enum run_error row,
		 const char *what);
/*
 * The same by the family's table of error numbers. Where the row's text has a "%s", it is the
 * number's name.
 */
int refuse_errno(const struct rt_probe *p, int optional, int rc, const struct refusal *table);
/*
 * Reports that a part of the runtime, such as the family "timer", did not start because of rc. Does
 * nothing if the functions above have sent an error: the part has said more.
 */
void core_start_failed(const char *part, int rc);

#endif
