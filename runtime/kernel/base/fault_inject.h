/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fault_inject.h - the steps of a load and a start, each of which may fail: allocations,
 * registrations with the kernel, families.
 *
 * Whoever takes one asks here first, so that a test can have each fail in turn and see that what
 * was done before it is undone.
 */
#ifndef LAPWING_KERNEL_FAULT_INJECT_H
#define LAPWING_KERNEL_FAULT_INJECT_H

/*
 * 0, or -ENOMEM: the step that is about to be taken is the one that fails (the module parameter
 * fail_step). Load and start only.
 */
int fault_inject_error(void);

#endif
