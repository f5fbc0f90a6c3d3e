/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calibration_stub.h - empty functions of the kernel's kind: what a stopwatch reads for one is the
 * stopwatch's own cost.
 */
#ifndef LAPWING_KERNEL_PROBES_CALIBRATION_STUB_H
#define LAPWING_KERNEL_PROBES_CALIBRATION_STUB_H

#include "runtime/core/core.h"

/* Empty functions, for stopwatches. */
u64 empty_address(const struct rt_probe *p);	/* of the function that a calibrating probe is at */
void empty_calibrate(void);		/* WIRE_CALIBRATE */

#endif
