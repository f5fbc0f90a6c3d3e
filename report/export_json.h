/* SPDX-License-Identifier: GPL-2.0-or-later */
/* export_json.h - what the JSON formats share: they are made in memory by lib/data.h. */
#ifndef LAPWING_REPORT_EXPORT_JSON_H
#define LAPWING_REPORT_EXPORT_JSON_H

#include "lib/data.h"
#include "report/filter.h"

struct export_text {
	struct data	data;
	char		*text;
	size_t		size;
};

/* Begins a text. schema: as of data_begin(). */
void export_begin(struct export_text *e, enum data_form form, const char *schema);
/* Ends it: its *size bytes, which the caller frees; NULL: no memory, which was reported. */
char *export_end(struct export_text *e, gsize *size);
void export_int(struct data *d, const char *name, gint64 value);
/* To six digits behind the point: a nanosecond of a millisecond. */
void export_double(struct data *d, const char *name, double value);
/* Indices of samples (guint) by thread; NULL for threads without. The caller frees. */
GArray **export_by_thread(const struct profile *p, const struct sample_filter *filter);

#endif
