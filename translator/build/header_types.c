/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * header_types.c - see header_types.h. A source that includes the headers and nothing else becomes a
 * shared object with the debuginfo of all their types.
 */
#include "translator/build/header_types.h"

#include "lib/run.h"
#include "translator/build/build.h"
#include "translator/build/cache.h"

#include <string.h>

#define SUFFIX ".types"

/* "#include <a.h>" lines; NULL: that is no list of headers. Caller frees. */
static char *source_of(const char *headers)
{
	GString *source = g_string_new(NULL);
	const char *at = headers;

	while (*at == '<') {
		size_t n = strcspn(at + 1, "<>\"\\\n");

		if (!n || at[1 + n] != '>')
			break;
		g_string_append_printf(source, "#include <%.*s>\n", (int)n, at + 1);
		at += n + 2;
	}
	return g_string_free(source, *at || at == headers);
}

/* 0, or -1: it does not compile. */
static int compile(const char *dir, const char *source, const char *out)
{
	char *file = g_build_filename(dir, "types.c", NULL);
	const char *argv[] = { "gcc",	  "-g",	     "-shared", "-fPIC",
			       "-nostdlib", "-fno-eliminate-unused-debug-types",
			       "-o",	  out,	     file,	NULL };
	struct run_result result = { 0 };
	int failed = !g_file_set_contents(file, source, -1, NULL) ||
		     run_program(argv, NULL, NULL, 1, &result, NULL) || result.status;

	run_result_clear(&result);
	g_free(file);
	return failed ? -1 : 0;
}

static char *build(const char *key, const char *source, const char **why)
{
	char *dir = g_build_filename(g_get_tmp_dir(), "lapwing-types-XXXXXX", NULL), *out,
	     *data = NULL, *stored = NULL;
	gsize len;

	*why = "there is no temporary folder to compile the headers in";
	if (!g_mkdtemp_full(dir, 0700)) {
		g_free(dir);
		return NULL;
	}
	*why = "the headers do not compile here";
	out = g_build_filename(dir, "types.so", NULL);
	if (!compile(dir, source, out) && g_file_get_contents(out, &data, &len, NULL)) {
		*why = "there is no cache for the types of headers";
		stored = cache_store(key, SUFFIX, data, len);
	}
	build_remove_folder(dir);
	g_free(data);
	g_free(out);
	g_free(dir);
	return stored;
}

char *header_types(const char *headers, const char **why)
{
	char *gcc = g_find_program_in_path("gcc"), *source = source_of(headers), *key = NULL,
	     *path = NULL;

	*why = !source ? "it is no list of headers, such as <sys/time.h>"
	       : !gcc  ? "types of headers need gcc: apt-get install gcc"
		       : NULL;
	if (!*why) {
		key = g_compute_checksum_for_string(G_CHECKSUM_SHA256, source, -1);
		path = cache_find(key, SUFFIX);
		path = path ? path : build(key, source, why);
	}
	g_free(key);
	g_free(source);
	g_free(gcc);
	return path;
}
