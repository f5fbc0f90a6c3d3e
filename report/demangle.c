/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demangle.c - see demangle.h. Uses the C++ runtime, which is loaded for the first mangled name.
 * If it is not installed, no C++ program on this machine uses it, and names are left mangled.
 */
#include "report/demangle.h"

#include <dlfcn.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>

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

static char *demangle_one(const char *name)
{
	demangle_fn *demangle = g_str_has_prefix(name, "_Z") ? find_demangler() : NULL;
	char *plain = demangle ? demangle(name, NULL, NULL, NULL) : NULL,
	     *copy = g_strdup(plain ? plain : name);

	free(plain);
	return copy;
}

char *demangle_name(const char *name)
{
	const char *arrow = g_str_has_prefix(name, "_Z") ? strstr(name, "->") : NULL;
	char *from, *first, *next, *both;

	if (!arrow)
		return demangle_one(name);
	from = g_strndup(name, (gsize)(arrow - name));
	first = demangle_one(from);
	next = demangle_one(arrow + 2);
	both = g_strdup_printf("%s->%s", first, next);
	g_free(from);
	g_free(first);
	g_free(next);
	return both;
}
