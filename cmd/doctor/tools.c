/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tools.c - findings about what builds modules and scripts.
 */
#include "cmd/doctor/doctor.h"
#include "lib/headers.h"

void find_headers(const struct machine *m, struct finding *f)
{
	char *problem = headers_problem(&m->host, m->release);

	if (!problem)
		finding_set(
			f, STATE_OK,
			g_strdup_printf("/lib/modules/%s/build: of this release, with its tools",
					m->release),
			"modules for the running kernel can be built", NULL);
	else if (!host_has(&m->host, "/proc/modules"))
		finding_set(f, STATE_UNTRIED, g_strdup(problem),
			    "not needed: this kernel loads no modules", NULL);
	else
		finding_set(f, STATE_MISSING, g_strdup(problem),
			    "no module for the running kernel can be built",
			    headers_mend(&m->host, m->release));
	g_free(problem);
}

void find_compiler(const struct machine *m, struct finding *f)
{
	char *gcc = host_program(&m->host, "gcc"), *make = host_program(&m->host, "make");

	if (!gcc)
		finding_set(
			f, STATE_MISSING, g_strdup("no gcc"),
			"no script can be built: only modules built elsewhere run, by lapwing-run",
			g_strdup(make ? "apt-get install gcc" : "apt-get install gcc make"));
	else if (m->no_script)
		finding_set(
			f, STATE_MISSING, g_strdup_printf("%s; %s", gcc, m->no_script),
			"no script can be built and run by you",
			g_strdup("lapwing --runtime=user -e 'probe begin { exit() }' says all of it"));
	else if (!make)
		finding_set(f, STATE_LIMITED, g_strdup_printf("%s, no make", gcc),
			    "scripts build for the user runtime only",
			    g_strdup("apt-get install make"));
	else
		finding_set(f, STATE_OK,
			    g_strdup_printf("a script was built by %s and ran; %s", gcc, make),
			    "scripts can be built", NULL);
	g_free(make);
	g_free(gcc);
}
