/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records.h - the records of scripts (stp()) in a capture, by their columns.
 */
#ifndef LAPWING_REPORT_RECORDS_H
#define LAPWING_REPORT_RECORDS_H

#include "report/profile.h"

/*
 * What a record is told apart by: one of its columns, by name or position from 1; else its time, cpu,
 * tid, pid, program or probe; else function, image, line or address of its first address.
 */
struct record_key {
	char		*name;
	enum record_fact { FACT_COLUMN, FACT_TIME, FACT_CPU, FACT_TID, FACT_PID,
			   FACT_PROGRAM, FACT_PROBE, FACT_INTERVAL } fact;
	guint64		interval;	/* ns, of FACT_INTERVAL */
	guint32		*column;	/* by call: in profile.columns; PROFILE_NONE: it has none */
	/* shown of an address, whatever the column shows; COLUMN_NUMBER: that */
	enum column_kind view;
};

/* NULL with *error set, which lists the columns. record_key_free() frees. */
struct record_key *record_key_new(const struct profile *p, const char *name, GError **error);
/* The interval of that length, ns, in which a record is, by its start in seconds. */
struct record_key *record_key_interval(guint64 interval);
void record_key_free(struct record_key *key);
/* "2,name,ip": an array of keys; NULL with *error set. */
GPtrArray *record_keys_parse(const struct profile *p, const char *list, GError **error);

/* The names of the facts but FACT_COLUMN, in their order; NULL ends them. */
extern const char *const record_facts[];

/* Appends the text of a record's value; "-": it has none. */
void record_text(GString *to, const struct profile *p, const struct profile_record *r,
		 const struct record_key *key);
/* Appends the name of a place's function; its image and offset if there is none. */
void record_function_text(GString *to, const struct profile *p, guint32 place);
/* Appends a stack, the outermost function first, with ; between them. */
void record_stack_text(GString *to, const struct profile *p, guint32 node);
/* The text of the n-th interval. */
void record_interval_text(GString *to, guint64 n, const struct record_key *key);
/* Appends the text of column i of a record's call, from 0. */
void record_column_text(GString *to, const struct profile *p, const struct profile_record *r,
			guint32 i);
/* True if records can have a number there. */
int record_key_is_number(const struct profile *p, const struct record_key *key);
/* True if the record has such a value. */
int record_has(const struct profile_record *r, const struct record_key *key);
/* The number of a record's value; 0: it has none, or no number. */
int record_number(const struct profile *p, const struct profile_record *r,
		  const struct record_key *key, gint64 *value);

/*
 * Makes a sample of each record, for reports of samples, unless the capture has samples: of the column
 * `stack`, or, if that is NULL, of the record's first stack, or of its first address if it has none.
 * They are of the event "records", of weight 1. 0, or -1 with *error set: no such column.
 */
int records_to_samples(struct profile *p, const char *stack, GError **error);

/* A condition: KEY, one of == != < <= > >= =~, and a number or a text in quotes. */
struct record_where;
struct record_where *record_where_parse(const struct profile *p, const char *text, GError **error);
int record_passes(const struct profile *p, const struct profile_record *r,
		  const struct record_where *where);
void record_where_free(struct record_where *where);

#endif
