/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calibration_stub.h - empty functions of this program, which calibrate stopwatches.
 */
#ifndef LAPWING_RUN_CALIBRATION_STUB_H
#define LAPWING_RUN_CALIBRATION_STUB_H

struct wire_about;

/* Their file offsets for WIRE_ABOUT; calls them, as the script requests. */
void calibration_stubs_describe(struct wire_about *about);
void calibration_stubs_call(void);

#endif
