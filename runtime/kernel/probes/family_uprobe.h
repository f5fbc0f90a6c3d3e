/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_uprobe.h - instructions of user programs, and returns of their functions, through the
 * kernel's uprobes.
 */
#ifndef LAPWING_KERNEL_PROBES_FAMILY_UPROBE_H
#define LAPWING_KERNEL_PROBES_FAMILY_UPROBE_H

#include "runtime/kernel/session/session.h"

/* Misses that only the kernel counts, and calls under way, per probe; after it has stopped. */
void uprobe_account(const struct rt_probe *p, struct wire_account *sum);
void uprobe_unload(void);

#endif
