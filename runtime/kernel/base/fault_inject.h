/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fault_inject.h - fault injection for the steps of load and start that can fail: allocations,
 * registrations with the kernel, families.
 *
 * Each step calls fault_inject_error() first, so that a test can make every step fail in turn and
 * check that the earlier steps are undone.
 */
#ifndef LAPWING_KERNEL_FAULT_INJECT_H
#define LAPWING_KERNEL_FAULT_INJECT_H

/*
 * 0, or -EBUSY if the caller's step is the one that must fail (the module parameter fail_step).
 * Load and start only.
 */
int fault_inject_error(void);

#endif
