/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nop5.h - does a uprobe on a 5-byte nop break the function that it stands in?
 *
 * Linux 6.18 puts a CALL there after the first hit (ba2bfc97b462), which pushes onto the
 * stack: what a leaf function keeps below its stack pointer, in the 128 bytes that the x86-64
 * ABI calls the red zone, is overwritten. Later kernels do so at nops of 10 bytes only, and
 * move the stack pointer first.
 */
#ifndef LAPWING_NOP5_H
#define LAPWING_NOP5_H

/*
 * Asks the running kernel: a child probes code of its own, in a file in memory, and runs it.
 * 1: it breaks it; 0: it does not; -1: it cannot be told (no uprobes, no leave for them).
 * Takes as long as a probe takes to come and to go: 10 to 100 ms. libc only.
 */
int nop5_breaks(void);

#endif
