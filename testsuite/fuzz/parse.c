/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse.c - libFuzzer entry of the parser: any bytes parse or give messages, and what is printed
 * parses again.
 *
 * make fuzz builds it with libFuzzer: testsuite/fuzz/parse.fuzz CORPUS testsuite/parse/ok. What it
 * found is in testsuite/fuzz/corpus.
 */
#include "parser/ast.h"
#include "parser/ast_print.h"
#include "parser/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Script text that was printed for the tree, or NULL. */
static char *parse(const char *text, size_t len, FILE *to)
{
	static const char *const argv[] = { "12", "a\"b", "begin" };
	struct parse_env env = {
		.argv = argv, .argc = G_N_ELEMENTS(argv), .guru = 1,
		.kernel_v = "6.1.0", .kernel_vr = "6.1.0-7-test", .arch = "arm64",
	};
	struct diag_sink diag;
	struct ast *ast;
	struct ast_node *file;
	char *printed;

	diag_init(&diag, to);
	ast = ast_new(&diag);
	file = ast_parse(ast, source_new("fuzz", text, len), &env);
	printed = file ? ast_print(file) : NULL;
	diag_finish(&diag);
	ast_free(ast);
	diag_clear(&diag);
	return printed;
}

/*
 * The parser's stack holds fewer levels of brackets than the tree may have: the print of a deep
 * tree may be refused.
 */
static int is_deep(const char *printed)
{
	int depth = 0, most = 0;

	for (; *printed; printed++) {
		depth +=
			(*printed == '(' || *printed == '{') - (*printed == ')' || *printed == '}');
		most = MAX(most, depth);
	}
	return most > 400;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *null = fopen("/dev/null", "w");
	char *one = parse((const char *)data, size, null), *two = NULL;

	if (one && !is_deep(one)) {
		two = parse(one, strlen(one), null);
		if (!two || strcmp(one, two)) {
			fprintf(stderr, "--- first\n%s--- second\n%s", one,
				two ? two : "(refused)\n");
			abort();
		}
	}
	free(one);
	free(two);
	fclose(null);
	return 0;
}
