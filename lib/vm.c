/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vm.c - queries of lapwing-vm, the guest harness.
 */
#include "lib/vm.h"

#include "lib/failure.h"
#include "lib/paths.h"

#include <glib.h>
#include <stdio.h>

char *vm_program(void)
{
	char *vm = paths_data("runtime/vm/lapwing-vm");

	return vm ? vm : paths_program("lapwing-vm");
}

/* What lapwing-vm prints; argv[0] is set. NULL: it failed, and said why. */
static char *ask(const char **argv)
{
	char *vm = vm_program(), *answer = NULL;
	GError *error = NULL;
	int status = 0;

	if (!vm)
		return NULL;
	argv[0] = vm;
	if (!g_spawn_sync(NULL, (gchar **)argv, NULL, 0, NULL, NULL, &answer, NULL, &status,
			  &error)) {
		failure_print("lapwing", FAILURE_INSTALLATION, "%s: %s", vm, error->message);
		g_error_free(error);
	} else if (status) {
		g_clear_pointer(&answer, g_free);
	} else {
		g_strstrip(answer);
	}
	g_free(vm);
	return answer;
}

char *vm_path(const char *release, const char *what)
{
	return ask((const char *[]){ NULL, "path", release, what, NULL });
}

char *vm_list(void) { return ask((const char *[]){ NULL, "list", NULL }); }
