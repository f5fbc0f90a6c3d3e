/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calibration_stub.h - functions of the kernel's kind in which nothing happens: what stopwatches
 * read of them is their own cost.
 */
#ifndef LAPWING_KERNEL_PROBES_CALIBRATION_STUB_H
#define LAPWING_KERNEL_PROBES_CALIBRATION_STUB_H

#include "runtime/core/core.h"

/* Functions in which nothing happens, for stopwatches. */
u64 empty_address(const struct rt_probe *p);	/* of the one that a calibrating probe is at */
void empty_calibrate(void);		/* WIRE_CALIBRATE */

#endif
