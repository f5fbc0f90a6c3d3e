/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vm.c - queries of lapwing-vm, the guest harness.
 */
#include "translator/build/vm.h"

#include "lib/paths.h"
#include "lib/run.h"

#include <stdio.h>

char *vm_program(void)
{
	char *vm = paths_data("runtime/vm/lapwing-vm");

	return vm ? vm : paths_program("lapwing-vm");
}

char *vm_path(const char *release, const char *what)
{
	char *vm = vm_program(), *answer = NULL;
	const char *argv[] = { vm, "path", release, what, NULL };
	struct run_result result = { 0 };
	GError *error = NULL;

	if (!vm)
		return NULL;
	if (run_program(argv, NULL, NULL, 1, &result, &error)) {
		fprintf(stderr, "lapwing: %s: %s\n", vm, error->message);
		g_error_free(error);
	} else if (result.status) {
		fputs(result.err, stderr);
	} else {
		answer = g_strstrip(g_strdup(result.out));
	}
	run_result_clear(&result);
	g_free(vm);
	return answer;
}
