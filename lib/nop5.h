/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nop5.h - checks whether a uprobe on a 5-byte nop breaks its function.
 *
 * Linux 6.18 puts a CALL there after the first hit (ba2bfc97b462), which pushes onto the stack:
 * data that a leaf function keeps below its stack pointer, in the 128 bytes that the x86-64 ABI
 * calls the red zone, is overwritten. Later kernels do so at 10-byte nops only, and move the stack
 * pointer first.
 */
#ifndef LAPWING_NOP5_H
#define LAPWING_NOP5_H

/*
 * Tests the running kernel: a child probes its own code, in a file in memory, and runs it. 1: it
 * breaks; 0: it does not; -1: unknown (no uprobes, or no permission). Takes as long as registering
 * and removing a probe: 10 to 100 ms. libc only.
 */
int nop5_breaks(void);

#endif
