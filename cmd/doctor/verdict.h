/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdict.h - the conclusions: which runtimes and targets work, and the best command to type.
 */
#ifndef LAPWING_CMD_DOCTOR_VERDICT_H
#define LAPWING_CMD_DOCTOR_VERDICT_H

#include "cmd/doctor/doctor.h"

void verdict_make(const struct machine *m, struct doctor_verdict *v);
void verdict_clear(struct doctor_verdict *v);

#endif
