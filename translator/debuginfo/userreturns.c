/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userreturns.c - see userreturns.h.
 */
#include "translator/debuginfo/userreturns.h"

static char *switches(const struct userfile *f, const char *which)
{
	const char *name = f ? userfile_switches(f) : NULL;

	return name ? g_strdup_printf("%s switches stacks (%s)", which, name) : NULL;
}

static char *file_switches(const char *path, const char *which)
{
	const char *problem;
	struct userfile *f = userfile_open(path, &problem);
	char *why = switches(f, which);

	userfile_close(f);
	return why;
}

static char *libraries_switch(const struct userpath *program, const char *sysroot)
{
	GPtrArray *needed = userpath_needed(program, sysroot);
	char *why = NULL;

	for (guint i = 0; i < needed->len && !why; i++) {
		const struct userpath *p = needed->pdata[i];
		char *name = g_path_get_basename(p->target),
		     *which = g_strdup_printf("its library %s", name);

		why = file_switches(p->host, which);
		g_free(which);
		g_free(name);
	}
	g_ptr_array_unref(needed);
	return why;
}

struct userreturns_program *userreturns_program(const struct userpath *program, const char *sysroot)
{
	struct userreturns_program *p = g_new0(struct userreturns_program, 1);

	p->switches = file_switches(program->host, "its program");
	p->library = p->switches ? NULL : libraries_switch(program, sysroot);
	return p;
}

void userreturns_free(struct userreturns_program *p)
{
	g_free(p->switches);
	g_free(p->library);
	g_free(p);
}

enum userreturns userreturns_of(const struct userreturns_program *program, struct userfile *file,
				char **why)
{
	*why = userfile_is_go(file) ? g_strdup("its stacks move, as it is written in Go") : switches(file, "it");
	if (!*why)
		*why = g_strdup(program->switches);
	if (*why)
		return USERRETURNS_DIES;
	*why = g_strdup(program->library);
	if (!*why && userfile_unwinds(file))
		*why = g_strdup("an exception or panic that passes a call ends it otherwise");
	return *why ? USERRETURNS_MAY_DIE : USERRETURNS_SAFE;
}
