/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.h - findings and verdict as text for people, as JSON or CSV for programs. */
#ifndef LAPWING_CMD_DOCTOR_REPORT_H
#define LAPWING_CMD_DOCTOR_REPORT_H

#include "cmd/doctor/doctor.h"
#include "lib/data.h"

/* They print to standard output. */
void report_text(const struct machine *m, const struct finding *findings, unsigned n,
		 const struct doctor_verdict *v);
/* CSV: the findings alone. 0, or 1: they could not be written, which was reported. */
int report_data(enum data_form form, const struct machine *m, const struct finding *findings,
		unsigned n, const struct doctor_verdict *v);

#endif
