/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbolize.h - names, source lines and code for places of an image, from the files of the machine where they are: frames for a capture.
 */
#ifndef LAPWING_REPORT_SYMBOLIZE_H
#define LAPWING_REPORT_SYMBOLIZE_H

#include "report/capture.h"

struct profile;
struct wire_symtab;

struct symbolize_image {
	guint32		id;		/* in the capture */
	const char	*path;		/* as messages name it */
	int		fd;		/* of the file; -1: there is none */
	int		kernel;		/* offsets are addresses of the running kernel */
	int		vdso;		/* it is what the running kernel lends to processes */
	const struct wire_symtab *table;	/* functions; NULL: those of the running kernel, or none */
	GArray		*offsets;	/* guint64, sorted: those that are asked about */
};

/* Calls put() with frames: the functions that hold the offsets, these functions' code, and the offsets' source lines. */
void symbolize_image(const struct symbolize_image *image, void (*put)(void *data, const Cap__Frame *frame), void *data);
/* Names what a capture that was cut off could not be given, from files of this machine that have its images' build-ids; with
 * progress. */
void symbolize_profile(struct profile *p);
/* Only functions, of places that are new since *named, which then counts them too: while a profile grows. */
void symbolize_functions(struct profile *p, guint *named);

#endif
