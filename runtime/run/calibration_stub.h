/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calibration_stub.h - functions in which nothing happens: what stopwatches of user programs read
 * of them is their own cost.
 */
#ifndef LAPWING_RUN_CALIBRATION_STUB_H
#define LAPWING_RUN_CALIBRATION_STUB_H

#include "runtime/run/run.h"

/*
 * Functions of ours in which nothing happens; where they are, and calls of them where the script
 * wants them.
 */
void empties_tell(struct wire_about *about);
void empties_call(void);

#endif
