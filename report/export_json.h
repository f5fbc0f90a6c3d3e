/* SPDX-License-Identifier: GPL-2.0-or-later */
/* export_json.h - what the JSON formats share. */
#ifndef LAPWING_REPORT_EXPORT_JSON_H
#define LAPWING_REPORT_EXPORT_JSON_H

#include "report/export.h"

/* Returns what was built as text; frees b. */
char *export_json_text(JsonBuilder *b, gsize *size);
/* Indices of samples (guint) by thread; NULL for threads without. The caller frees. */
GArray **export_by_thread(const struct profile *p, const struct sample_filter *filter);
void export_set_text(JsonBuilder *b, const char *name, const char *value);
void export_set_int(JsonBuilder *b, const char *name, gint64 value);

#endif
