/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample_filter.h - the conditions by which a report chooses samples of a capture.
 */
#ifndef LAPWING_REPORT_SAMPLE_FILTER_H
#define LAPWING_REPORT_SAMPLE_FILTER_H

#include "report/profile.h"

/*
 * A member other than event that is NULL or 0 lets all samples through. The caller owns the texts.
 */
struct sample_filter {
	guint32		event;			/* number of the event */
	const char	*name, *phase;		/* of the process; of the phase */
	enum profile_mode mode;
};

/* True if the sample meets all conditions. */
int sample_filter_passes(const struct profile *p, const struct profile_sample *s,
			 const struct sample_filter *filter);

#endif
