/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record_layout.h - where the runtime finds in an event's records what it knows by meaning and not
 * by a field's name: arguments, results, the address of the probed code.
 *
 * That depends on the kernel: how many fields all records begin with, and how the compiler aligns
 * those that follow.
 */
#ifndef LAPWING_RECORD_LAYOUT_H
#define LAPWING_RECORD_LAYOUT_H

#include "runtime/rt.h"

/* Offsets in bytes; 0: not in these records. */
struct record_layout {
	/* Of a kprobe or uprobe event of this run: */
	u32	address;		/* of the probed code; at a return, of the function */
	/* the values that it fetches, from which rt_field() counts: else from the beginning */
	u32	fetched;
	/* Of a system call, or of a kernel function, whose event fetches them first: */
	u32	arguments, result;
	/* Of a system call: */
	u32	number, number_bytes;
};

/* Both read the text of a format file in tracefs: of an event of system calls, of a probe's. */
struct record_layout record_layout_of_call(const char *format);
struct record_layout record_layout_of_probe(const char *format);

#endif
