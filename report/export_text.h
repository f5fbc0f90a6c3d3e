/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export_text.h - a tally as comma-separated values, for exporters and reports.
 */
#ifndef LAPWING_REPORT_EXPORT_TEXT_H
#define LAPWING_REPORT_EXPORT_TEXT_H

#include <glib.h>

struct tally;

/* A tally as CSV with a header line. */
void export_csv_rows(GString *out, const struct tally *t);

#endif
