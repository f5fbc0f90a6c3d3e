/* SPDX-License-Identifier: GPL-2.0-or-later */
/* some_epoch.h - epochs for the tests of the store. */
#ifndef LAPWING_TESTSUITE_UNIT_SOME_EPOCH_H
#define LAPWING_TESTSUITE_UNIT_SOME_EPOCH_H

#include "store/epoch.h"

#define SECOND	1000000000LL
#define MINUTE	(60 * SECOND)
#define DAY	(24 * 60 * MINUTE)

/* An epoch of ten minutes with so many rows in some images and units, 7 lost samples. */
struct store_epoch *some_epoch(gint64 start, guint rows);
/* Gives its rows callers, of which many are alike, and some flaws. */
void add_stacks(struct store_epoch *e);
guint64 samples_of(const struct store_epoch *e);
/* Text of all rows, sorted: two epochs are the same if it is. Caller frees. */
char *text_of(const struct store_epoch *e);

#endif
