/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fault_inject.h - the steps of a load and a start, each of which may fail: allocations,
 * registrations with the kernel, families.
 *
 * Each step asks here first, so that a test can make each of them fail in turn and check that the
 * earlier ones are undone.
 */
#ifndef LAPWING_KERNEL_FAULT_INJECT_H
#define LAPWING_KERNEL_FAULT_INJECT_H

/*
 * 0, or -ENOMEM: the step that is about to be taken is the one that fails (the module parameter
 * fail_step). Load and start only.
 */
int fault_inject_error(void);
/*
 * The handler under way writes to the address of the module parameter fail_fault, once in a run;
 * without one it does not. Any context.
 */
void fault_inject_write(void);

#endif
