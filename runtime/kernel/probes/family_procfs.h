/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_procfs.h - procfs probes: files below /proc/systemtap/MODULE/ that handlers fill when they
 * are read and take from when they are written.
 */
#ifndef LAPWING_KERNEL_PROBES_FAMILY_PROCFS_H
#define LAPWING_KERNEL_PROBES_FAMILY_PROCFS_H

#include "runtime/kernel/session/session.h"

/* WIRE_INPUT. 0 or -ENOENT */
int procfs_input(const char *p, u32 n);

#endif
