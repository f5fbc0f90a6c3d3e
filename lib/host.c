/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host.c - facts about a machine from its files. Only reads; does not interpret the facts, except
 * for one question of several programs: whether a kernel module can be built and loaded here.
 */
#include "lib/host.h"

#include "lib/headers.h"

#include <glib.h>
#include <linux/capability.h>
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

int host_lists(const struct host *host, const char *path, const char *line)
{
	char *content = host_read(host, path),
	     **lines = g_strsplit(content ? content : "", "\n", -1);
	int lists = g_strv_contains((const char *const *)lines, line);

	g_strfreev(lines);
	g_free(content);
	return lists;
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

int host_can(const struct host *host, unsigned capability)
{
	char *status = host_read(host, "/proc/self/status"),
	     *line = status ? strstr(status, "CapEff:") : NULL;
	guint64 set = line ? g_ascii_strtoull(line + 7, NULL, 16) : 0;
	char *map = host_read(host, "/proc/self/uid_map");
	/* the first namespace maps all users to themselves */
	int everywhere = !map || strstr(map, "4294967295");

	g_free(map);
	g_free(status);
	return everywhere && set >> capability & 1;
}

const char *host_no_loading(const struct host *host)
{
	return !host_has(host, "/proc/modules") ? "this kernel loads no modules"
	       : !host_is_root(host) ? "only root may load modules"
	       : !host_can(host, CAP_SYS_MODULE)
		       ? "this root may load no modules (no CAP_SYS_MODULE, as in a container)"
	       : host_says(host, "/proc/sys/kernel/modules_disabled", "1")
		       ? "module loading is switched off (kernel.modules_disabled)"
	       : host_lockdown(host) ? "the kernel is locked down and takes signed modules only"
	       : host_says(host, "/sys/module/module/parameters/sig_enforce", "Y")
		       ? "the kernel takes signed modules only (module.sig_enforce)"
		       : NULL;
}

const char *host_no_modules(const struct host *host)
{
	char *release = host_release(host), *problem = headers_problem(host, release);
	char *gcc = host_program(host, "gcc"), *make = host_program(host, "make");
	const char *why = host_no_loading(host);

	if (!why && problem)
		why = "the kernel's headers are not installed, or of another kernel (see lapwing doctor)";
	else if (!why && (!gcc || !make))
		why = "gcc and make are not installed";
	g_free(make);
	g_free(gcc);
	g_free(problem);
	g_free(release);
	return why;
}
