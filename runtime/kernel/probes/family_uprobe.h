/* SPDX-License-Identifier: GPL-2.0-or-later */
/* family_uprobe.h - statistics of probes in functions of user programs. */
#ifndef LAPWING_KERNEL_PROBES_FAMILY_UPROBE_H
#define LAPWING_KERNEL_PROBES_FAMILY_UPROBE_H

#include "runtime/core/core.h"

/* Adds misses that only this family counts, and pending calls; after the family has stopped. */
void uprobe_account(const struct rt_probe *p, struct wire_account *sum);
void uprobe_unload(void);

#endif
