/* SPDX-License-Identifier: GPL-2.0-or-later */
/* family_procfs.h - input from the consumer for procfs probes. */
#ifndef LAPWING_KERNEL_PROBES_FAMILY_PROCFS_H
#define LAPWING_KERNEL_PROBES_FAMILY_PROCFS_H

#include "runtime/core/core.h"

/* WIRE_INPUT: 0 or -ENOENT. Process context. */
int procfs_input(const char *p, u32 n);

#endif
