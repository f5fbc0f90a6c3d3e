/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * translate.c - libFuzzer entry of all passes up to the C text: any script is refused with a
 * message or becomes C.
 *
 * The kernel is the fake one of the family tests, so that nothing depends on this machine. Library
 * files are not loaded, nothing is built. The length of the input chooses the runtime and whether
 * unused code is kept.
 */
#include "parser/parse.h"
#include "translator/debuginfo/debuginfo.h"
#include "translator/passes/pass.h"
#include "translator/program/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(struct program *prog)
{
	for (const struct pass *p = passes; p->name && !prog->ast->diag->errors; p++)
		if (strcmp(p->name, "load") && strcmp(p->name, "build"))
			p->run(prog);
	if (!prog->ast->diag->errors && !prog->c_text) {
		fputs("neither a message nor C\n", stderr);
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const argv[] = { "12", "a\"b", "begin" };
	struct parse_env env = {
		.argv = argv, .argc = G_N_ELEMENTS(argv), .guru = size >> 2 & 1,
		.kernel_v = "6.1.0", .kernel_vr = "6.1.0-7-test", .arch = "x86_64",
	};
	struct options opt = {
		.globals = g_ptr_array_new(),
		.defines = g_ptr_array_new(),
		.more_scripts = g_ptr_array_new(),
		.runtime = size & 1 ? RUNTIME_USER : RUNTIME_KERNEL,
		.unoptimized = size >> 1 & 1,
		.guru = size >> 2 & 1,
		.verbose = { [1] = 1, 1, 1, 1, 1 },
	};
	const char *kernel = g_getenv("FUZZ_KERNEL");
	FILE *null = fopen("/dev/null", "w");
	struct diag_sink diag;
	struct program *prog;

	diag_init(&diag, null);
	prog = program_new(&opt, &diag);
	prog->info = debuginfo_open_fake(kernel ? kernel : "testsuite/family/kernel", NULL);
	if (!prog->info) {
		fputs("translate: run it in the top folder, or set FUZZ_KERNEL to testsuite/family/kernel\n",
		      stderr);
		exit(2);
	}
	prog->kernel_release = "6.1.0-7-test";
	prog->arch = "x86_64";
	if (ast_parse(prog->ast, source_new("fuzz", (const char *)data, size), &env))
		run(prog);
	diag_finish(&diag);
	program_free(prog);
	diag_clear(&diag);
	g_ptr_array_unref(opt.globals);
	g_ptr_array_unref(opt.defines);
	g_ptr_array_unref(opt.more_scripts);
	fclose(null);
	return 0;
}
