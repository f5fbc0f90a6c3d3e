/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tally.h - samples counted by keys.
 */
#ifndef LAPWING_REPORT_TALLY_H
#define LAPWING_REPORT_TALLY_H

#include "lib/data.h"
#include "report/filter.h"
#include "report/key.h"

struct tally_row {
	char		*text;			/* the keys' texts, each NUL-terminated */
	guint64		samples, delayed;
	guint64		weight;
	double		squares;		/* sum of the squares of the samples' weights */
	guint32		first;			/* so many rows had samples before it had one */
};

#define TALLY_NONE	G_MAXUINT32

struct tally {
	const struct key *const *keys;
	GArray		*rows;			/* struct tally_row, most weight first; if the first key is epoch, that */
	guint64		samples, delayed, weight;	/* totals of all rows */
	double		squares;
	guint32		*row_of;		/* by sample of the profile: index of its row; TALLY_NONE: filtered out */
};

/* The caller keeps ownership of keys. */
struct tally *tally_make(const struct profile *p, const struct key *const *keys,
			 const struct sample_filter *filter);
void tally_free(struct tally *t);
/*
 * Rows as JSON or CSV (lib/data.h): the columns' names, as keys_columns() has them. Then the first n
 * rows of a tally with those columns: its keys, and null for others.
 */
const char **tally_columns(const char *first, const struct key *const *keys);
void tally_write(struct data *d, const struct tally *t, guint n, const char *first,
		 const char *const *columns);
/* The text of a row's key number i. */
const char *tally_text(const struct tally_row *row, guint i);

/* 0 of nothing. */
double tally_percent(guint64 part, guint64 all);
/* A share of the weight of samples, and the sums of the squares of their weights. */
struct tally_share {
	guint64		part, all;
	double		part_squares, all_squares;
};

/* Of a row; of samples that all weigh the same; what a sample adds to the sums of squares. */
struct tally_share tally_share(const struct tally *t, const struct tally_row *row);
struct tally_share tally_of_samples(guint64 hits, guint64 n);
double tally_square(const struct profile_sample *s);
/*
 * Half the width of the 95 % confidence interval of a share, as a fraction: Wilson's score interval
 * (E. B. Wilson, Probable inference, 1927), which does not collapse at 0 and 1, of as many samples as
 * would tell it as well if they weighed the same.
 */
double tally_interval(const struct tally_share *s);
/*
 * Whether two shares differ by more than chance: the test of two proportions at 95 %. Treats samples as
 * independent, as all of these reports do.
 */
int tally_differs(const struct tally_share *a, const struct tally_share *b);
/* Half the width of the 95 % confidence interval of their difference, as a fraction. 1: of nothing. */
double tally_change_interval(const struct tally_share *a, const struct tally_share *b);

#endif
