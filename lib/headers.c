/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * headers.c - a kernel's headers. Only looks at their files: make in that folder, even for a
 * question such as kernelrelease, may remove generated files.
 */
#include "lib/headers.h"

#include "lib/guest.h"
#include "lib/run.h"

#include <glib.h>

char *headers_problem(const struct host *host, const char *release)
{
	static const char *const files[] = { "Makefile", "include/generated/autoconf.h",
					     "include/generated/utsrelease.h",
					     "scripts/mod/modpost" };
	char *folder = g_strdup_printf("/lib/modules/%s/build", release),
	     *quoted = g_strdup_printf("\"%s\"", release), *problem = NULL, *path;

	for (unsigned i = 0; i < G_N_ELEMENTS(files) && !problem; i++) {
		path = g_build_filename(folder, files[i], NULL);
		if (!host_has(host, path))
			problem = g_strdup_printf("no %s", path);
		else if (i == 2 && !host_says(host, path, quoted))
			problem = g_strdup_printf("%s is of another kernel", path);
		g_free(path);
	}
	g_free(quoted);
	g_free(folder);
	return problem;
}

/* True if the package lists of this machine have it; a tree's are lines of its file /tried. */
static int is_known(const struct host *host, const char *package)
{
	const char *argv[] = { "apt-cache", "show", package, NULL };
	struct run_result result = { 0 };
	int known;

	if (*host->root)
		return host_lists(host, "/tried", package);
	known = !run_program(argv, NULL, NULL, 1, &result, NULL) && !result.status;
	run_result_clear(&result);
	return known;
}

char *headers_mend(const struct host *host, const char *release)
{
	char *package = g_strdup_printf("linux-headers-%s", release), *mend;

	if (is_known(host, package))
		mend = g_strdup_printf("apt-get install %s", package);
	else
		mend = g_strdup_printf(
			"%s--runtime=user needs no module; no package %s is known here: "
			"build the kernel's source and link it to /lib/modules/%s/build",
			guest_lacks(host, "x86_64") ? ""
						    : "--target=vm runs the script in a guest, ",
			package, release);
	g_free(package);
	return mend;
}
