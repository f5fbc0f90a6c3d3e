/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter.c - see filter.h.
 */
#include "report/filter.h"

#include "report/cgroup.h"

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

int filter_matches(const char *name, const char *what)
{
	const char *slash = strrchr(name, '/'), *rest;

	if (slash && !strchr(what, '/'))
		name = slash + 1;
	if (*name == '[' && *what != '[')
		name++;
	if (strpbrk(what, "*?"))
		return g_pattern_match_simple(what, name);
	if (!g_str_has_prefix(name, what))
		return 0;
	rest = name + strlen(what);
	return !*rest || *rest == '.' || *rest == '@' || (*rest == '-' && g_ascii_isdigit(rest[1])) ||
	       (*rest == ']' && !rest[1]);
}

static int is_of_unit(const struct profile *p, const struct profile_sample *s, const char *unit)
{
	static GString *name;
	const struct profile_thread *thread = PROFILE_AT(p->threads, thread, s->thread);

	name = name ? g_string_truncate(name, 0) : g_string_new(NULL);
	cgroup_unit(name, PROFILE_AT(p->processes, process, thread->process)->cgroup);
	return filter_matches(name->str, unit);
}

/* These two are about the innermost frame. */
static int is_in_image(const struct profile *p, const struct profile_sample *s, const char *image)
{
	const struct profile_place *place =
		s->node == PROFILE_NONE ? NULL
					: PROFILE_AT(p->places, place, PROFILE_AT(p->nodes, node, s->node)->place);

	return place && filter_matches(PROFILE_AT(p->images, image, place->image)->path, image);
}

static int is_in_function(const struct profile *p, const struct profile_sample *s, const char *function)
{
	const struct profile_function *f =
		s->node == PROFILE_NONE ? NULL : profile_function_of(p, PROFILE_AT(p->nodes, node, s->node)->place);

	return f && g_pattern_match_simple(function, f->name);
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
	if (passes && filter->unit)
		passes = is_of_unit(p, s, filter->unit);
	if (passes && filter->image)
		passes = is_in_image(p, s, filter->image);
	if (passes && filter->function)
		passes = is_in_function(p, s, filter->function);
	if (passes && filter->mode)
		passes = !strcmp(filter_mode_name(p, s), filter->mode);
	return passes;
}
