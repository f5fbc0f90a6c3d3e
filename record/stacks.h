/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks.h - images, places and stacks of a recording, each kept once and numbered as capture.proto
 * says.
 */
#ifndef LAPWING_RECORD_STACKS_H
#define LAPWING_RECORD_STACKS_H

#include "record/record.h"
#include "runtime/core/caller.h"

/* What the capture shows of an image, by its number. */
struct kept_image {
	Cap__Image__Kind kind;
	struct image	*image;		/* NULL: the kernel, generated code, unknown */
	gint32		pid;		/* MADE: the process that generated it */
	char		*path;
	GBytes		*build_id;	/* NULL: it has none */
};

/* w: NULL if no capture is written. */
void stacks_open(struct capture_writer *w, enum stack_method how);
/* Forgets everything: numbers begin at 0 again. */
void stacks_clear(void);
/* The stack of a sample: its node's number plus one, or 0: it has none. */
guint32 stacks_take(const struct record_sample *s, enum stack_flaws *flaws);
/* Invalidates what is cached about a process's addresses. */
void stacks_forget(gint32 pid);
/* Puts new places and stacks into the capture; samples that use them come after that. */
void stacks_flush(void);
guint stacks_images(void);
const struct kept_image *stacks_image(guint i);
/* The image and the offset of a stack's innermost place; stack: as of stacks_take(). */
void stacks_place(guint32 stack, guint32 *image, guint64 *offset);
/* The stack of its caller, 0: it has none, or only places are kept. */
guint32 stacks_caller(guint32 stack);
/* Sampled offsets of image i, sorted; the caller frees the array. */
GArray *stacks_offsets(guint i);

#endif
