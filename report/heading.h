/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heading.h - the beginning and the end that report programs share: opens a capture, prints what it
 * is and what is missing.
 */
#ifndef LAPWING_REPORT_HEADING_H
#define LAPWING_REPORT_HEADING_H

#include "lib/data.h"
#include "report/filter.h"
#include "store/store.h"

#include <stdio.h>

/*
 * Reads a capture for program `who`, and symbolizes what has no names in it; errors go to stderr.
 * NULL: nothing can be read.
 */
struct profile *heading_open(const char *who, const char *path);
/* The same of a store of lapwing watch, of a time (ns since 1970). */
struct profile *heading_open_db(const char *who, const char *path, gint64 since, gint64 until, enum store_how how);
/* "10 min": a time of seconds to days, to three digits. Caller frees. */
char *heading_span(guint64 ns);
/* Prints what was profiled or run, when and where. */
void heading_run(const struct profile *p, FILE *to);
/* The same, and how, and the number of samples. */
void heading_print(const struct profile *p, guint32 event, FILE *to);
/*
 * Warns on stderr if no sample of the capture passes the filter: a table or picture of it is empty.
 */
void heading_warn_empty(const char *who, const struct profile *p,
			const struct sample_filter *filter);
/*
 * The same for programs, as members of the object: of the run; the verdict and its reasons; all with
 * those of samples. Of CSV the reasons are on stderr, if something is missing.
 */
void heading_write_run(struct data *d, const struct profile *p);
void heading_write_verdict(struct data *d, const struct profile *p);
void heading_write(struct data *d, const struct profile *p, const struct sample_filter *filter);
/*
 * COMPLETE; PARTIAL: something is missing; UNKNOWN: nothing is known to be missing, but something
 * may be.
 */
const char *heading_verdict_word(const struct profile *p);
/* Prints COMPLETE, or another verdict and why, a line for each reason. */
void heading_verdict(const struct profile *p, FILE *to);
/*
 * The event with a name (NULL: the first): its number, or PROFILE_NONE after printing the available
 * ones.
 */
guint32 heading_event(const char *who, const struct profile *p, const char *name);
/* "1.5 ms" */
char *heading_time(double ns);

#endif
