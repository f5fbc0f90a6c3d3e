/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guests.c - findings about guests. Boots none, as that takes seconds: looks for all that one needs.
 */
#include "cmd/doctor/guests.h"

#include "lib/guest.h"

#include <string.h>
#include <unistd.h>

static void find_qemu(const struct machine *m, struct finding *f, const char *arch, int starts)
{
	const char *lacks = guest_lacks(&m->host, arch);

	if (lacks)
		finding_set(f, g_str_has_prefix(lacks, "qemu") ? STATE_MISSING : STATE_LIMITED,
			    g_strdup_printf("no %s", lacks), "no guest of this kind can be booted",
			    g_strdup(guest_mend(arch)));
	else if (!starts)
		finding_set(f, STATE_MISSING, g_strdup("it does not start, even with --version"),
			    "no guest of this kind can be booted", g_strdup(guest_mend(arch)));
	else
		finding_set(f, STATE_OK,
			    g_strdup("it starts, and all that a guest needs beside it is there"),
			    strcmp(arch, m->arch) ? "guests of another machine's kind can be booted"
						  : "scripts can be tried in a throw-away guest",
			    NULL);
}

void find_qemu_x86(const struct machine *m, struct finding *f)
{
	find_qemu(m, f, "x86_64", m->works[TRIAL_QEMU_X86]);
}

void find_qemu_arm64(const struct machine *m, struct finding *f)
{
	find_qemu(m, f, "arm64", m->works[TRIAL_QEMU_ARM64]);
}

static int may(const struct machine *m, const char *path, int mode)
{
	char *whole = g_strconcat(m->host.root, path, NULL);
	int can = !access(whole, mode);

	g_free(whole);
	return can;
}

/* True if the cache of guests can be written, or made. */
static int has_cache(const struct machine *m)
{
	char *folder = g_build_filename(m->cache, "vm", NULL), *up;
	int can;

	while (!may(m, folder, F_OK) && strlen(folder) > 1) {
		up = g_path_get_dirname(folder);
		g_free(folder);
		folder = up;
	}
	can = may(m, folder, W_OK | X_OK);
	g_free(folder);
	return can;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds the kernels of an architecture whose files can be read. */
static void add_guests(const struct machine *m, const char *arch, GPtrArray *ready)
{
	char *folder = g_build_filename(m->cache, "vm/kernels", NULL),
	     *whole = g_strconcat(m->host.root, folder, NULL);
	GDir *dir = g_dir_open(whole, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		char *image = g_build_filename(folder, name, "image", NULL),
		     *initrd = g_build_filename(folder, name, "initrd", NULL);

		if (g_str_has_suffix(name, "arm64") == !strcmp(arch, "arm64") &&
		    may(m, image, R_OK) && may(m, initrd, R_OK))
			g_ptr_array_add(ready, g_strdup(name));
		g_free(initrd);
		g_free(image);
	}
	if (dir)
		g_dir_close(dir);
	g_free(whole);
	g_free(folder);
}

GPtrArray *guests_here(const struct machine *m, const char *arch)
{
	GPtrArray *ready = g_ptr_array_new_with_free_func(g_free);

	add_guests(m, arch, ready);
	g_ptr_array_sort(ready, by_text);
	return ready;
}

char *guests_problem(const struct machine *m, const char *arch)
{
	int arm64 = !strcmp(arch, "arm64");
	const char *lacks = guest_lacks(&m->host, arch);
	GPtrArray *here = guests_here(m, arch);
	char *problem = NULL;

	if (!arm64 && !strcmp(m->arch, "arm64"))
		problem = g_strdup("they need an x86_64 machine");
	else if (lacks)
		problem = g_strdup_printf("no %s", lacks);
	else if (!m->works[arm64 ? TRIAL_QEMU_ARM64 : TRIAL_QEMU_X86])
		problem = g_strdup("its QEMU does not start");
	else if (!has_cache(m))
		problem = g_strdup_printf("the cache %s cannot be written", m->cache);
	else if (!here->len)
		problem = g_strdup(
			"no kernel of it is here yet, --target=vm fetches one at first use");
	g_ptr_array_free(here, TRUE);
	return problem;
}

void find_guests(const struct machine *m, struct finding *f)
{
	GPtrArray *ready = guests_here(m, "x86_64");
	char *apt = host_program(&m->host, "apt-get");

	add_guests(m, "arm64", ready);
	g_ptr_array_add(ready, NULL);
	if (!has_cache(m))
		finding_set(f, STATE_MISSING,
			    g_strdup_printf("%s/vm cannot be written", m->cache),
			    "guests have no place for their kernels",
			    g_strdup("set LAPWING_CACHE to a folder of yours"));
	else if (ready->len > 1)
		finding_set(f, STATE_OK, g_strjoinv(", ", (char **)ready->pdata),
			    "these guest kernels can be read", NULL);
	else
		finding_set(f, STATE_LIMITED, g_strdup("no guest kernel here yet"),
			    "the first use of a guest fetches its kernel from the package archive",
			    g_strdup(apt ? "lapwing --target=vm ... fetches it"
					 : "it takes apt-get, as on Debian and Ubuntu"));
	g_free(apt);
	g_ptr_array_free(ready, TRUE);
}
