/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host.c - reads facts about a machine from its files. Does not interpret them, except for one
 * question that several programs ask: can a kernel module be built and loaded here?
 */
#include "lib/host.h"

#include "lib/limits.h"

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
	g_autofree char *whole = g_strconcat(host->root, path, NULL);
	int has = !access(whole, F_OK);

	return has;
}

int host_value(const struct host *host, const char *path, const char *text)
{
	g_autofree char *content = host_read(host, path);
	int says = content && strstr(content, text);

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

	if (!*host->root)
		return limits_lockdown();
	return host_value(host, path, "[integrity]")         ? "integrity"
	       : host_value(host, path, "[confidentiality]") ? "confidentiality"
							    : NULL;
}

int host_is_locked_up(const struct host *host)
{
	return !g_strcmp0(host_lockdown(host), "confidentiality");
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
		why = "this kernel cannot load modules";
	else if (!host_is_root(host))
		why = "only root may load modules";
	else if (host_value(host, "/proc/sys/kernel/modules_disabled", "1"))
		why = "module loading is disabled (kernel.modules_disabled)";
	else if (host_lockdown(host))
		why = "kernel lockdown allows signed modules only";
	else if (host_value(host, "/sys/module/module/parameters/sig_enforce", "Y"))
		why = "the kernel loads signed modules only (module.sig_enforce)";
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
