/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * name_frames.h - frames with the names in one image (functions, lines, code) as bytes, one behind
 * the other, as a store keeps them.
 */
#ifndef LAPWING_REPORT_NAME_FRAMES_H
#define LAPWING_REPORT_NAME_FRAMES_H

#include "report/capture.h"

/* Appends a frame; others than those of names are left out. */
void name_frames_add(GByteArray *to, const Cap__Frame *frame);
/*
 * Calls take() for each frame, with that image. 0; -1: the bytes are damaged, and what comes before
 * was given.
 */
int name_frames_each(GBytes *bytes, guint32 image,
		     void (*take)(void *data, const Cap__Frame *frame), void *data);

#endif
