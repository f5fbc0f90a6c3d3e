/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.h - rings to text. */
#ifndef LAPWING_RUN_OUTPUT_H
#define LAPWING_RUN_OUTPUT_H

#include "runtime/run/run.h"

/* Rings to text. */
void output_init(void);
/* Prints what the rings hold, in order of time; last: without waiting for slower CPUs. */
void output_drain(int last);
void output_next(void);			/* the next file of -S before the next handler's output; from a signal handler too */
struct output_books {
	u64	records, lost, lost_bytes;	/* of one ring: read; refused for lack of room */
};
struct output_books output_books(u32 cpu);
u64 output_unwritten(void);		/* records read that no file took */
void output_close(void);

#endif
