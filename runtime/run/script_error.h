/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script_error.h - shows an error of the run as errors of the translator are shown: with its source
 * line, its number and what to do about it.
 */
#ifndef LAPWING_RUN_SCRIPT_ERROR_H
#define LAPWING_RUN_SCRIPT_ERROR_H

/*
 * Prints "ERROR: text" on standard error. `text` is what the module sent, with the place behind
 * "near"; its source line is found in the module's file (RT_SOURCE). A source line and a hint are
 * shown once in a run; with --no-partial none, nor the number. 1: the error has a place,
 * a handler failed.
 */
int script_error(const char *text);
void script_error_free(void);

#endif
