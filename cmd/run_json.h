/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_json.h - a run of lapwing whose script prints JSON, with the books of the run in it.
 */
#ifndef LAPWING_CMD_RUN_JSON_H
#define LAPWING_CMD_RUN_JSON_H

#include <glib.h>

/*
 * Runs lapwing (argv: its path and options, without -o, --json-summary and a NULL at the end; both
 * are added) and writes what its script prints, an object, with one member more: `run`, the books.
 * Further objects, which begin with the same member, are in an array: `also`.
 * none: the object where the script printed none, as an error ended it before.
 * output: -o, or NULL for standard output. summary: --json-summary, a file that the books are written
 * to as well, or NULL. Returns the exit status.
 */
int run_json(GPtrArray *argv, const char *none, const char *output, const char *summary);

#endif
