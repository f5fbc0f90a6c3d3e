/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time.h - the clock of records and timers.
 */
#ifndef LAPWING_USER_BASE_TIME_H
#define LAPWING_USER_BASE_TIME_H

#include "runtime/user/user.h"

#define KERNEL_HZ 250LL			/* CONFIG_HZ of Debian's kernels */

/* CLOCK_MONOTONIC, ns. */
u64 time_mono(void);

#endif
