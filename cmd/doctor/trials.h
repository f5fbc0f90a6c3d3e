/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trials.h - tries what lapwing needs, as the user who asks.
 */
#ifndef LAPWING_CMD_DOCTOR_TRIALS_H
#define LAPWING_CMD_DOCTOR_TRIALS_H

#include "cmd/doctor/doctor.h"

/* Sets m->works and m->no_script. Nothing that it does survives it. */
void trials_make(struct machine *m);

#endif
