/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * build.c - see build.h.
 */
#include "translator/build/build.h"

#include "lib/run.h"

void build_remove_folder(const char *dir)
{
	const char *argv[] = { "rm", "-rf", "--", dir, NULL };
	struct run_result result = { 0 };

	run_program(argv, NULL, NULL, 1, &result, NULL);
	run_result_clear(&result);
}

const char *build_optimization(const struct program *prog)
{
	/* measured with 300 handlers: 3.7 s with -O2, 2.2 s with -O1 */
	return prog->probes->len > 100 ? "-O1" : "-O2";
}
