/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store.h - profiles of weeks in one SQLite file: for each epoch the counts of each image
 * (segment.h), and once for all epochs what images, units and events are called, and the names in
 * images. Old epochs become hours, then days, and the oldest are removed before the store exceeds
 * its limit.
 *
 * One process writes; any number read, also meanwhile. Single-threaded.
 */
#ifndef LAPWING_STORE_H
#define LAPWING_STORE_H

#include "store/epoch.h"

struct store;

/*
 * Opens a store to write, which it makes if it is missing, in a folder of its owner's alone; most:
 * bytes that the file and what SQLite keeps beside it may have. NULL with *error set.
 */
struct store *store_open(const char *path, guint64 most, GError **error);
/* Opens one to read. NULL with *error set. */
struct store *store_open_read(const char *path, GError **error);
void store_close(struct store *s);
/* Bytes of the file and what is beside it. */
guint64 store_bytes(const char *path);
/*
 * Adds an epoch, in one transaction that is on the disk when this returns; removes the oldest epochs
 * if they would not fit. One that begins at the same ns is the same: it is there already. 0, or -1
 * with *error set: nothing has changed, and it can be tried again.
 */
int store_put(struct store *s, const struct store_epoch *e, GError **error);
/*
 * Makes hours of epochs that ended a day before `now` (ns since 1970), and days of those that ended
 * a week before. 0, or -1 with *error set.
 */
int store_compact(struct store *s, gint64 now, GError **error);
/*
 * All epochs that overlap a time, added up. STORE_BY_EPOCH: told apart by the rows' `epoch`, which is an
 * index of ->spans; those are in the order of time. STORE_BY_IMAGE: added up for each image, without
 * stacks, and with offsets of 0; STORE_BY_FUNCTION: with those of the bounds (guint64, sorted) at or before
 * them, which bounds_of() makes of the image's names. NULL with *error set.
 */
enum store_how { STORE_SUM = 0, STORE_BY_EPOCH = 1, STORE_BY_IMAGE = 2, STORE_BY_FUNCTION = 4 };
struct store_epoch *store_get(struct store *s, gint64 since, gint64 until, enum store_how how, GArray *(*bounds_of)(GBytes *names),
			      GError **error);
/*
 * Names in an image, as bytes that the caller understands; NULL: none are known. Caller unrefs.
 */
GBytes *store_names(struct store *s, const struct store_image *image);
/* Adds to those of n images, each of which is in an epoch. 0, or -1 with *error set: not all are there. */
int store_add_names(struct store *s, const struct store_image *images, GBytes *const *names, guint n, GError **error);
/* How many epochs there are. */
guint store_epochs(struct store *s);
/* A text about the machine, by its key; "": unknown. Caller frees. */
#define STORE_ABOUT_LIMIT	"limit"		/* bytes that the store may have */
char *store_about(struct store *s, const char *key);
int store_put_about(struct store *s, const char *key, const char *text, GError **error);
/* Where lapwing watch keeps its store: for root below /var/lib, else in the user's home. Caller frees. */
char *store_default_path(void);

#endif
