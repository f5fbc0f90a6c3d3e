/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tools.c - findings about what builds modules and what runs guests.
 */
#include "cmd/doctor/doctor.h"

#include <string.h>

void find_headers(const struct machine *m, struct finding *f)
{
	char *path = g_strdup_printf("/lib/modules/%s/build/Makefile", m->release);

	if (host_has(&m->host, path))
		finding_set(f, STATE_OK, g_strdup(path),
			    "modules for the running kernel can be built", NULL);
	else
		finding_set(f, STATE_MISSING, g_strdup_printf("no %s", path),
			    "no module for the running kernel can be built",
			    g_strdup_printf("apt-get install linux-headers-%s", m->release));
	g_free(path);
}

void find_compiler(const struct machine *m, struct finding *f)
{
	char *gcc = host_program(&m->host, "gcc"), *make = host_program(&m->host, "make");

	if (!gcc)
		finding_set(
			f, STATE_MISSING, g_strdup("no gcc"),
			"no script can be built: only modules built elsewhere run, by lapwing-run",
			g_strdup(make ? "apt-get install gcc" : "apt-get install gcc make"));
	else if (!make)
		finding_set(f, STATE_LIMITED, g_strdup_printf("%s, no make", gcc),
			    "scripts build for the user runtime only",
			    g_strdup("apt-get install make"));
	else
		finding_set(f, STATE_OK, g_strdup_printf("%s, %s", gcc, make),
			    "scripts can be built", NULL);
	g_free(make);
	g_free(gcc);
}

static void find_qemu(const struct machine *m, struct finding *f, const char *name,
		      const char *package, const char *arch)
{
	char *qemu = host_program(&m->host, name),
	     *cross = host_program(&m->host, "aarch64-linux-gnu-gcc");
	int foreign = strcmp(arch, m->arch);

	if (!qemu)
		finding_set(f, STATE_MISSING, g_strdup_printf("no %s", name),
			    foreign ? "no guest of another machine's kind can be booted"
				    : "scripts cannot be tried in a guest",
			    g_strdup_printf("apt-get install %s", package));
	else if (foreign && !strcmp(arch, "arm64") && !cross)
		finding_set(f, STATE_LIMITED, g_strdup_printf("%s, no aarch64-linux-gnu-gcc", qemu),
			    "no module for arm64 guests can be built",
			    g_strdup("apt-get install gcc-aarch64-linux-gnu"));
	else
		finding_set(f, STATE_OK, g_strdup(qemu),
			    foreign ? "guests of another machine's kind can be booted"
				    : "scripts can be tried in a throw-away guest",
			    NULL);
	g_free(cross);
	g_free(qemu);
}

void find_qemu_x86(const struct machine *m, struct finding *f)
{
	find_qemu(m, f, "qemu-system-x86_64", "qemu-system-x86", "x86_64");
}

void find_qemu_arm64(const struct machine *m, struct finding *f)
{
	find_qemu(m, f, "qemu-system-aarch64", "qemu-system-arm", "arm64");
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void find_guests(const struct machine *m, struct finding *f)
{
	char *folder = g_build_filename(m->cache, "vm/kernels", NULL),
	     *whole = g_strconcat(m->host.root, folder, NULL);
	GDir *dir = g_dir_open(whole, 0, NULL);
	GPtrArray *ready = g_ptr_array_new_with_free_func(g_free);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		char *image = g_build_filename(folder, name, "image", NULL);

		if (host_has(&m->host, image))
			g_ptr_array_add(ready, g_strdup(name));
		g_free(image);
	}
	g_ptr_array_sort(ready, by_text);
	g_ptr_array_add(ready, NULL);
	if (ready->len > 1)
		finding_set(f, STATE_OK, g_strjoinv(", ", (char **)ready->pdata),
			    "these guest kernels boot at once", NULL);
	else
		finding_set(f, STATE_LIMITED, g_strdup("no guest kernel here yet"),
			    "the first use of a guest fetches its kernel from the package archive",
			    g_strdup("lapwing --target=vm ... fetches it"));
	g_ptr_array_free(ready, TRUE);
	if (dir)
		g_dir_close(dir);
	g_free(whole);
	g_free(folder);
}
