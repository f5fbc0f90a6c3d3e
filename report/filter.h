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
};

int filter_passes(const struct profile *p, const struct profile_sample *s,
		  const struct sample_filter *filter);
/* "user", "kernel" or "idle". */
const char *filter_mode_name(const struct profile *p, const struct profile_sample *s);

#endif
