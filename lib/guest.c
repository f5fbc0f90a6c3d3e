/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guest.c - what this machine lacks to run guests. Looks for files only: runs nothing, and does not
 * know guest kernels.
 */
#include "lib/guest.h"

#include "lib/paths.h"

#include <glib.h>
#include <string.h>

static const char *const x86_programs[] = { "qemu-system-x86_64", "gcc", "make", "cpio",
					    "readelf" };
static const char *const arm64_programs[] = { "qemu-system-aarch64", "aarch64-linux-gnu-gcc",
					      "make", "cpio", "readelf" };

/* True if lapwing's own file is beside its programs: as it was built, or as it is installed. */
static int has_part(const struct host *host, const char *name)
{
	char *installed = g_strconcat("/usr/libexec/lapwing/", name, NULL), *path = NULL;
	int has;

	if (*host->root)
		has = host_has(host, installed);
	else
		has = (path = paths_program(name)) != NULL;
	g_free(path);
	g_free(installed);
	return has;
}

const char *guest_lacks(const struct host *host, const char *arch)
{
	int arm64 = !strcmp(arch, "arm64");
	const char *const *names = arm64 ? arm64_programs : x86_programs;

	for (unsigned i = 0; i < G_N_ELEMENTS(x86_programs); i++) {
		char *path = host_program(host, names[i]);

		if (!path)
			return names[i];
		g_free(path);
	}
	if (arm64 && !has_part(host, "lapwing-run-static-arm64"))
		return "lapwing-run-static-arm64";
	if (arm64 && !has_part(host, "vm/guest-arm64") &&
	    !has_part(host, "runtime/vm/guest-arm64"))
		return "vm/guest-arm64";
	return NULL;
}

const char *guest_mend(const char *arch)
{
	return !strcmp(arch, "arm64")
		       ? "apt-get install qemu-system-arm gcc-aarch64-linux-gnu libc6-dev-arm64-cross "
			 "make cpio binutils, "
			 "then build lapwing again: ./configure && make"
		       : "apt-get install qemu-system-x86 gcc make cpio binutils";
}
