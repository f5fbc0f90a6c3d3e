/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demangle.c - see demangle.h. The C++ runtime knows how: it is loaded for the first such name. Where there is none, no C++ program runs
 * that uses it, and names stay as they are.
 */
#include "report/demangle.h"

#include <dlfcn.h>
#include <glib.h>
#include <stdlib.h>

typedef char *demangle_fn(const char *name, char *into, size_t *size, int *status);

static demangle_fn *find_demangler(void)
{
	static demangle_fn *demangle;
	static int looked;
	void *lib;

	if (!looked) {
		looked = 1;
		lib = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
		demangle = lib ? (demangle_fn *)dlsym(lib, "__cxa_demangle") : NULL;
	}
	return demangle;
}

char *demangle_name(const char *name)
{
	demangle_fn *demangle = g_str_has_prefix(name, "_Z") ? find_demangler() : NULL;
	char *plain = demangle ? demangle(name, NULL, NULL, NULL) : NULL, *copy = g_strdup(plain ? plain : name);

	free(plain);
	return copy;
}
