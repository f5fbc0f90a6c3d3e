/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kbuild.c - a kernel module through the kernel's own build system.
 *
 * Input: a folder with script.c. The generated Makefile only names the runtime and the module;
 * flags and objects are in runtime/kernel/module.mk. Output: NAME.ko there.
 */
#include "translator/build/kbuild.h"

#include "lib/failure.h"
#include "lib/guest.h"
#include "lib/headers.h"
#include "lib/paths.h"
#include "lib/run.h"
#include "lib/vm.h"
#include "translator/build/kconfig.h"
#include "translator/build/kit.h"
#include "translator/debuginfo/btf.h"
#include "translator/debuginfo/files.h"
#include "translator/program/options.h"
#include "translator/program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

char *kbuild_headers(const struct program *prog)
{
	char *installed = g_strdup_printf("/lib/modules/%s/build", prog->kernel_release);
	char *makefile = g_build_filename(installed, "Makefile", NULL);
	int there = g_file_test(makefile, G_FILE_TEST_EXISTS);
	struct utsname host;

	g_free(makefile);
	if (prog->opt->build_tree) {
		g_free(installed);
		return g_strdup(prog->opt->build_tree);
	}
	if (there)
		return installed;
	g_free(installed);
	uname(&host);
	if (strcmp(host.release, prog->kernel_release))
		return vm_path(prog->opt->target_vm ? prog->opt->vm_release : prog->kernel_release,
			       "headers");
	return NULL;
}

/*
 * The clang that the kernel is built by, which its modules need, too: clang-16, or clang, where there
 * is no such. *word: what make is told of it; linker and all are of that version where the kernel is
 * linked by lld. Both NULL: gcc. Caller frees both.
 */
static char *clang_of(const char *headers, char **word)
{
	char *path = g_build_filename(headers, ".config", NULL), *config = NULL, *is = NULL,
	     *version = NULL, *lld = NULL, *name = NULL;

	*word = NULL;
	if (g_file_get_contents(path, &config, NULL, NULL) &&
	    (is = kconfig_find(config, "CONFIG_CC_IS_CLANG"))) {
		version = kconfig_find(config, "CONFIG_CLANG_VERSION");
		lld = kconfig_find(config, "CONFIG_LD_IS_LLD");
		name = g_strdup_printf("clang-%d", version ? atoi(version) / 10000 : 0);
		g_free(path);
		path = g_find_program_in_path(name);
		if (!path && (path = g_find_program_in_path("clang")))
			name[strlen("clang")] = 0;
		*word = !lld		    ? g_strconcat("CC=", name, NULL)
			: strchr(name, '-') ? g_strconcat("LLVM=", strchr(name, '-'), NULL)
					    : g_strdup("LLVM=1");
	}
	g_free(lld);
	g_free(version);
	g_free(is);
	g_free(config);
	g_free(path);
	return name;
}

static int check_tools(const struct program *prog, const char *cross, const char *clang)
{
	const char *const tools[] = { "make", clang ? clang : "gcc" };

	for (unsigned i = 0; i < G_N_ELEMENTS(tools); i++) {
		char *name = g_strconcat(i && !clang ? cross : "", tools[i], NULL),
		     *path = g_find_program_in_path(name);

		if (!path) {
			failure_print("lapwing", FAILURE_BUILD_TOOLS,
				      "no %s: building a module needs it: %s%s", name,
				      *cross ? guest_mend("arm64") : "apt-get install ",
				      *cross ? "" : name);
			g_free(name);
			return -1;
		}
		g_free(path);
		g_free(name);
	}
	return 0;
}

/* Size of a task by the kernel's BTF, which the headers must have, too (compat.h). 0: not known. */
static guint64 task_bytes(const struct program *prog)
{
	const char *why;
	const struct btf *btf = prog->info ? debuginfo_btf(prog->info, NULL, &why) : NULL;
	guint32 id = btf ? btf_find(btf, "task_struct", BTF_STRUCT) : 0;

	return id ? btf_size(btf, id) : 0;
}

/* bytes: see task_bytes(). */
static int write_makefile(const char *dir, const char *name, const char *runtime, guint64 bytes)
{
	char *mk = paths_data("runtime/kernel/module.mk"),
	     *path = g_build_filename(dir, "Makefile", NULL), *root, *text;
	int failed = -1;

	if (!mk) {
		failure_print("lapwing", FAILURE_INSTALLATION,
			      "the kernel runtime's source is missing: run it from the source tree, or make install");
	} else {
		root = g_strndup(mk, strlen(mk) - strlen("/runtime/kernel/module.mk"));
		text = g_strdup_printf(
			"LAPWING := %s\nNAME := %s\n%s%s\n%s%" G_GUINT64_FORMAT
			"\ninclude $(LAPWING)/runtime/kernel/module.mk\n",
			root, name, runtime ? "RUNTIME := " : "", runtime ? runtime : "",
			bytes ? "TASK_BYTES := " : "#", bytes);
		failed = g_file_set_contents(path, text, -1, NULL) ? 0 : -1;
		if (failed)
			failure_print("lapwing", FAILURE_FILE_WRITE,
				      "cannot write to %s: is the disk full?", dir);
		g_free(text);
		g_free(root);
	}
	g_free(path);
	g_free(mk);
	return failed;
}

/* Prints the relevant lines of the compiler's output. */
static void show_failure(const struct run_result *result, const char *release)
{
	char **lines =
		g_strsplit(result->err && *result->err ? result->err : result->out, "\n", -1);
	unsigned shown = 0;

	failure_print("lapwing", FAILURE_BUILD,
		      "the module does not build for kernel %s; the compiler says:", release);
	for (char **l = lines; *l && shown < 20; l++)
		if (strstr(*l, "error") || strstr(*l, "Error") || strstr(*l, "***") ||
		    strstr(*l, "undefined")) {
			fprintf(stderr, "  %s\n", *l);
			shown++;
		}
	g_strfreev(lines);
}

int kbuild_make(const struct program *prog, const char *headers, const char *dir, const char *name,
		const char *runtime, int loud)
{
	int arm = !strcmp(prog->arch, "arm64");
	struct utsname host;
	const char *cross = "";
	char *m = g_strdup_printf("M=%s", dir), *cross_arg, *clang_arg,
	     *clang = clang_of(headers, &clang_arg);
	struct run_result result = { 0 };
	GError *error = NULL;
	int status = -1;

	uname(&host);
	if (arm && strcmp(host.machine, "aarch64"))
		cross = "aarch64-linux-gnu-";
	cross_arg = g_strdup_printf("CROSS_COMPILE=%s", cross);
	{
		const char *argv[] = { "make",	  "-s",
				       "-C",	  headers,
				       m,	  arm ? "ARCH=arm64" : "ARCH=x86_64",
				       cross_arg, "KCFLAGS=-g0",
				       "modules", clang_arg, NULL };

		if (write_makefile(dir, name, runtime, runtime ? 0 : task_bytes(prog)) || check_tools(prog, cross, clang))
			status = -1;
		else if (run_program(argv, NULL, NULL, 1, &result, &error))
			failure_print("lapwing", FAILURE_BUILD_TOOLS, "cannot run make: %s",
				      error->message);
		else if (result.status && loud)
			show_failure(&result, prog->kernel_release);
		else if (!result.status)
			status = 0;
	}
	if (prog->opt->verbose[4] > 1 && result.err)
		fputs(result.err, stderr);
	g_clear_error(&error);
	run_result_clear(&result);
	g_free(clang_arg);
	g_free(clang);
	g_free(cross_arg);
	g_free(m);
	return status;
}

int kbuild_module(const struct program *prog, const char *dir, const char *name)
{
	char *headers = kbuild_headers(prog);
	int status = -1;

	if (!headers) {
		char *mend = headers_mend(&(struct host){ "" }, prog->kernel_release);

		failure_print("lapwing", FAILURE_BUILD_TOOLS, "no headers for kernel %s: %s",
			      prog->kernel_release, mend);
		g_free(mend);
	} else if (prog->opt->cache != CACHE_DISABLE && !prog->opt->build_tree &&
		   !kit_module(prog, headers, dir, name)) {
		status = 0;
	} else {
		if (prog->opt->verbose[4])
			fprintf(stderr, "lapwing: kbuild builds the script for kernel %s\n",
				prog->kernel_release);
		status = kbuild_make(prog, headers, dir, name, NULL, 1);
	}
	g_free(headers);
	return status;
}
