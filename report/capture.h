/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture.h - captures as files of frames (capture.proto): written once, front to back, and read that way. Knows nothing of what the
 * frames mean.
 */
#ifndef LAPWING_REPORT_CAPTURE_H
#define LAPWING_REPORT_CAPTURE_H

#include "report/capture.pb-c.h"

#include <glib.h>

#define CAPTURE_VERSION 1

enum capture_error { CAPTURE_ERROR_FILE, CAPTURE_ERROR_NOT_ONE, CAPTURE_ERROR_VERSION, CAPTURE_ERROR_CONTENT };
#define CAPTURE_ERROR capture_error_quark()
GQuark capture_error_quark(void);

struct capture_writer;

/* A new file, readable by its owner only; an older one of that name is replaced. NULL with *error set. */
struct capture_writer *capture_create(const char *path, GError **error);
/* Appends a frame. What was put is in the file after capture_flush(). 0, or -1: the disk is full or failed, now or earlier. */
int capture_put(struct capture_writer *w, const Cap__Frame *frame);
int capture_flush(struct capture_writer *w);
guint64 capture_bytes(const struct capture_writer *w);
/* 0, or -1 with *error set when not everything is in the file. Frees w. */
int capture_close(struct capture_writer *w, GError **error);

/* How reading ended. */
struct capture_end {
	unsigned	frames;
	guint64	good, size;	/* bytes that could be read, of the file's */
	char		*damage;	/* why reading stopped before the end; NULL: it did not. Caller frees. */
};

/*
 * Calls take() for each frame of a capture's bytes, in order, until it returns -1 with *error set, which becomes capture_parse()'s. Bytes
 * that end early, or are damaged, give what is before that: see end->damage. 0, or -1 with *error set.
 */
int capture_parse(const guint8 *bytes, gsize size, int (*take)(void *data, const Cap__Frame *frame, GError **error), void *data,
		  struct capture_end *end, GError **error);

#endif
