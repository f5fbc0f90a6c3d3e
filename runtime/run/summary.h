/* SPDX-License-Identifier: GPL-2.0-or-later */
/* summary.h - --json-summary: the books of a run as one JSON object, for programs. */
#ifndef LAPWING_RUN_SUMMARY_H
#define LAPWING_RUN_SUMMARY_H

#include "runtime/run/run.h"

/* --json-summary. Opened first, so that a bad path is known in time; 0 or -1, reported. */
int summary_open(const char *path);
int summary_write(const struct run_verdict *v, int status);

#endif
