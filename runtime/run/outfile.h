/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outfile.h - the files that output is written to.
 */
#ifndef LAPWING_RUN_OUTFILE_H
#define LAPWING_RUN_OUTFILE_H

#include "runtime/run/run.h"

/*
 * path NULL: stdout; per_cpu: a file per CPU, with this before its number, or NULL; -S: bytes per
 * file, 0 no limit; files kept, 0 all. 0 or -1, reported.
 */
int outfile_open(const char *path, const char *per_cpu, u64 limit, unsigned keep);
/* Expands strftime's conversions. 0, or -1 and reported. */
int outfile_name(const char *pattern, char *name, size_t size);
/* i: the CPU with -b, otherwise 0 */
void outfile_write(unsigned i, const char *p, size_t len);
int outfile_is_terminal(unsigned i);
int outfile_full(unsigned i, u64 more);	/* `more` bytes would exceed the limit of -S */
void outfile_next(unsigned i);
int outfile_reader_gone(void);		/* 1: it failed because nobody reads any more */
int outfile_failed(void);		/* 1: a write failed, which is reported once */
int outfile_close(void);		/* 1: a write failed */

#endif
