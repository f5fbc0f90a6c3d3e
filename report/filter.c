/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter.c - see filter.h.
 */
#include "report/filter.h"

#include <string.h>

const char *filter_mode_name(const struct profile *p, const struct profile_sample *s)
{
	int kernel = s->node != PROFILE_NONE &&
		     profile_in_kernel(p, PROFILE_AT(p->nodes, node, s->node)->place);

	return profile_is_idle(p, s) ? "idle" : kernel ? "kernel" : "user";
}

static const char *process_name(const struct profile *p, const struct profile_sample *s)
{
	const struct profile_thread *thread = PROFILE_AT(p->threads, thread, s->thread);

	return PROFILE_AT(p->processes, process, thread->process)->name;
}

int filter_passes(const struct profile *p, const struct profile_sample *s,
		  const struct sample_filter *filter)
{
	int passes = s->event == filter->event;

	if (passes && filter->name)
		passes = !strcmp(process_name(p, s), filter->name);
	if (passes && filter->phase)
		passes = s->phase != PROFILE_NONE &&
			 !strcmp(PROFILE_AT(p->phases, phase, s->phase)->name, filter->phase);
	if (passes && filter->mode)
		passes = !strcmp(filter_mode_name(p, s), filter->mode);
	return passes;
}
