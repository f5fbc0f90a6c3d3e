/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample_filter.c - see sample_filter.h.
 */
#include "report/sample_filter.h"

#include <string.h>

int sample_filter_passes(const struct profile *p, const struct profile_sample *s,
			 const struct sample_filter *filter)
{
	int passes = s->event == filter->event;

	if (passes && filter->name)
		passes = !strcmp(PROFILE_AT(p->processes, process,
					    PROFILE_AT(p->threads, thread, s->thread)->process)
					 ->name,
				 filter->name);
	if (passes && filter->phase)
		passes = s->phase != PROFILE_NONE &&
			 !strcmp(PROFILE_AT(p->phases, phase, s->phase)->name, filter->phase);
	if (passes && filter->mode)
		passes = profile_mode(p, s) == filter->mode;
	return passes;
}
