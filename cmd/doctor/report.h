/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.h - findings and verdict as text for people and as JSON for programs. */
#ifndef LAPWING_CMD_DOCTOR_REPORT_H
#define LAPWING_CMD_DOCTOR_REPORT_H

#include "cmd/doctor/doctor.h"

/* They print to standard output. */
void report_text(const struct machine *m, const struct finding *findings, unsigned n,
		 const struct doctor_verdict *v);
void report_json(const struct machine *m, const struct finding *findings, unsigned n,
		 const struct doctor_verdict *v);

#endif
