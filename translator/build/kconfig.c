/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kconfig.c - the build configuration of the target kernel, for %( CONFIG_X == ... %).
 *
 * Input: the .config of the kernel's headers, or /boot/config-RELEASE. Read for the first
 * condition; if neither file exists, all options count as unset, as in a kernel without them.
 */
#include "translator/build/kconfig.h"

#include "translator/build/kbuild.h"

#include <string.h>

static char *read_config(const struct program *prog)
{
	const char *release = prog->kernel_release;
	char *headers = kbuild_headers(prog);
	char *paths[] = { g_build_filename(headers ? headers : "", ".config", NULL),
			  g_strdup_printf("/boot/config-%s", release) };
	char *text = NULL;

	for (unsigned i = 0; i < G_N_ELEMENTS(paths); i++) {
		if (!text)
			g_file_get_contents(paths[i], &text, NULL, NULL);
		g_free(paths[i]);
	}
	g_free(headers);
	return text ? text : g_strdup("");
}

char *kconfig_find(const char *config, const char *name)
{
	size_t len = strlen(name);

	for (const char *line = config; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, len) && line[len] == '=')
			return g_strndup(line + len + 1, strcspn(line + len + 1, "\n"));
	}
	return NULL;
}

char *kconfig_value(const char *name, void *data)
{
	struct program *prog = data;

	if (!prog->kernel_config)
		prog->kernel_config = read_config(prog);
	return kconfig_find(prog->kernel_config, name);
}
