/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kbuild.c - builds a kernel module with the kernel's own build system.
 *
 * Input: a directory with script.c. The generated Makefile only names the runtime and the module;
 * flags and objects are in runtime/kernel/module.mk. Output: NAME.ko there.
 */
#include "translator/build/kbuild.h"

#include "lib/paths.h"
#include "lib/run.h"
#include "translator/build/cache.h"
#include "translator/build/kconfig.h"
#include "translator/build/kit.h"
#include "translator/build/vm.h"
#include "translator/program/options.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

static int has_makefile(const char *headers)
{
	g_autofree char *makefile = g_build_filename(headers, "Makefile", NULL);
	int has = g_file_test(makefile, G_FILE_TEST_EXISTS);

	return has;
}

/*
 * The build directory of a kernel that the guest harness has or fetches. Asking takes longer than a
 * start with a full cache, so the answer is cached as long as the directory exists.
 */
static char *headers_of_vm(const struct program *prog)
{
	const struct options *opt = prog->opt;
	char *key = g_strconcat("of-", prog->kernel_release, NULL), *headers = NULL;
	g_autofree char *kept = opt->cache == CACHE_USE ? cache_find(key, ".headers") : NULL;

	if (kept && g_file_get_contents(kept, &headers, NULL, NULL) && !has_makefile(headers))
		g_clear_pointer(&headers, g_free);
	if (!headers) {
		headers =
			vm_path(opt->target_vm ? opt->vm_release : prog->kernel_release, "headers");
		if (headers && opt->cache != CACHE_DISABLE)
			g_free(cache_store(key, ".headers", headers, strlen(headers)));
	}
	g_free(key);
	return headers;
}

char *kbuild_headers(const struct program *prog)
{
	const char *tree = prog->opt->build_tree;
	char *installed = tree ? g_strdup(tree)
			       : g_strdup_printf("/lib/modules/%s/build", prog->kernel_release);
	struct utsname host;

	if (has_makefile(installed))
		return installed;
	g_free(installed);
	uname(&host);
	return !tree && strcmp(host.release, prog->kernel_release) ? headers_of_vm(prog) : NULL;
}

static int has_program(const char *name)
{
	char *path = g_find_program_in_path(name);

	g_free(path);
	return path != NULL;
}

/* Reports on stderr that a tool is missing, and its package. */
static int needs_program(const char *name, const char *package)
{
	if (has_program(name))
		return 0;
	fprintf(stderr, "lapwing: no %s: building a module needs it: apt-get install %s\n", name,
		package);
	return -1;
}

/* True if the headers name their compiler (a file that Debian's kbuild reads). */
static int headers_name_compiler(const char *headers)
{
	char *path = g_build_filename(headers, ".kernelvariables", NULL), *text = NULL;
	int name = g_file_get_contents(path, &text, NULL, NULL) && strstr(text, "override CC =");

	g_free(text);
	g_free(path);
	return name;
}

/*
 * A module must be built with the kernel's compiler if that is clang: LTO and kCFI type hashes are
 * specific to clang. *llvm: make's LLVM= argument; NULL: none, because the headers name it or it is
 * gcc. -1 after reporting what is missing.
 */
static int find_compiler(const struct program *prog, const char *headers, const char *cross,
			 char **llvm)
{
	char *is_clang = kconfig_of_headers(headers, "CONFIG_CC_IS_CLANG"),
	     *version = kconfig_of_headers(headers, "CONFIG_CLANG_VERSION");
	unsigned major = version ? (unsigned)g_ascii_strtoull(version, NULL, 10) / 10000 : 0;
	char *gcc = g_strconcat(cross, "gcc", NULL), *clang = g_strdup_printf("clang-%u", major),
	     *linker = g_strdup_printf("ld.lld-%u", major);
	int rc = 0;

	*llvm = NULL;
	if (!is_clang) {
		rc = needs_program(gcc, *cross ? "gcc-aarch64-linux-gnu" : gcc);
	} else if (headers_name_compiler(headers)) {
		;
	} else if (has_program(clang) && has_program(linker)) {
		*llvm = g_strdup_printf("LLVM=-%u", major);
	} else if (has_program("clang") && has_program("ld.lld")) {
		*llvm = g_strdup("LLVM=1");
	} else {
		fprintf(stderr, "lapwing: no %s: kernel %s was built with it, and its modules must "
			"be too: apt-get install clang-%u lld-%u llvm-%u\n",
			clang, prog->kernel_release, major, major, major);
		rc = -1;
	}
	g_free(linker);
	g_free(clang);
	g_free(gcc);
	g_free(version);
	g_free(is_clang);
	return rc;
}

static int write_makefile(const char *dir, const char *name, int embedded)
{
	char *mk = paths_data("runtime/kernel/module.mk"),
	     *path = g_build_filename(dir, "Makefile", NULL), *root, *text;
	int failed = -1;

	if (!mk) {
		fputs("lapwing: the kernel runtime's source is missing: run it from the source tree, or make install\n",
		      stderr);
	} else {
		root = g_strndup(mk, strlen(mk) - strlen("/runtime/kernel/module.mk"));
		text = g_strdup_printf(
			"LAPWING := %s\nNAME := %s\nEMBEDDED := %d\ninclude $(LAPWING)/runtime/kernel/module.mk\n",
			root, name, embedded);
		failed = g_file_set_contents(path, text, -1, NULL) ? 0 : -1;
		if (failed)
			fprintf(stderr, "lapwing: cannot write to %s: is the disk full?\n", dir);
		g_free(text);
		g_free(root);
	}
	g_free(path);
	g_free(mk);
	return failed;
}

/* True if the line gives a cause; make's "*** ... Error 127" does not. */
static int is_reason(const char *line)
{
	static const char *const words[] = { "error",
					     "Error",
					     "ERROR",
					     "undefined",
					     "not found",
					     "No such file",
					     "ermission denied",
					     "annot " };

	for (unsigned i = 0; i < G_N_ELEMENTS(words) && !strstr(line, "***"); i++)
		if (strstr(line, words[i]))
			return 1;
	return 0;
}

/* Up to 20 lines that give the cause, in order. 0: none found. */
static unsigned show_reasons(const char *log)
{
	g_auto(GStrv) lines = g_strsplit(log ? log : "", "\n", -1);
	unsigned shown = 0;

	for (char **l = lines; *l && shown < 20; l++)
		if (is_reason(*l)) {
			fprintf(stderr, "  %s\n", *l);
			shown++;
		}
	return shown;
}

/* The compiler's messages, reduced to the causes; everything if no cause is recognized. */
static void show_failure(const struct run_result *result, const char *release)
{
	fprintf(stderr, "lapwing: the module does not build for kernel %s; build output:\n",
		release);
	if (!show_reasons(result->err) && !show_reasons(result->out))
		fprintf(stderr, "%s%s", result->err ? result->err : "",
			result->out ? result->out : "");
}

int kbuild_make(const struct program *prog, const char *headers, const char *dir, const char *name,
		int loud)
{
	int arm = !strcmp(prog->arch, "arm64");
	struct utsname host;
	const char *cross = "";
	char *m = g_strdup_printf("M=%s", dir), *cross_arg, *llvm = NULL;
	struct run_result result = { 0 };
	GError *error = NULL;
	int status = -1;

	uname(&host);
	if (arm && strcmp(host.machine, "aarch64"))
		cross = "aarch64-linux-gnu-";
	cross_arg = g_strdup_printf("CROSS_COMPILE=%s", cross);
	if (!write_makefile(dir, name, prog->embedded) && !needs_program("make", "make") &&
	    !find_compiler(prog, headers, cross, &llvm)) {
		const char *argv[] = { "make",    "-s",
				       "-C",      headers,
				       m,         arm ? "ARCH=arm64" : "ARCH=x86_64",
				       cross_arg, "KCFLAGS=-g0",
				       "modules", llvm,
				       NULL };

		if (run_program(argv, NULL, NULL, 1, &result, &error))
			fprintf(stderr, "lapwing: cannot run make: %s\n", error->message);
		else if (result.status && loud)
			show_failure(&result, prog->kernel_release);
		else if (!result.status)
			status = 0;
	}
	if (prog->opt->verbose[4] > 1 && result.err)
		fputs(result.err, stderr);
	g_clear_error(&error);
	run_result_clear(&result);
	g_free(llvm);
	g_free(cross_arg);
	g_free(m);
	return status;
}

int kbuild_module(const struct program *prog, const char *headers, const char *dir,
		  const char *name)
{
	int status = -1;

	if (!headers && prog->opt->target_vm) {
		fprintf(stderr,
			"lapwing: no module can be built for the guest's kernel %s: --runtime=user runs the script there without one, "
			"or choose a kernel that 'lapwing doctor --kernels' lists with "
			"modules\n",
			prog->kernel_release);
	} else if (!headers) {
		fprintf(stderr,
			"lapwing: no headers for kernel %s: apt-get install linux-headers-%s, "
			"or --target=vm to run in a guest, or --runtime=user\n",
			prog->kernel_release, prog->kernel_release);
	} else if (!prog->embedded && prog->opt->cache != CACHE_DISABLE &&
		   !kit_module(prog, headers, dir, name)) {
		status = 0;
	} else {
		if (prog->opt->verbose[4])
			fprintf(stderr, "lapwing: kbuild builds the script for kernel %s\n",
				prog->kernel_release);
		status = kbuild_make(prog, headers, dir, name, 1);
	}
	return status;
}
