/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calibration_stub.h - empty functions for stopwatches. */
#ifndef LAPWING_KERNEL_CALIBRATION_STUB_H
#define LAPWING_KERNEL_CALIBRATION_STUB_H

#include "runtime/rt.h"

/* Of the one that a calibrating probe is at. */
u64 calibration_stub_address(const struct rt_probe *p);
/* WIRE_CALIBRATE: calls them. Process context. */
void calibration_stub_call(void);

#endif
