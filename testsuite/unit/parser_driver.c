/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parser_driver.c - parses a script and prints it back; testsuite/parse/check.sh runs it.
 *
 * parser_driver FILE [ARG...] prints the tree as a script on standard output, or the messages on
 * standard error with status 1.
 */
#include "parser/ast.h"
#include "parser/ast_print.h"
#include "parser/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tests' kernel has modules and a tick, and nothing else. */
static char *config(const char *name, void *data)
{
	if (!strcmp(name, "CONFIG_MODULES"))
		return g_strdup("y");
	return strcmp(name, "CONFIG_HZ") ? NULL : g_strdup("250");
}

int main(int argc, char **argv)
{
	struct parse_env env = {
		.argv = (const char *const *)argv + 2, .argc = argc > 2 ? argc - 2 : 0,
		.kernel_v = "6.1.0", .kernel_vr = "6.1.0-7-test", .arch = "arm64", .config = config,
	};
	struct diag_sink diag;
	struct ast *ast;
	struct source *src;
	struct ast_node *file;
	GError *error = NULL;
	char *text;

	if (argc < 2 || !(src = source_load(argv[1], &error))) {
		fprintf(stderr, "%s\n",
			error ? error->message : "usage: parser_driver FILE [ARG...]");
		return 2;
	}
	diag_init(&diag, stderr);
	ast = ast_new(&diag);
	file = ast_parse(ast, src, &env);
	if (file) {
		text = ast_print(file);
		fputs(text, stdout);
		g_free(text);
	}
	diag_finish(&diag);
	ast_free(ast);
	diag_clear(&diag);
	return !file;
}
