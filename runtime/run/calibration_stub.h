/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calibration_stub.h - empty functions: what stopwatches of user programs read for them is the
 * stopwatches' own cost.
 */
#ifndef LAPWING_RUN_CALIBRATION_STUB_H
#define LAPWING_RUN_CALIBRATION_STUB_H

#include "runtime/run/run.h"

/*
 * Stores where our empty functions are; calls them if the script requests it.
 */
void empties_tell(struct wire_about *about);
void empties_call(void);

#endif
