/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbolize.h - names, source lines and code for places of an image, from this machine's files, as
 * frames for a capture.
 */
#ifndef LAPWING_REPORT_SYMBOLIZE_H
#define LAPWING_REPORT_SYMBOLIZE_H

#include "report/capture.h"

struct profile;
struct wire_symtab;

struct symbolize_image {
	guint32		id;		/* in the capture */
	const char	*path;		/* as shown in messages */
	int		fd;		/* of the file; -1: none */
	int		kernel;		/* offsets are addresses of the running kernel */
	int		vdso;		/* the running kernel's vDSO */
	const struct wire_symtab *table;	/* functions; NULL: those of the running kernel,
						 * or none */
	GArray		*offsets;	/* guint64, sorted: the requested ones */
};

/*
 * Calls put() with frames: the functions that contain the offsets, these functions' code, and the
 * offsets' source lines.
 */
void symbolize_image(const struct symbolize_image *image,
		     void (*put)(void *data, const Cap__Frame *frame), void *data);
/*
 * Completes the symbolization of a truncated capture, from files of this machine with its images'
 * build-ids; shows progress. Returns how many images were left out because of ^C.
 */
guint symbolize_profile(struct profile *p);
/*
 * Resolves only functions, of places that are new since *named, which is updated: for a growing
 * profile.
 */
void symbolize_functions(struct profile *p, guint *named);

#endif
