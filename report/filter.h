/* SPDX-License-Identifier: GPL-2.0-or-later */
/* filter.h - selects the samples of a profile for a report. */
#ifndef LAPWING_REPORT_FILTER_H
#define LAPWING_REPORT_FILTER_H

#include "report/profile.h"

/* Members that are not set pass all samples. */
struct sample_filter {
	guint32		event;
	const char	*name, *phase;		/* of the process; of the phase */
	const char	*mode;			/* as filter_mode_name() returns it */
	const char	*unit, *image;		/* as filter_matches() takes them */
	const char	*function;		/* a name, or a pattern with * and ? */
};

/*
 * Whether a unit or file is what somebody calls it: "nginx" is nginx.service, "libc" is .../libc.so.6
 * and libc-2.31.so, "kernel" is [kernel]; with * and ? a pattern, of a file's name or, with a slash, its
 * path.
 */
int filter_matches(const char *name, const char *what);

int filter_passes(const struct profile *p, const struct profile_sample *s,
		  const struct sample_filter *filter);
/* "user", "kernel" or "idle". */
const char *filter_mode_name(const struct profile *p, const struct profile_sample *s);

#endif
