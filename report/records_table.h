/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records_table.h - tables of scripts' records: as a list, or counted by columns.
 */
#ifndef LAPWING_REPORT_RECORDS_TABLE_H
#define LAPWING_REPORT_RECORDS_TABLE_H

#include "lib/data.h"
#include "report/profile.h"

struct records_options {
	const char	*by;		/* keys; NULL: a list of the records */
	const char	*sum;		/* a column whose numbers are added up, or NULL */
	const char	**where;	/* conditions, all of which hold; ends with NULL; or NULL */
	const char	*delta;		/* keys: --sum adds up growth since the record before with the same */
	double		timeline;	/* ms: rows are of such intervals of time; 0: not */
	const char	*pair;		/* "BEGIN,END": times from a record to another; or NULL */
	const char	*on;		/* keys that both of them share */
	const char	*time;		/* of these: a column; NULL: the records' own */
	int		percentiles, histogram;
	int		limit;		/* rows; 0: all */
	enum data_form	form;
};

/* Prints the report; returns the exit status. */
int records_report(const char *who, const struct profile *p, const struct records_options *opt);

#endif
