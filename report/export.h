/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export.h - captures in other programs' formats. One file for each kind of format.
 */
#ifndef LAPWING_REPORT_EXPORT_H
#define LAPWING_REPORT_EXPORT_H

#include "report/frames.h"

/*
 * All return *size bytes, which the caller frees; NULL: failed, and the reason has been reported.
 */
typedef char *export_fn(const struct profile *p, const struct sample_filter *filter, gsize *size);

export_fn export_folded, export_csv, export_json;	/* export_text.c */
export_fn export_pprof, export_speedscope, export_firefox, export_chrome;
export_fn export_gmon;
/* for gmon: the program; NULL: the file with the most time */
extern const char *export_program;

#endif
