/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary.h - --json-summary.
 */
#ifndef LAPWING_RUN_SUMMARY_H
#define LAPWING_RUN_SUMMARY_H

struct run_verdict;

/* Call it before the run, so that a bad path is reported in time. 0, or -1 and reported. */
int summary_open(const char *path);
int summary_write(const struct run_verdict *v, int status);

#endif
