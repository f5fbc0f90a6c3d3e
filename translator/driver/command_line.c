/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_line.c - see command_line.h.
 */
#include "translator/driver/command_line.h"

#include "lib/option.h"
#include "lib/paths.h"
#include "translator/program/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "config.h"
#include "parser/ast.h"
#include "parser/parse.h"
#include "translator/build/cache.h"
#include "translator/driver/environment.h"
#include "translator/passes/pass.h"
#include "translator/program/program.h"

static void print_passes(void)
{
	for (const struct pass *p = passes; p->name; p++)
		printf("%d  %-8s %s\n", p->stap_pass, p->name, p->sentence);
}

static int set_define(void *into, const char *value)
{
	struct options *opt = into;
	const char *equal = strchr(value, '=');
	char *end;

	if (!g_regex_match_simple("^[a-z_][a-z_0-9]*(=-?[a-z_0-9]+)?$", value, G_REGEX_CASELESS, 0))
		return option_fail(FAILURE_OPTION_VALUE,
				   "-D '%s': expected NAME or NAME=VALUE", value);
	if (equal) {
		errno = 0;
		(void)strtoll(equal + 1, &end, 0);
		if (errno || *end)
			return option_fail(FAILURE_OPTION_VALUE,
					   "-D '%s': the value must be a number", value);
	}
	g_ptr_array_add(opt->defines, (void *)value);
	return 0;
}

static int set_global(void *into, const char *value)
{
	struct options *opt = into;

	if (!g_regex_match_simple("^[a-z_][a-z_0-9]*=", value, G_REGEX_CASELESS, 0))
		return option_fail(FAILURE_OPTION_VALUE,
				   "-G '%s': expected VAR=VAL, e.g. rows=20", value);
	g_ptr_array_add(opt->globals, (void *)value);
	return 0;
}

static int set_text(void *into, const char *value)
{
	struct options *opt = into;

	if (opt->script_text)
		return option_fail(FAILURE_OPTION_CONFLICT, "-e: one script at a time; -E adds another one");
	opt->script_text = value;
	return 0;
}

static int set_tapsets(void *into, const char *value)
{
	struct options *opt = into;

	if (!g_file_test(value, G_FILE_TEST_IS_DIR))
		option_note("-I %s ignored: no such directory", value);
	g_ptr_array_add(opt->tapset_folders, (void *)value);
	return 0;
}

/*
 * -r KVER, or an absolute path of a kernel's build tree. Its modules are of UTS_RELEASE, which Debian's
 * include/config/kernel.release is not.
 */
static int set_release(void *into, const char *value)
{
	static const char define[] = "#define UTS_RELEASE \"";
	struct options *opt = into;
	char *path, *text = NULL, *release;

	opt->release = value;
	opt->build_tree = NULL;
	if (*value != '/')
		return 0;
	path = g_build_filename(value, "include/generated/utsrelease.h", NULL);
	g_file_get_contents(path, &text, NULL, NULL);
	g_free(path);
	release = text ? strstr(text, define) : NULL;
	if (release) {
		release += strlen(define);
		release[strcspn(release, "\"\n")] = 0;
		opt->release = g_intern_string(release);
		opt->build_tree = value;
	}
	g_free(text);
	return release ? 0
		       : option_fail(FAILURE_FILE_READ,
				     "-r %s: no build tree of a kernel: no UTS_RELEASE is in its include/generated/utsrelease.h",
				     value);
}

static int set_target(void *into, const char *value)
{
	struct options *opt = into;

	if (!strcmp(value, "local")) {
		opt->target_vm = 0;
		return 0;
	}
	if (strcmp(value, "vm") && !g_str_has_prefix(value, "vm:"))
		return option_fail(FAILURE_OPTION_VALUE,
			"--target=%s: expected local, vm or vm:KVER (e.g. vm:6.12)", value);
	opt->target_vm = 1;
	opt->vm_release = value[2] == ':' && value[3] ? value + 3 : "6.1";
	return 0;
}

static int set_runtime(void *into, const char *value)
{
	struct options *opt = into;

	if (!strcmp(value, "kernel"))
		opt->runtime = RUNTIME_KERNEL;
	else if (!strcmp(value, "user"))
		opt->runtime = RUNTIME_USER;
	else
		return option_fail(FAILURE_OPTION_VALUE,
				   "--runtime=%s: expected kernel or user", value);
	return 0;
}

static int set_compatible(void *into, const char *value)
{
	struct options *opt = into;

	if (!g_regex_match_simple("^[0-9]+(\\.[0-9]+)*$", value, 0, 0))
		return option_fail(FAILURE_OPTION_VALUE,
				   "--compatible=%s: expected a version, e.g. 4.8", value);
	if (strverscmp(value, PARSE_SYSTEMTAP_V) > 0)
		return option_fail(FAILURE_OPTION_VALUE,
			"--compatible=%s: the language is that of version %s, not of a later one",
			value, PARSE_SYSTEMTAP_V);
	opt->compatible = value;
	return 0;
}

static int set_privilege(void *into, const char *value)
{
	struct options *opt = into;

	static const char *const levels[] = { "stapusr", "stapsys", "stapdev", NULL };

	if (!g_strv_contains(levels, value))
		return option_fail(FAILURE_OPTION_VALUE,
				   "--privilege=%s: expected stapusr, stapsys or stapdev", value);
	opt->privilege = strcmp(value, "stapdev") ? value : NULL;
	return 0;
}

/* --vp: at most one digit per pass; each is added to the pass's -v level. */
static int set_verbose(void *into, const char *digits)
{
	struct options *opt = into;

	size_t n = strlen(digits);

	if (!n || n > STAP_PASSES || strspn(digits, "0123456789") != n)
		return option_fail(FAILURE_OPTION_VALUE,
			"--vp=%s: expected a digit for each pass, at most %d, e.g. 00001",
			digits, STAP_PASSES);
	for (size_t i = 0; i < n; i++)
		opt->verbose[i + 1] += digits[i] - '0';
	return 0;
}

static int set_more_verbose(void *into, const char *value)
{
	(void)value;
	return set_verbose(into, "11111");
}

static int set_tmpdir(void *into, const char *value)
{
	(void)into;
	if (!g_file_test(value, G_FILE_TEST_IS_DIR))
		return option_fail(FAILURE_FILE_READ, "--tmpdir=%s: no such directory", value);
	g_setenv("TMPDIR", value, TRUE);
	return 0;
}

/* Sets a soft limit of this process, which its children inherit. */
static int set_limit(int resource, const char *name, const char *value)
{
	struct rlimit limit;
	char *end;

	getrlimit((__rlimit_resource_t)resource, &limit);
	errno = 0;
	limit.rlim_cur = g_ascii_strtoull(value, &end, 10);
	if (errno || end == value || *end || *value == '-')
		return option_fail(FAILURE_OPTION_VALUE,
				   "--%s=%s: expected a number (bytes, seconds or processes)", name,
				   value);
	if (setrlimit((__rlimit_resource_t)resource, &limit))
		return option_fail(FAILURE_OPTION_VALUE,
				   "--%s=%s: %s", name, value, g_strerror(errno));
	return 0;
}

#define LIMIT(function, resource, name) \
	static int function(void *into, const char *value) \
	{ \
		(void)into; \
		return set_limit(resource, name, value); \
	}
LIMIT(set_limit_as, RLIMIT_AS, "rlimit-as")
LIMIT(set_limit_cpu, RLIMIT_CPU, "rlimit-cpu")
LIMIT(set_limit_nproc, RLIMIT_NPROC, "rlimit-nproc")
LIMIT(set_limit_stack, RLIMIT_STACK, "rlimit-stack")
LIMIT(set_limit_fsize, RLIMIT_FSIZE, "rlimit-fsize")

/* Options that set several members, or a member to a fixed value. */
#define SETTER(function, statement) \
	static int function(void *into, const char *value) \
	{ \
		struct options *opt = into; \
\
		(void)value; \
		statement; \
		return 0; \
	}
SETTER(set_script, g_ptr_array_add(opt->more_scripts, (void *)value))
SETTER(set_vm_file, g_ptr_array_add(opt->vm_files, (void *)value))
SETTER(set_list_vars, opt->list_vars = 1; opt->list_pattern = value)
SETTER(set_download, opt->download_debuginfo = !value || strcmp(value, "no") != 0)
SETTER(set_cache_off, opt->cache = CACHE_DISABLE)
SETTER(set_cache_anew, opt->cache = CACHE_POISON)
SETTER(set_unprivileged, opt->privilege = "stapusr")
SETTER(set_probe_types, opt->inventory = INVENTORY_TYPES)
SETTER(set_aliases, opt->inventory = INVENTORY_ALIASES)
SETTER(set_functions, opt->inventory = INVENTORY_FUNCTIONS)

static int set_json(void *into, const char *value)
{
	(void)value;
	return data_ask(&((struct options *)into)->form, DATA_JSON);
}

static int set_csv(void *into, const char *value)
{
	(void)value;
	return data_ask(&((struct options *)into)->form, DATA_CSV);
}

/* -s: a ring has at least 64 KB. */
static int set_buffer(void *into, const char *value)
{
	double mb;

	((struct options *)into)->buffer_mb = value;
	return option_number("-s", value, 0.0625, 4095, &mb);
}

static int answer_clean_cache(void *into, const char *value)
{
	(void)into;
	(void)value;
	return cache_clean() ? 1 : 0;
}

/* -m NAME, or NAME.ko. The kernel has room for MODULE_NAME_MAX characters. */
#define MODULE_NAME_MAX 55
static int set_module(void *into, const char *value)
{
	size_t len = strlen(value) - (g_str_has_suffix(value, ".ko") ? strlen(".ko") : 0);
	char *name = g_strndup(value, len), *cut;
	int bad = 0;

	cut = g_strndup(name, MODULE_NAME_MAX);
	((struct options *)into)->module_name = g_intern_string(cut);
	g_free(cut);
	if (!g_regex_match_simple("^[a-zA-Z_][a-zA-Z0-9_]*$", name, 0, 0))
		bad = option_fail(FAILURE_OPTION_VALUE,
			"-m '%s': a module's name is made of letters, digits and _", name);
	else if (len > MODULE_NAME_MAX)
		option_note("-m: the name is cut to '%s'", ((struct options *)into)->module_name);
	g_free(name);
	return bad;
}

static int set_rotate(void *into, const char *value)
{
	struct options *opt = into;

	if (!g_regex_match_simple("^0*[1-9][0-9]{0,5}(,0*[1-9][0-9]{0,5})?$", value, 0, 0))
		return option_fail(FAILURE_OPTION_VALUE,
				   "-S '%s': expected MB or MB,FILES, e.g. 10,3", value);
	opt->rotate = value;
	return 0;
}

static int set_timeout(void *into, const char *value)
{
	struct options *opt = into;

	if (!g_regex_match_simple("^(?=.*[1-9])[0-9]+(\\.[0-9]+)?$", value, 0, 0))
		return option_fail(FAILURE_OPTION_VALUE,
				   "-T '%s': expected seconds, e.g. 5 or 0.5", value);
	opt->timeout = value;
	return 0;
}

static int set_sysroot(void *into, const char *value)
{
	struct options *opt = into;

	if (!g_file_test(value, G_FILE_TEST_IS_DIR))
		return option_fail(FAILURE_FILE_READ, "--sysroot=%s: no such directory", value);
	opt->sysroot = value;
	return 0;
}

#define OPTION_INTO struct options
static const struct option_row rows[] = {
#include "translator/driver/cli.def"
	{ .kind = OPTION_END },
};

static int check_together(const struct options *opt)
{
	const char *of_files = opt->background ? "-F"
			       : opt->rotate ? "-S"
			       : opt->bulk ? "-b"
			       : NULL;
	int runs = opt->last_pass == 5 && !options_list(opt);

	if (opt->command && opt->pid)
		return option_fail(FAILURE_OPTION_CONFLICT,
				   "You can't specify -c and -x together.");
	if (opt->guru && opt->privilege)
		return option_fail(FAILURE_OPTION_CONFLICT,
			"You can't specify -g and --privilege=%s together.", opt->privilege);
	if (opt->no_time_limits && !opt->guru)
		return option_fail(FAILURE_OPTION_CONFLICT,
			"--suppress-time-limits needs -g: a handler without limits can hang the machine");
	if (opt->target_vm && opt->pid)
		return option_fail(FAILURE_OPTION_CONFLICT,
			"-x with --target=vm: a process of this machine is not in the guest; use -c CMD");
	if (opt->target_vm && opt->release)
		return option_fail(FAILURE_OPTION_CONFLICT,
			"-r with --target=vm: name the guest's kernel instead, --target=vm:%s",
			opt->release);
	if ((opt->background || opt->rotate) && runs && !opt->output)
		return option_fail(FAILURE_OPTION_CONFLICT, "%s needs -o FILE", of_files);
	if (of_files && opt->target_vm)
		return option_fail(FAILURE_OPTION_CONFLICT,
			"%s with --target=vm: the guest and its files go when the run ends; use -o FILE",
			of_files);
	if (opt->only_target && !opt->command && !opt->pid)
		return option_fail(FAILURE_OPTION_CONFLICT, "--only-target needs -c CMD or -x PID");
	if (opt->vm_files->len && !opt->target_vm)
		return option_fail(FAILURE_OPTION_CONFLICT, "--vm-file needs --target=vm");
	if (opt->form && !options_list(opt))
		return option_fail(FAILURE_OPTION_CONFLICT,
				   "--json and --csv are of lists: with -l, -L, --dump-functions, "
				   "--dump-probe-types or --dump-probe-aliases");
	if (opt->json_diagnostics && (options_list(opt) || opt->dump_after))
		return option_fail(FAILURE_OPTION_CONFLICT,
			"--json-diagnostics checks a script: without -l, -L and --dump...");
	if (!opt->script_path && !opt->script_text && !opt->list_pattern && !opt->inventory)
		return option_fail(FAILURE_ARGUMENTS,
			"no script: give a file, - or -e 'SCRIPT'; lapwing --help lists the options");
	return 0;
}

/* Replaces the name by the path. Never freed. 0, or -1 after a message. */
static int find_example(struct options *opt)
{
	const char *name = opt->script_path ? opt->script_path : "";
	char *in_tree = g_build_filename("examples", name, NULL), *path = paths_data(in_tree);

	g_free(in_tree);
	if (!*name || !path)
		return option_fail(FAILURE_OPTION_VALUE, "--example: there is no example '%s'", name);
	opt->script_path = path;
	return 0;
}

static int print_topic(const char *topic)
{
	if (strcmp(topic, "passes"))
		return -1;
	print_passes();
	return 0;
}

int command_line_parse(struct options *opt, int argc, char **argv, int *status)
{
	const struct option_table tables[] = { { rows, opt }, { NULL, NULL } };
	struct option_program program = {
		.name = "lapwing",
		.usage = "[options] SCRIPT [ARGS]       run a script file (- is stdin)\n"
			 "[options] -e 'SCRIPT' [ARGS]  run this text\n"
			 "[options] -l POINT            list probe points",
		.more = "lapwing help lists the commands. lapwing doctor says what works here.",
		.tables = tables,
		.wrong = 1,
		.anywhere = 1,
		.topic = print_topic,
		.topics = "[=options|passes]",
	};
	int i;

	memset(opt, 0, sizeof(*opt));
	opt->defines = g_ptr_array_new();
	opt->globals = g_ptr_array_new();
	opt->vm_files = g_ptr_array_new();
	opt->more_scripts = g_ptr_array_new();
	opt->tapset_folders = g_ptr_array_new();
	opt->last_pass = 5;
	opt->color = COLOR_AUTO;
	*status = 1;
	argv = environment_arguments(&argc, argv, &program);
	if (!argv)
		return 1;
	i = option_parse(&program, argc, argv, status);
	if (i < 0)
		return 1;
	*status = 1;
	environment_folders(opt);
	if (!opt->script_text && !opt->list_pattern && i < argc)
		opt->script_path = argv[i++];
	if (opt->example && find_example(opt))
		return 1;
	opt->script_args = argv + MIN(i, argc);
	if (opt->json_diagnostics)
		opt->last_pass = MIN(opt->last_pass, 3);
	opt->unoptimized |= opt->list_vars;		/* unused variables are listed, too */
	return check_together(opt) ? 1 : 0;
}
