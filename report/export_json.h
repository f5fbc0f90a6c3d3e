/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export_json.h - strings and numbers in JSON, for exporters.
 */
#ifndef LAPWING_REPORT_EXPORT_JSON_H
#define LAPWING_REPORT_EXPORT_JSON_H

#include <glib.h>
#include <json-glib/json-glib.h>

struct profile;
struct sample_filter;

/* The text of a builder, which it frees. */
char *export_json_text(JsonBuilder *b, gsize *size);
/* Numbers of samples (guint) by thread; NULL for threads without. The caller frees. */
GArray **export_by_thread(const struct profile *p, const struct sample_filter *filter);
void export_set_text(JsonBuilder *b, const char *name, const char *value);
void export_set_int(JsonBuilder *b, const char *name, gint64 value);

#endif
