/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdict.h - what follows from the findings.
 */
#ifndef LAPWING_DOCTOR_VERDICT_H
#define LAPWING_DOCTOR_VERDICT_H

struct machine;
struct verdict;

void verdict_make(const struct machine *m, struct verdict *v);
void verdict_clear(struct verdict *v);

#endif
