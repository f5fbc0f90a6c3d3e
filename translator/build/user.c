/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user.c - builds a shared object for the user runtime: the script's C and librt_user.a, in one run
 * of the compiler.
 */
#include "translator/build/user.h"

#include "lib/failure.h"
#include "lib/paths.h"
#include "lib/run.h"
#include "translator/build/build.h"
#include "translator/program/options.h"
#include "translator/program/program.h"

#include <stdio.h>
#include <string.h>

static void show_failure(const struct run_result *result)
{
	failure_print("lapwing", FAILURE_BUILD, "the script's C does not build; the compiler says:");
	fputs(result->err, stderr);
}

int user_module(const struct program *prog, const char *dir, const char *name)
{
	char *header = paths_data("runtime/rt.h"), *library = paths_program("librt_user.a"),
	     *gcc = g_find_program_in_path("gcc");
	char *include =
		header ? g_strdup_printf("-I%.*s", (int)(strlen(header) - strlen("/rt.h")), header)
		       : NULL;
	char *world = include ? g_strconcat(include, "/user", NULL) : NULL;
	char *script = g_build_filename(dir, "script.c", NULL),
	     *out = g_strdup_printf("%s/%s.so", dir, name);
	const char *argv[] = {
		"gcc",
		"-std=gnu11",
		build_optimization(prog),
		"-fPIC",
		"-fwrapv",
		"-fno-strict-aliasing",
		"-fvisibility=hidden",
		"-shared",
		include,
		world,
		"-o",
		out,
		script,
		"-Wl,--whole-archive",
		library,
		"-Wl,--no-whole-archive",
		NULL,
	};
	struct run_result result = { 0 };
	GError *error = NULL;
	int status = -1;

	if (!gcc)
		failure_print("lapwing", FAILURE_BUILD_TOOLS,
			      "no gcc: building a script needs it: apt-get install gcc");
	else if (!header || !library)
		failure_print("lapwing", FAILURE_INSTALLATION,
			      "the user runtime (librt_user.a) is missing: run make in the source tree");
	else if (run_program(argv, NULL, NULL, 1, &result, &error))
		failure_print("lapwing", FAILURE_BUILD_TOOLS, "cannot run gcc: %s", error->message);
	else if (result.status)
		show_failure(&result);
	else
		status = 0;
	g_clear_error(&error);
	run_result_clear(&result);
	g_free(header);
	g_free(library);
	g_free(gcc);
	g_free(include);
	g_free(world);
	g_free(script);
	g_free(out);
	return status;
}
