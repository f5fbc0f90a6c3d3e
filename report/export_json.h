/* SPDX-License-Identifier: GPL-2.0-or-later */
/* export_json.h - what formats in JSON share. */
#ifndef LAPWING_REPORT_EXPORT_JSON_H
#define LAPWING_REPORT_EXPORT_JSON_H

#include "report/export.h"

/* What was built, as text; b is gone then. */
char *export_json_text(JsonBuilder *b, gsize *size);
/* Numbers of samples (guint) by thread; NULL for threads without. The caller frees. */
GArray **export_by_thread(const struct profile *p, const struct sample_filter *filter);
void export_set_text(JsonBuilder *b, const char *name, const char *value);
void export_set_int(JsonBuilder *b, const char *name, gint64 value);

#endif
