/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keeper.h - writes epochs to the store, with names of what is new in them, in a process of its own
 * for each epoch: what that needs of memory, and what goes wrong with a damaged ELF file, is not the
 * recorder's. An epoch that cannot be written is kept in memory, and tried again with the next one.
 */
#ifndef LAPWING_WATCH_KEEPER_H
#define LAPWING_WATCH_KEEPER_H

#include "store/store.h"

/*
 * Opens the store once, so that what is wrong with it is said at once, and keeps it from other
 * recorders: two would count all samples twice. 0, or -1 with *error set.
 */
int keeper_open(const char *path, guint64 most, GError **error);
/*
 * Takes an epoch, which it frees. Call it before stacks_clear(): the images of stacks.h are those of
 * the epoch.
 */
void keeper_give(struct store_epoch *e);
/* Looks how the writer has ended; call it now and then. */
void keeper_look(void);
/* Waits for the writer. Returns how many epochs could not be written. */
guint keeper_close(void);

#endif
