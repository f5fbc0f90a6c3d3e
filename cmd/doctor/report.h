/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h - findings and verdict on standard output, as text or JSON.
 */
#ifndef LAPWING_DOCTOR_REPORT_H
#define LAPWING_DOCTOR_REPORT_H

#include <json-glib/json-glib.h>

struct finding;
struct machine;
struct verdict;

/* To standard output. The first prints what was built, and frees it. */
void report_builder(JsonBuilder *b);
void report_text(const struct machine *m, const struct finding *findings, unsigned n,
		 const struct verdict *v);
void report_json(const struct machine *m, const struct finding *findings, unsigned n,
		 const struct verdict *v);

#endif
