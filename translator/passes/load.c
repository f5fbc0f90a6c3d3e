/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load.c - pass load: the script and its target (kernel release, architecture).
 *
 * Input: options. Output: prog->ast->files (the user's script first, then -E texts and tapset
 * files), kernel_release, arch, info, library. Library files are loaded later, when a name is used
 * that only they declare (tapset.h).
 */
#include "translator/build/vm.h"
#include "translator/debuginfo/debuginfo.h"
#include "translator/debuginfo/dwarf.h"
#include "translator/debuginfo/files.h"
#include "translator/passes/pass.h"
#include "translator/tapset/parse_file.h"
#include "translator/tapset/tapset.h"

#include <string.h>
#include <sys/utsname.h>

/* Kernel names of an architecture to stap's. */
static const char *arch_name(const char *machine)
{
	return !strcmp(machine, "aarch64") ? "arm64" : machine;
}

/* A path of the guest's kernel, or of the kernel of -r. */
static char *path_of_kernel(const struct program *prog, const char *what)
{
	return vm_path(prog->opt->target_vm ? prog->opt->vm_release : prog->kernel_release, what);
}

/* A file of the build tree of -r; NULL: there is none. Caller frees. */
static char *path_in_tree(const struct program *prog, const char *name)
{
	const char *tree = prog->opt->build_tree;
	char *path = tree ? g_build_filename(tree, name, NULL) : NULL;

	if (path && !g_file_test(path, G_FILE_TEST_EXISTS))
		g_clear_pointer(&path, g_free);
	return path;
}

/* Boots a guest if they are not in the cache yet. */
static char *find_symbols(void *data)
{
	const struct program *prog = data;
	char *map = path_in_tree(prog, "System.map");

	if (map) {
		g_free(map);
		return g_strdup(prog->opt->build_tree);
	}
	return path_of_kernel(data, "symbols");
}

static char *find_btf(void *data)
{
	char *vmlinux = path_in_tree(data, "vmlinux");

	return vmlinux ? vmlinux : path_of_kernel(data, "vmlinux-or-btf");
}

/* Fetches them if they are not in the cache yet. */
static char *find_modules(void *data)
{
	return path_of_kernel(data, "modules");
}

static void find_target(struct program *prog)
{
	const struct options *opt = prog->opt;
	struct utsname host;

	uname(&host);
	prog->kernel_release = ast_strdup(prog->ast, opt->release ? opt->release : host.release);
	prog->arch = ast_strdup(prog->ast, arch_name(opt->arch ? opt->arch : host.machine));
	if (opt->target_vm) {
		g_autofree char *arch = vm_path(opt->vm_release, "arch");

		prog->kernel_release = ast_strdup(prog->ast, opt->guest_release);
		if (arch)
			prog->arch = ast_strdup(prog->ast, arch_name(arch));
	}
	prog->info = debuginfo_open(
		opt->target_vm || strcmp(prog->kernel_release, host.release) ? find_symbols : NULL,
		prog);
	debuginfo_find_btf(prog->info, find_btf);
	debuginfo_find_files(prog->info, prog->kernel_release, opt->sysroot, find_modules);
	debuginfo_find_tree(prog->info, opt->build_tree);
	if (opt->download_debuginfo)
		dwarf_query_servers();
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
	find_target(prog);
	prog->library = library_open(prog);
	if (src)
		program_parse(prog, src, 0);
	for (unsigned i = 0; i < more->len; i++) {
		const char *text = g_ptr_array_index(more, i);

		program_parse(prog, source_new("<input>", text, strlen(text)), 0);
	}
	prog->user_files = prog->ast->files->len;
	if (prog->opt->inventory != INVENTORY_NONE)
		library_load(prog);
}
