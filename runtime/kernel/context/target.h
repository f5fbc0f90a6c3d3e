/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target.h - which processes are the target or its descendants (target_tree.h finds them).
 */
#ifndef LAPWING_KERNEL_TARGET_H
#define LAPWING_KERNEL_TARGET_H

#include <linux/bitops.h>
#include <linux/sched.h>

/* A bit for each process ID. NULL: not needed. */
extern unsigned long *target_bits;

/* target_bits must not be NULL. Any context. */
static __always_inline int target_has(const struct task_struct *t)
{
	return test_bit(t->tgid, target_bits);
}

/* True if the current task belongs to one of them. Any context. */
int target_has_current(void);

#endif
