/* SPDX-License-Identifier: GPL-2.0-or-later */
/* naming.h - names for what a recording has kept of stacks (stacks.h). */
#ifndef LAPWING_RECORD_NAMING_H
#define LAPWING_RECORD_NAMING_H

#include "record/record.h"

/*
 * Calls take() with functions, lines and code of these offsets (guint64, sorted) in image i of
 * stacks.h, which is their frames' image.
 */
void naming_image(guint i, const GArray *offsets,
		  void (*take)(void *data, const Cap__Frame *frame), void *data);
/*
 * Writes functions, lines and code of all images to the capture, with progress on a terminal, until
 * stop is set. Returns the number of images left without names.
 */
guint naming_put(struct capture_writer *w, int quiet, const volatile sig_atomic_t *stop);

#endif
