/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot.h - what was counted in a time, as a store keeps it. */
#ifndef LAPWING_WATCH_SNAPSHOT_H
#define LAPWING_WATCH_SNAPSHOT_H

#include "record/stacks.h"
#include "store/store.h"
#include "watch/counts.h"

/* An image of stacks.h as it is identified in a store; its texts are the image's, or static. */
struct store_image snapshot_image(const struct kept_image *kept);
/*
 * The counts, with the images of stacks.h, the units of units.h and the events (struct
 * record_event); times and books are the caller's to fill in. Caller frees.
 */
struct store_epoch *snapshot_take(const struct counts *counts, const GArray *events);

#endif
