/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host.c - facts about a machine from its files. Only reads; does not interpret the facts, except
 * for one question of several programs: whether a kernel module can be built and loaded here.
 */
#include "lib/host.h"

#include <glib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

char *host_read(const struct host *host, const char *path)
{
	char *whole = g_strconcat(host->root, path, NULL), *text = NULL;
	gsize len = 0;

	if (g_file_get_contents(whole, &text, &len, NULL)) {
		for (gsize i = 0; i < len; i++)
			if (!text[i])
				text[i] = ' ';
		g_strchomp(text);
	}
	g_free(whole);
	return text;
}

int host_has(const struct host *host, const char *path)
{
	char *whole = g_strconcat(host->root, path, NULL);
	int has = !access(whole, F_OK);

	g_free(whole);
	return has;
}

int host_says(const struct host *host, const char *path, const char *text)
{
	char *content = host_read(host, path);
	int says = content && strstr(content, text);

	g_free(content);
	return says;
}

char *host_program(const struct host *host, const char *name)
{
	static const char *const folders[] = { "/usr/local/sbin", "/usr/local/bin", "/usr/sbin",
					       "/usr/bin",        "/sbin",          "/bin" };

	if (!*host->root)
		return g_find_program_in_path(name);
	for (unsigned i = 0; i < G_N_ELEMENTS(folders); i++) {
		char *path = g_build_filename(folders[i], name, NULL);

		if (host_has(host, path))
			return path;
		g_free(path);
	}
	return NULL;
}

char *host_release(const struct host *host)
{
	char *release = host_read(host, "/proc/sys/kernel/osrelease");
	struct utsname name;

	if (release)
		return release;
	uname(&name);
	return g_strdup(name.release);
}

const char *host_lockdown(const struct host *host)
{
	static const char path[] = "/sys/kernel/security/lockdown";

	return host_says(host, path, "[integrity]") ? "integrity"
	       : host_says(host, path, "[confidentiality]") ? "confidentiality"
	       : NULL;
}

int host_is_root(const struct host *host)
{
	char *status, *line;
	int root;

	if (!*host->root)
		return !geteuid();
	status = host_read(host, "/proc/self/status");
	line = status ? strstr(status, "Uid:") : NULL;
	root = line && !strtol(line + 4, NULL, 10);
	g_free(status);
	return root;
}

const char *host_no_modules(const struct host *host)
{
	char *release = host_release(host),
	     *headers = g_strdup_printf("/lib/modules/%s/build/Makefile", release);
	char *gcc = host_program(host, "gcc"), *make = host_program(host, "make");
	const char *why = NULL;

	if (!host_has(host, "/proc/modules"))
		why = "this kernel loads no modules";
	else if (!host_is_root(host))
		why = "only root may load modules";
	else if (host_says(host, "/proc/sys/kernel/modules_disabled", "1"))
		why = "module loading is switched off (kernel.modules_disabled)";
	else if (host_lockdown(host))
		why = "the kernel is locked down and takes signed modules only";
	else if (host_says(host, "/sys/module/module/parameters/sig_enforce", "Y"))
		why = "the kernel takes signed modules only (module.sig_enforce)";
	else if (!host_has(host, headers))
		why = "the kernel's headers are not installed (package linux-headers of this release)";
	else if (!gcc || !make)
		why = "gcc and make are not installed";
	g_free(make);
	g_free(gcc);
	g_free(headers);
	g_free(release);
	return why;
}
