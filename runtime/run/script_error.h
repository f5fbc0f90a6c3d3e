/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script_error.h - shows an error of the run as errors of the translator are shown: with its source
 * line, its number and what to do about it.
 */
#ifndef LAPWING_RUN_SCRIPT_ERROR_H
#define LAPWING_RUN_SCRIPT_ERROR_H

#include "runtime/core/run_error.h"
#include "runtime/rt.h"
#include "runtime/wire.h"

/*
 * Prints "ERROR: text" on standard error. The place's source lines are found in the module's file
 * (RT_SOURCE). They and the row's hint are shown once in a run; with --no-partial neither they are,
 * nor the number. Nothing in *error is trusted.
 */
void script_error(const struct wire_error *error, const char *text);
/* The same for an error that lapwing-run itself finds. what: for the row's "%s", or NULL. */
void run_error_show(enum run_error row, const char *what);
void script_error_free(void);

#endif
