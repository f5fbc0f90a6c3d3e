/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export_text.h - folded stacks ("a;b;c 12" a line), and samples by process, thread, function and
 * image, as CSV and as JSON.
 */
#ifndef LAPWING_REPORT_EXPORT_TEXT_H
#define LAPWING_REPORT_EXPORT_TEXT_H

#include "report/export.h"
#include "report/tally.h"

/* A tally as CSV with a header line. */
void export_csv_rows(GString *out, const struct tally *t);

#endif
