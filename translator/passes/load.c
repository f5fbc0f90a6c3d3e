/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load.c - pass load: the script and its target (kernel release, architecture).
 *
 * Input: options. Output: prog->ast->files (the user's script first, then -E texts and tapset
 * files), kernel_release, arch, info, library. Library files are loaded later, when a name is used
 * that only they declare (tapset.h).
 */
#include "lib/vm.h"
#include "parser/ast_walk.h"
#include "parser/parse.h"
#include "translator/build/kconfig.h"
#include "translator/debuginfo/debuginfo.h"
#include "translator/debuginfo/dwarf.h"
#include "translator/debuginfo/files.h"
#include "translator/debuginfo/tracefs.h"
#include "translator/passes/pass.h"
#include "translator/tapset/parse_file.h"
#include "translator/tapset/tapset.h"

#include <string.h>
#include <sys/utsname.h>

/* Converts the kernel's name of an architecture to stap's. */
static const char *arch_name(const char *machine)
{
	return !strcmp(machine, "aarch64") ? "arm64" : machine;
}

/* A path or fact of a kernel that does not run here. */
static char *ask_vm(const struct program *prog, const char *what)
{
	return vm_path(prog->opt->target_vm ? prog->opt->vm_release : prog->kernel_release, what);
}

/* Boots the kernel once, on first use. */
static char *find_symbols(void *data)
{
	return ask_vm(data, "symbols");
}

static char *find_events(void *data)
{
	return ask_vm(data, "events");
}

static char *find_btf(void *data)
{
	return ask_vm(data, "vmlinux-or-btf");
}

/* Fetches the modules once. */
static char *find_modules(void *data)
{
	return ask_vm(data, "modules");
}

static void find_target(struct program *prog)
{
	const struct options *opt = prog->opt;
	struct utsname host;

	uname(&host);
	prog->kernel_release = ast_strdup(prog->ast, opt->release ? opt->release : host.release);
	prog->arch = ast_strdup(prog->ast, arch_name(opt->arch ? opt->arch : host.machine));
	if (opt->target_vm) {
		char *release = vm_path(opt->vm_release, "release"),
		     *arch = release ? vm_path(opt->vm_release, "arch") : NULL;

		if (release)
			prog->kernel_release = ast_strdup(prog->ast, release);
		else
			diag(prog->ast->diag, NULL, D_TARGET_NONE, opt->vm_release);
		if (arch)
			prog->arch = ast_strdup(prog->ast, arch_name(arch));
		g_free(release);
		g_free(arch);
	}
	prog->info = debuginfo_open(
		opt->target_vm || strcmp(prog->kernel_release, host.release) ? find_symbols : NULL,
		prog);
	if (opt->target_vm || strcmp(prog->kernel_release, host.release))
		tracefs_of(find_events, prog);
	debuginfo_find_btf(prog->info, find_btf);
	debuginfo_find_files(prog->info, prog->kernel_release, opt->sysroot, find_modules);
	if (opt->download_debuginfo)
		dwarf_ask_servers();
}

/* NULL without *error: an inventory needs no script. */
static struct source *script_source(struct program *prog, GError **error)
{
	const struct options *opt = prog->opt;
	struct source *src;
	char *text;

	if (opt->list_pattern) {
		text = g_strdup_printf("probe %s {}", opt->list_pattern);
		src = source_new("<input>", text, strlen(text));
		g_free(text);
		return src;
	}
	if (opt->script_text)
		return source_new("<input>", opt->script_text, strlen(opt->script_text));
	return opt->script_path ? source_load(opt->script_path, error) : NULL;
}

/* Sets *found at a name that stands for all arguments. */
static int is_arguments(struct ast_node **slot, void *found)
{
	const struct ast_node *n = *slot;

	*(int *)found |= (n->kind == AST_NAME && library_is_argument(n->u.name.name)) ||
			 (n->kind == AST_INDEX && library_is_argument(n->u.index.name));
	return 1;
}

static void warn_unused(struct program *prog)
{
	int named = 0;

	if (!prog->args_used || !prog->opt->script_args[0])
		return;
	for (unsigned i = 0; i < prog->ast->files->len; i++)
		ast_walk((struct ast_node **)&prog->ast->files->pdata[i], is_arguments, &named);
	if (named)
		return;
	for (unsigned i = 0; prog->opt->script_args[i]; i++)
		if (!prog->args_used[i])
			diag(prog->ast->diag, NULL, D_ARGUMENT_UNUSED, i + 1, i + 1);
}

/* A name of -D that is none of ours may be meant for embedded C, unless it looks like one. */
static void warn_limits(struct program *prog)
{
	GPtrArray *limits = options_limits();

	for (unsigned i = 0; i < prog->opt->defines->len; i++) {
		const char *define = prog->opt->defines->pdata[i];
		char *name = g_strndup(define, strcspn(define, "=")),
		     *upper = g_ascii_strup(name, -1),
		     *similar = diag_similar(upper, limits, 1);

		if (diag_is_close(upper, similar) && strcmp(name, similar)) {
			diag(prog->ast->diag, NULL, D_LIMIT_UNKNOWN, name);
			diag_suggest(prog->ast->diag, upper, similar);
		}
		g_free(similar);
		g_free(upper);
		g_free(name);
	}
	g_ptr_array_unref(limits);
}

void pass_load(struct program *prog)
{
	GError *error = NULL;
	struct source *src = script_source(prog, &error);
	const GPtrArray *more = prog->opt->more_scripts;

	if (error) {
		diag(prog->ast->diag, NULL, D_FILE_OPEN, prog->opt->script_path, error->message);
		g_error_free(error);
		return;
	}
	if (prog->opt->script_args)
		prog->args_used = ast_alloc(prog->ast, g_strv_length(prog->opt->script_args) + 1);
	warn_limits(prog);
	find_target(prog);
	library_open(prog);
	if (src)
		program_parse(prog, src, 0);
	for (unsigned i = 0; i < more->len; i++) {
		const char *text = g_ptr_array_index(more, i);

		program_parse(prog, source_new("<input>", text, strlen(text)), 0);
	}
	prog->user_files = prog->ast->files->len;
	warn_unused(prog);
	if (prog->opt->inventory != INVENTORY_NONE)
		library_load(prog);
}
