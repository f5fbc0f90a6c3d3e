/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kconfig.c - the target kernel's build configuration, for %( CONFIG_X == ... %).
 *
 * Input: the .config in the kernel's build directory, /boot/config-RELEASE, or that of a guest's
 * kernel. Read when the first condition needs it; an option that cannot be found counts as unset.
 */
#include "translator/build/kconfig.h"

#include "translator/build/vm.h"
#include "translator/program/options.h"

#include <string.h>

/* Reads a file; NULL: none. Caller frees both. */
static char *read_text(char *path)
{
	char *text = NULL;

	if (path)
		g_file_get_contents(path, &text, NULL, NULL);
	g_free(path);
	return text;
}

/* In a directory, which is freed; NULL: not there. */
static char *read_in(char *headers)
{
	char *text = headers ? read_text(g_build_filename(headers, ".config", NULL)) : NULL;

	g_free(headers);
	return text;
}

/* With -r, headers of another machine's kernel can only be where the guests' headers are. */
static char *read_config(const struct program *prog)
{
	const char *release = prog->kernel_release;
	char *text;

	if (prog->opt->target_vm)
		text = read_in(vm_path(prog->opt->vm_release, "headers"));
	else if (prog->opt->build_tree)
		text = read_in(g_strdup(prog->opt->build_tree));
	else
		text = read_in(g_strdup_printf("/lib/modules/%s/build", release));
	if (!text)
		text = read_text(g_strdup_printf("/boot/config-%s", release));
	if (!text && prog->opt->release && !prog->opt->target_vm)
		text = read_in(vm_path(release, "headers"));
	return text ? text : g_strdup("");
}

static char *value_in(const char *config, const char *name)
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
	return value_in(prog->kernel_config, name);
}

char *kconfig_of_headers(const char *headers, const char *name)
{
	char *config = read_text(g_build_filename(headers, ".config", NULL)),
	     *value = value_in(config, name);

	g_free(config);
	return value;
}
