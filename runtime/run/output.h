/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output.h - prints the records of the rings as text.
 */
#ifndef LAPWING_RUN_OUTPUT_H
#define LAPWING_RUN_OUTPUT_H

#include "runtime/run/run.h"

void output_init(void);
/* Prints the rings' records in order of time; last: without waiting for slower CPUs. */
void output_drain(int last);
/* Begins the next file of -S before the next handler's output. Signal handlers may call it. */
void output_next(void);
struct output_books {
	u64	records, lost, lost_bytes;	/* of one ring: read; lost, as it was full */
};
struct output_books output_books(u32 cpu);
u64 output_unwritten(void);		/* records read, but not written to a file */
void output_close(void);

#endif
