/* SPDX-License-Identifier: GPL-2.0-or-later */
/* target.h - the target of the run: a process and its descendants. */
#ifndef LAPWING_KERNEL_TARGET_H
#define LAPWING_KERNEL_TARGET_H

#include "runtime/rt.h"
#include "runtime/wire.h"

extern struct wire_target target_of_run;	/* set before the start */

/* True if the current task is in the target's tree. Any context but NMI. */
int target_has_current(void);

#endif
