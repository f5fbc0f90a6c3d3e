/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture.h - captures as files of frames (capture.proto): written once, sequentially, and read
 * that way. Knows nothing of the frames' content.
 */
#ifndef LAPWING_REPORT_CAPTURE_H
#define LAPWING_REPORT_CAPTURE_H

#include "report/capture.pb-c.h"

#include <glib.h>

#define CAPTURE_VERSION 1
/* what lapwing record writes, and reports read, if no file is named */
#define CAPTURE_FILE	"lapwing.capture"

struct capture_writer;

/*
 * Creates a file that only its owner can read; replaces an existing one. NULL with *error set.
 */
struct capture_writer *capture_create(const char *path, GError **error);
/*
 * Appends a frame; capture_flush() writes it to the file. 0, or -1: a write failed, now or
 * earlier.
 */
int capture_put(struct capture_writer *w, const Cap__Frame *frame);
int capture_flush(struct capture_writer *w);
guint64 capture_bytes(const struct capture_writer *w);
/* Writes the rest and frees w. 0, or -1 with *error set: the file is incomplete. */
int capture_close(struct capture_writer *w, GError **error);

/* The result of parsing. */
struct capture_end {
	unsigned	frames;
	guint64	good, size;	/* bytes parsed, of the file's size */
	char		*damage;	/* why parsing stopped before the end; NULL: complete.
					 * Caller frees. */
};

/*
 * Calls take() for each frame, in order, until it returns -1 with *error set, which is then
 * returned. A truncated or damaged capture gives the frames before the damage (end->damage).
 * 0, or -1 with *error set.
 */
int capture_parse(const guint8 *bytes, gsize size,
		  int (*take)(void *data, const Cap__Frame *frame, GError **error), void *data,
		  struct capture_end *end, GError **error);

#endif
