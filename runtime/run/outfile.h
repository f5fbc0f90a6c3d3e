/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outfile.h - where the output goes: standard output, one file, with -b a file per CPU NAME_0,
 * NAME_1, ..., and with -S a row of files NAME.0, NAME.1, ... of which the last N are kept.
 */
#ifndef LAPWING_RUN_OUTFILE_H
#define LAPWING_RUN_OUTFILE_H

#include "runtime/run/run.h"

/* What output.c writes to. 0 or -1, reported. */
/* NULL: stdout; -b: a file per CPU; -S: bytes per file, 0 no limit; files kept, 0 all */
int outfile_open(const char *path, int per_cpu, u64 limit, unsigned keep);
int outfile_name(const char *pattern, char *name, size_t size);	/* strftime's conversions done */
/* i: the CPU with -b, else 0 */
void outfile_write(unsigned i, const char *p, size_t len);
int outfile_is_terminal(unsigned i);
int outfile_full(unsigned i, u64 more);	/* with as many bytes more the file has what -S allows */
void outfile_next(unsigned i);
int outfile_failed(void);		/* a write failed: reported once */
int outfile_close(void);		/* 1: a write failed */

#endif
