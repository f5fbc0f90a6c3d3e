/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target.c - chooses the runtime and starts pass 5.
 */
#include "translator/driver/target.h"

#include "lib/exit_status.h"
#include "lib/guest.h"
#include "lib/host.h"
#include "lib/option.h"
#include "lib/paths.h"
#include "lib/run.h"
#include "lib/vm.h"
#include "translator/program/options.h"
#include "translator/build/build.h"
#include "translator/program/program.h"

#include <elf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

int target_check(const struct options *opt)
{
	const char *lacks = NULL;

	if (opt->target_vm && opt->last_pass == 5 && !options_list(opt) && !opt->dump_after &&
	    strstr(opt->vm_release, "arm64"))
		lacks = guest_lacks(&(struct host){ "" }, "arm64");
	if (lacks)
		option_fail(FAILURE_GUEST, "no %s: arm64 guests need it: %s", lacks,
			    guest_mend("arm64"));
	return lacks ? -1 : 0;
}

void target_choose(struct options *opt)
{
	struct utsname host;
	const char *why;

	uname(&host);
	if (opt->release && strcmp(opt->release, host.release) && opt->last_pass > 4) {
		fputs("WARNING: kernel release/architecture mismatch with host forces last-pass 4.\n",
		      stderr);
		opt->last_pass = 4;
	}
	if (opt->runtime != RUNTIME_AUTO)
		return;
	if (opt->target_vm || opt->release || opt->last_pass < 4 || options_list(opt) ||
	    opt->dump_after) {
		opt->runtime = RUNTIME_KERNEL;
		return;
	}
	why = host_no_modules(&(struct host){ "" });
	opt->runtime = why ? RUNTIME_USER : RUNTIME_KERNEL;
	if (isatty(STDERR_FILENO) || opt->verbose[1])
		fprintf(stderr, "lapwing: runtime %s: %s\n", why ? "user" : "kernel",
			why ? why : "modules can be built and loaded here");
}

/* Adds the options for lapwing-run. */
static void run_options(const struct options *opt, GPtrArray *argv)
{
	const struct {
		const char *flag, *value;
	} with[] = {
		{ "-c", opt->command },
		{ "-o", opt->target_vm ? NULL : opt->output },
		{ "-T", opt->timeout },
		{ "-s", opt->buffer_mb },
		{ "-S", opt->rotate },
		{ "--json-summary",
		  opt->summary && opt->target_vm ? "/proc/self/fd/3" : opt->summary },
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(with); i++)
		if (with[i].value) {
			g_ptr_array_add(argv, g_strdup(with[i].flag));
			g_ptr_array_add(argv, g_strdup(with[i].value));
		}
	if (opt->pid) {
		g_ptr_array_add(argv, g_strdup("-x"));
		g_ptr_array_add(argv, g_strdup_printf("%d", opt->pid));
	}
	g_ptr_array_add(argv, g_strdup("--pass5"));
	for (int i = 0; i < opt->verbose[5] && i < 2; i++)
		g_ptr_array_add(argv, g_strdup("-v"));
	if (opt->no_warnings)
		g_ptr_array_add(argv, g_strdup("-w"));
	if (opt->timing)
		g_ptr_array_add(argv, g_strdup("-t"));
	if (opt->strict)
		g_ptr_array_add(argv, g_strdup("--strict"));
	if (opt->command_status)
		g_ptr_array_add(argv, g_strdup("--command-status"));
	if (opt->no_partial)
		g_ptr_array_add(argv, g_strdup("--no-partial"));
	if (opt->bulk)
		g_ptr_array_add(argv, g_strdup("-b"));
	if (opt->capture || (opt->output && g_str_has_suffix(opt->output, ".cap")))
		g_ptr_array_add(argv, g_strdup("--capture"));
	if (opt->background)
		g_ptr_array_add(argv, g_strdup("-F"));
	if (opt->only_target)
		g_ptr_array_add(argv, g_strdup("--only-target"));
}

/* Adds the arguments after the module: the values of -G for the remaining globals. */
static void run_globals(const struct program *prog, GPtrArray *argv)
{
	for (unsigned i = 0; i < prog->globals->len; i++) {
		const struct var *var = prog->globals->pdata[i];

		if (var->given)
			g_ptr_array_add(argv, g_strdup_printf("%s=%s", var->name, var->given));
	}
}

/* The machine that a program is built for, EM_...; EM_NONE: a script, or no file. */
static unsigned elf_machine(const char *path)
{
	Elf64_Ehdr header;
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(&header, 1, sizeof(header), f) : 0;

	if (f)
		fclose(f);
	return n == sizeof(header) && !memcmp(header.e_ident, ELFMAG, SELFMAG) ? header.e_machine
									       : EM_NONE;
}

static int runs_on(unsigned machine, const char *arch)
{
	int is_arm = !strcmp(arch, "arm64");

	return machine == (is_arm ? EM_AARCH64 : EM_X86_64) ||
	       machine == (is_arm ? EM_ARM : EM_386);
}

/*
 * Adds a program for the guest, with its libraries. One for another machine is skipped, which is an
 * error if it was given by its path.
 */
static int send_program(const char *word, const char *arch, GPtrArray *argv)
{
	char *path = *word ? g_find_program_in_path(word) : NULL,
	     *whole = path ? g_canonicalize_filename(path, NULL) : NULL;
	unsigned machine = whole ? elf_machine(whole) : EM_NONE;
	int rc = 0;

	if (machine != EM_NONE && !runs_on(machine, arch)) {
		rc = strchr(word, '/') ? -1 : 0;
		if (rc)
			option_fail(FAILURE_GUEST,
				"-c: %s is not a program for the guest's %s: build it for that machine",
				word, arch);
		else
			fprintf(stderr,
				"lapwing: -c: this machine's %s does not run on the guest's %s: the guest's own is meant\n",
				word, arch);
	} else if (whole) {
		g_ptr_array_add(argv, g_strdup(machine != EM_NONE ? "--elf" : "--file"));
		g_ptr_array_add(argv, g_strdup(whole));
	}
	g_free(whole);
	g_free(path);
	return rc;
}

/*
 * Adds the host programs in a command line for the guest: every word that names one, also in quoted
 * commands, and the shell's words, for paths that contain separators.
 */
static int send_programs(const char *command, const char *arch, GPtrArray *argv)
{
	static const char apart[] = " \t\n;|&()<>'\"`";
	char **words = g_strsplit_set(command, apart, -1), **read = NULL;
	int rc = 0;

	for (char **w = words; *w; w++)
		rc |= send_program(*w, arch, argv);
	g_shell_parse_argv(command, NULL, &read, NULL);
	for (char **w = read; w && *w; w++)
		if (strpbrk(*w, apart))
			rc |= send_program(*w, arch, argv);
	g_strfreev(read);
	g_strfreev(words);
	return rc;
}

/* QEMU for arm64 counts instructions only if they drive its clock; the guest then has one CPU. */
static int is_counted(const struct program *prog)
{
	for (unsigned i = 0; i < prog->events->len; i++)
		if (g_array_index(prog->events, struct rt_event, i).type != PERF_TYPE_SOFTWARE)
			return !strcmp(prog->arch, "arm64");
	return 0;
}

/*
 * The command runs in a folder of the guest with the same path as the current one, because programs
 * also have their paths of this machine there: so ./prog works in both.
 */
static void add_folder(GPtrArray *argv)
{
	static const char *const words[] = { "sh", "-c",
					     "mkdir -p \"$0\" && cd \"$0\" && exec \"$@\"" };

	for (unsigned i = 0; i < G_N_ELEMENTS(words); i++)
		g_ptr_array_add(argv, g_strdup(words[i]));
	g_ptr_array_add(argv, g_get_current_dir());
}

static int add_vm(const struct program *prog, GPtrArray *argv)
{
	const struct options *opt = prog->opt;
	char *vm = vm_program(), *base = g_path_get_basename(prog->module);
	int foreign = !strcmp(prog->arch, "arm64");
	char *runner = paths_program(foreign ? "lapwing-run-static-arm64"
				     : opt->runtime == RUNTIME_USER ? "lapwing-run"
				     : "lapwing-run-static");
	char *guest_module = g_strdup_printf("/lapwing/%s", base);

	if (!vm || !runner) {
		option_fail(FAILURE_INSTALLATION, "%s is missing: run make in the source tree",
			    vm ? "lapwing-run" : "runtime/vm/lapwing-vm");
		return -1;
	}
	g_ptr_array_add(argv, vm);
	g_ptr_array_add(argv, g_strdup("run"));
	if (is_counted(prog))
		g_ptr_array_add(argv, g_strdup("--icount"));
	g_ptr_array_add(argv, g_strdup("--file"));
	g_ptr_array_add(argv, g_strdup_printf("%s:%s", prog->module, guest_module));
	g_ptr_array_add(argv, g_strdup("--file"));
	g_ptr_array_add(argv, g_strdup_printf("%s:/lapwing/lapwing-run", runner));
	if (opt->runtime == RUNTIME_USER) {
		g_ptr_array_add(argv, g_strdup("--elf"));
		g_ptr_array_add(argv, g_strdup(runner));
	}
	if (opt->command && send_programs(opt->command, prog->arch, argv))
		return -1;
	for (unsigned i = 0; i < opt->vm_files->len; i++) {
		g_ptr_array_add(argv, g_strdup("--file"));
		g_ptr_array_add(argv, g_strdup(g_ptr_array_index(opt->vm_files, i)));
	}
	if (opt->summary) {
		g_ptr_array_add(argv, g_strdup("--fd3"));
		g_ptr_array_add(argv, g_strdup(opt->summary));
	}
	g_ptr_array_add(argv, g_strdup(opt->vm_release));
	g_ptr_array_add(argv, g_strdup("--"));
	if (opt->command)
		add_folder(argv);
	g_ptr_array_add(argv, g_strdup("/lapwing/lapwing-run"));
	run_options(opt, argv);
	for (int fd = opt->output ? STDERR_FILENO : STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (isatty(fd)) {
			g_ptr_array_add(argv, g_strdup("--terminal"));
			g_ptr_array_add(argv, g_strdup_printf("%d", fd));
		}
	g_ptr_array_add(argv, guest_module);
	run_globals(prog, argv);
	g_free(base);
	g_free(runner);
	return 0;
}

/* -o for a guest: redirects our standard output, which is the guest's, and which lapwing-vm inherits. */
static int redirect(const struct options *opt)
{
	GDateTime *now;
	char *name;
	int rc = 0;

	if (!opt->target_vm || !opt->output)
		return 0;
	now = g_date_time_new_now_local();
	name = strchr(opt->output, '%') ? g_date_time_format(now, opt->output)
					: g_strdup(opt->output);
	if (!name || !freopen(name, "w", stdout)) {
		option_fail(FAILURE_FILE_WRITE, "-o %s: %s", opt->output,
			    name ? g_strerror(errno) : "no file name comes of it");
		rc = -1;
	}
	g_free(name);
	g_date_time_unref(now);
	return rc;
}

int target_run(const struct program *prog)
{
	const struct options *opt = prog->opt;
	GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
	char *runner = NULL, *program;
	int status;

	if (opt->target_vm) {
		if (add_vm(prog, argv) || redirect(opt))
			return 1;
	} else {
		runner = paths_program("lapwing-run");
		if (!runner) {
			option_fail(FAILURE_INSTALLATION,
				    "lapwing-run is missing: run make in the source tree");
			return 1;
		}
		g_ptr_array_add(argv, runner);
		run_options(opt, argv);
		g_ptr_array_add(argv, g_strdup(prog->module));
		run_globals(prog, argv);
	}
	g_ptr_array_add(argv, NULL);
	if (opt->verbose[5])
		fputs("Pass 5: starting run.\n", stderr);
	fflush(NULL);
	if (prog->module_folder) {	/* outside the cache: it is ours to remove */
		status = run_instead((char **)argv->pdata);
		build_remove_folder(prog->module_folder);
		return status;
	}
	program = g_strdup(argv->pdata[0]);
	if (exit_called_as("stap") && !opt->target_vm) {
		g_free(argv->pdata[0]);
		argv->pdata[0] = g_strdup("staprun");
	}
	execv(program, (char **)argv->pdata);
	option_fail(FAILURE_INSTALLATION, "cannot run %s: %s", program, g_strerror(errno));
	g_free(program);
	g_ptr_array_free(argv, TRUE);
	return 1;
}
