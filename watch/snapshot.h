/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot.h - what was counted in a time, as a store keeps it. */
#ifndef LAPWING_WATCH_SNAPSHOT_H
#define LAPWING_WATCH_SNAPSHOT_H

#include "record/stacks.h"
#include "store/store.h"
#include "watch/counts.h"

/*
 * The image in a store of an offset in image i of stacks.h, and what to subtract for the offset there;
 * its texts are the image's, kernel_map.h's (until it reads again) or static.
 */
struct store_image snapshot_image(guint i, guint64 offset, guint64 *base);
/*
 * The counts, with the images of stacks.h, the units of units.h and the events (struct
 * record_event); times and books are the caller's to fill in. Caller frees.
 */
struct store_epoch *snapshot_take(const struct counts *counts, const GArray *events);

#endif
