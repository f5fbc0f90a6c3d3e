/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture.h - stp()'s records as a capture (report/capture.proto), in place of text.
 */
#ifndef LAPWING_RUN_CAPTURE_H
#define LAPWING_RUN_CAPTURE_H

#include "runtime/run/run.h"

struct fmt_item_source;

/* Begins the output file with what is known of the run. */
void capture_begin(void);
/* Adds a record; format: its row, "kinds NUL names NUL". Nothing in the values is trusted. */
void capture_take(unsigned row, const char *format, struct fmt_item_source *values,
		  const struct wire_record *rec);
/* Writes what has been added, at most once a second unless `all`. */
void capture_write(int all);
/* The last frame: what there should be. After the accounts. */
/* A warning of the run, which the capture keeps. */
void capture_warn(const char *text);
void capture_end(const struct run_verdict *v);

#endif
