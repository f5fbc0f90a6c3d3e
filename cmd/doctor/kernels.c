/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernels.c - lapwing doctor --kernels: kernels that guests can run, in the archive and in the
 * cache.
 *
 * Input: the output of `lapwing-vm list`, and its status: 1 if the archive cannot be reached. It
 * does not fetch kernels.
 */
#include "cmd/doctor/kernels.h"

#include "cmd/doctor/report.h"
#include "lib/paths.h"
#include "lib/run.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

/* One line of lapwing-vm's list: pointers into it. */
struct kernel {
	const char	*name, *release;
	int		modules, cached;
};

/* Splits a line in place. 0: not an entry of the list. */
static int parse_line(char *line, struct kernel *k)
{
	char *rest = line;
	const char *words[4] = { NULL };

	for (unsigned i = 0; i < 4 && rest; i++) {
		rest += strspn(rest, " ");
		words[i] = *rest ? rest : NULL;
		rest = strchr(rest, ' ');
		if (rest)
			*rest++ = 0;
	}
	if (!words[2])
		return 0;
	*k = (struct kernel){ words[0], words[1], !strcmp(words[2], "modules"), words[3] && !strcmp(words[3], "cached") };
	return 1;
}

static void print_text(char **lines, const char *complaint)
{
	struct kernel k;

	printf("%-12s %-32s %-16s %s\n", "kernel", "release", "runtimes", "in the cache");
	for (; *lines; lines++)
		if (parse_line(*lines, &k))
			printf("%-12s %-32s %-16s %s\n", k.name, k.release,
			       k.modules ? "kernel, user" : "user", k.cached ? "yes" : "no");
	printf("\nlapwing --target=vm:KERNEL runs a script there; the first time fetches it.\n");
	if (complaint)
		printf("%s\n", complaint);
}

static void print_json(char **lines, const char *complaint)
{
	JsonBuilder *b = json_builder_new();
	struct kernel k;

	json_builder_begin_object(b);
	json_builder_set_member_name(b, "kernels");
	json_builder_begin_array(b);
	for (; *lines; lines++) {
		if (!parse_line(*lines, &k))
			continue;
		json_builder_begin_object(b);
		json_builder_add_string_value(json_builder_set_member_name(b, "kernel"), k.name);
		json_builder_add_string_value(json_builder_set_member_name(b, "release"),
					      k.release);
		json_builder_add_boolean_value(json_builder_set_member_name(b, "modules"),
					       k.modules);
		json_builder_add_boolean_value(json_builder_set_member_name(b, "cached"), k.cached);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
	json_builder_set_member_name(b, "complaint");
	if (complaint)
		json_builder_add_string_value(b, complaint);
	else
		json_builder_add_null_value(b);
	json_builder_end_object(b);
	report_builder(b);
}

int kernels_list(int json)
{
	char *vm = paths_vm(), **lines;
	const char *argv[] = { vm, "list", NULL };
	struct run_result result = { 0 };
	GError *error = NULL;
	int status = 1;

	if (!vm) {
		fputs("lapwing-doctor: lapwing-vm is missing: run it from the source tree, or make install\n",
		      stderr);
	} else if (run_program(argv, NULL, NULL, 1, &result, &error)) {
		fprintf(stderr, "lapwing-doctor: %s: %s\n", vm, error->message);
		g_error_free(error);
	} else {
		lines = g_strsplit(result.out, "\n", -1);
		(json ? print_json : print_text)(lines,
						 result.status ? g_strstrip(result.err) : NULL);
		g_strfreev(lines);
		status = result.status ? 1 : 0;
	}
	run_result_clear(&result);
	g_free(vm);
	return status;
}
