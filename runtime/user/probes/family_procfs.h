/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_procfs.h - procfs probes that get their input from the consumer.
 */
#ifndef LAPWING_USER_PROBES_FAMILY_PROCFS_H
#define LAPWING_USER_PROBES_FAMILY_PROCFS_H

#include "runtime/user/user.h"

/* WIRE_INPUT: 0 or -ENOENT. */
int procfs_input(const char *p, u32 n);

#endif
