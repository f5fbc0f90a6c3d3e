/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parse_file.c - see parse_file.h. */
#include "translator/tapset/parse_file.h"

#include "parser/parse.h"
#include "translator/build/kconfig.h"
#include "translator/program/options.h"
#include "translator/tapset/tapset.h"

#include <string.h>

struct ast_node *program_parse(struct program *prog, struct source *src, int library)
{
	struct parse_env env = {
		.used = prog->args_used,
		.argv = (const char *const *)prog->opt->script_args,
		.guru = prog->opt->guru,
		.is_tapset = library,
		.privilege = prog->opt->privilege,
		.systemtap_v = prog->opt->compatible,
		.kernel_vr = prog->kernel_release,
		.arch = prog->arch,
		.config = kconfig_value,
		.macros = library_macro,
		.data = prog,
		.runtime = "kernel",	/* scripts are the same for both runtimes */
		.library_runtime = prog->opt->runtime == RUNTIME_USER ? "user" : "kernel",
	};
	char *base = g_strdup(prog->kernel_release);
	struct ast_node *file = NULL;

	if (library)
		env.runtime = env.library_runtime;
	base[strspn(base, "0123456789.")] = 0;
	env.kernel_v = base;
	if (env.argv)
		env.argc = g_strv_length(prog->opt->script_args);
	if (src->len) {
		file = ast_parse(prog->ast, src, &env);
	} else {
		if (!library)
			diag(prog->ast->diag, NULL, D_FILE_EMPTY, src->name);
		source_free(src);
	}
	g_free(base);
	return file;
}
