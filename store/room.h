/* SPDX-License-Identifier: GPL-2.0-or-later */
/* room.h - transactions on a store, and the room that its limit leaves them. */
#ifndef LAPWING_STORE_ROOM_H
#define LAPWING_STORE_ROOM_H

#include "store/limit.h"
#include "store/sql.h"

/* Pages that the file may have. */
gint64 room_pages(const struct store *s);
/* Begins to write. 0, or -1 with *error set. */
int room_begin(struct store *s, GError **error);
/* Ends that: rc 0 keeps what was done, and fails if the log has no room for it. 0, or -1 with *error set. */
int room_end(struct store *s, int rc, GError **error);
/* Within a transaction: removes the oldest epochs until there are so many free pages. 0, or -1 with *error set. */
int room_make(struct store *s, gint64 pages, GError **error);
/* Removes images, names and units that no epoch needs any more. 0, or -1 with *error set. */
int room_forget(struct store *s, GError **error);
/* Makes a file that a larger limit has left fit into this one. 0, or -1 with *error set. */
int room_shrink(struct store *s, GError **error);

#endif
