/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_line.c - the command line: the actions of the options in cli.def, and which may be
 * combined. lib/options.c parses them.
 */
#include "translator/driver/command_line.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "config.h"
#include "lib/examples.h"
#include "lib/options.h"
#include "parser/parse.h"
#include "translator/build/cache.h"
#include "translator/driver/lists.h"
#include "translator/driver/words.h"
#include "translator/passes/pass.h"

static void print_passes(void)
{
	for (const struct pass *p = passes; p->name; p++)
		printf("%d  %-8s %s\n", p->stap_pass, p->name, p->sentence);
}

static int number(const char *text, long long low, long long high, const char *what, int *value)
{
	char *end;
	long long v;

	errno = 0;
	v = strtoll(text, &end, 10);
	if (errno || end == text || *end || v < low || v > high)
		return options_fail("%s: '%s' is not a number from %lld to %lld", what, text, low,
				    high);
	*value = v;
	return 0;
}

/* The minimum ring size is 64 KB. */
static int set_buffer(void *into, const char *shown, const char *value)
{
	struct options *opt = into;
	char *end;
	double mb = strtod(value, &end);

	if (end == value || *end || !(mb >= 0.0625 && mb <= 4095))
		return options_fail("%s: '%s' is not a number from 0.0625 to 4095", shown, value);
	opt->buffer_mb = value;
	return 0;
}

static int set_define(void *into, const char *shown, const char *value)
{
	struct options *opt = into;
	const char *equal = strchr(value, '='), *nearest;
	char *end;

	if (!g_regex_match_simple("^[a-z_][a-z_0-9]*(\\([^()]*\\))?(=[^\n]*(?<!\\\\))?$", value,
				  G_REGEX_CASELESS | G_REGEX_DOLLAR_ENDONLY, 0))
		return options_fail("-D '%s': expected NAME or NAME=VALUE", value);
	if (equal && options_is_own(value, &nearest)) {
		errno = 0;
		(void)strtoll(equal + 1, &end, 0);
		if (errno || *end || end == equal + 1)
			return options_fail("-D '%s': the value must be a number", value);
	}
	g_ptr_array_add(opt->defines, (void *)value);
	return 0;
}

static int add_global(void *into, const char *shown, const char *value)
{
	struct options *opt = into;
	if (!g_regex_match_simple("^[a-z_][a-z_0-9]*=", value, G_REGEX_CASELESS, 0))
		return options_fail("-G '%s': expected VAR=VAL, e.g. rows=20", value);
	g_ptr_array_add(opt->globals, (void *)value);
	return 0;
}

static int add_tapsets(void *into, const char *shown, const char *value)
{
	struct options *opt = into;
	if (!g_file_test(value, G_FILE_TEST_IS_DIR))
		return options_fail("-I %s: no such directory", value);
	g_ptr_array_add(opt->tapset_folders, (void *)value);
	return 0;
}

static int set_target(void *into, const char *shown, const char *value)
{
	struct options *opt = into;
	if (!strcmp(value, "local")) {
		opt->target_vm = 0;
		return 0;
	}
	if (strcmp(value, "vm") && !g_str_has_prefix(value, "vm:"))
		return options_fail("--target=%s: expected local, vm or vm:KVER (e.g. vm:6.12)",
				    value);
	opt->target_vm = 1;
	opt->vm_release = value[2] == ':' && value[3] ? value + 3 : "6.1";
	return 0;
}

static int set_color(void *into, const char *shown, const char *value)
{
	struct options *opt = into;
	static const char *const words[] = {
		[COLOR_NEVER] = "never", [COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always"
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(words); i++) {
		if (strcmp(value ? value : "always", words[i]))
			continue;
		opt->color = i;
		return 0;
	}
	return options_fail("--color=%s: expected never, auto or always", value);
}

static int set_compatible(void *into, const char *shown, const char *value)
{
	struct options *opt = into;
	if (!g_regex_match_simple("^[0-9]+(\\.[0-9]+)*$", value, 0, 0))
		return options_fail("--compatible=%s: expected a version, e.g. 4.8", value);
	if (strverscmp(value, PARSE_SYSTEMTAP_V) > 0)
		return options_fail(
			"--compatible=%s: the language is that of version %s, not of a later one",
			value, PARSE_SYSTEMTAP_V);
	opt->compatible = value;
	return 0;
}

static int set_privilege(void *into, const char *shown, const char *value)
{
	static const char *const levels[] = { "stapusr", "stapsys", "stapdev", NULL };
	struct options *opt = into;
	const char *level = value ? value : levels[0];	/* --unprivileged */

	if (!g_strv_contains(levels, level))
		return options_fail("%s=%s: expected stapusr, stapsys or stapdev", shown, level);
	opt->privilege = strcmp(level, "stapdev") ? level : NULL;
	return 0;
}

/* --vp: at most one digit per pass; each adds to the -v level of its pass. */
static int set_verbose(void *into, const char *shown, const char *digits)
{
	struct options *opt = into;
	size_t n = strlen(digits);

	if (!n || n > STAP_PASSES || strspn(digits, "0123456789") != n)
		return options_fail(
			"--vp=%s: expected a digit for each pass, at most %d, e.g. 00001", digits,
			STAP_PASSES);
	for (size_t i = 0; i < n; i++)
		opt->verbose[i + 1] += digits[i] - '0';
	return 0;
}

static int set_tmpdir(void *into, const char *shown, const char *value)
{
	if (!g_file_test(value, G_FILE_TEST_IS_DIR))
		return options_fail("--tmpdir=%s: no such directory", value);
	g_setenv("TMPDIR", value, TRUE);
	return 0;
}

/* Soft limits of this process and its children. */
static int set_limit(void *into, const char *shown, const char *value)
{
	static const struct { const char *name; int resource;
	} limits[] = {
		{ "rlimit-as", RLIMIT_AS },       { "rlimit-cpu", RLIMIT_CPU },
		{ "rlimit-nproc", RLIMIT_NPROC }, { "rlimit-stack", RLIMIT_STACK },
		{ "rlimit-fsize", RLIMIT_FSIZE },
	};
	struct rlimit limit;
	char *end;

	for (unsigned i = 0; i < G_N_ELEMENTS(limits); i++) {
		if (strcmp(shown + 2, limits[i].name))
			continue;
		getrlimit((__rlimit_resource_t)limits[i].resource, &limit);
		errno = 0;
		limit.rlim_cur = g_ascii_strtoull(value, &end, 10);
		if (errno || end == value || *end || *value == '-')
			return options_fail(
				"%s=%s: expected a number (bytes, seconds or processes)", shown,
				value);
		if (setrlimit((__rlimit_resource_t)limits[i].resource, &limit))
			return options_fail("%s=%s: %s", shown, value, g_strerror(errno));
		return 0;
	}
	g_assert_not_reached();
}

/* A release, or the path of a build tree, which says of which release it is. */
static int set_release(void *into, const char *shown, const char *value)
{
	static const char word[] = "UTS_RELEASE \"";
	struct options *opt = into;
	char *path, *text = NULL, *is;

	opt->release = value;
	opt->build_tree = NULL;
	if (*value != '/')
		return 0;
	path = g_build_filename(value, "include/generated/utsrelease.h", NULL);
	is = g_file_get_contents(path, &text, NULL, NULL) ? strstr(text, word) : NULL;
	if (is) {
		is += strlen(word);
		opt->release = g_strndup(is, strcspn(is, "\"\n"));
		opt->build_tree = value;
		g_ptr_array_add(opt->owned, (char *)opt->release);
	} else {
		options_fail("%s %s: not the build tree of a kernel: no release in %s", shown,
			     value, path);
	}
	g_free(text);
	g_free(path);
	return is ? 0 : -1;
}

static int set_pid(void *into, const char *shown, const char *value)
{
	struct options *opt = into;

	return number(value, 1, G_MAXINT, shown, &opt->pid);
}

static int set_last_pass(void *into, const char *shown, const char *value)
{
	struct options *opt = into;

	return number(value, 1, 5, shown, &opt->last_pass);
}

static int add_script(void *into, const char *shown, const char *value)
{
	struct options *opt = into;

	g_ptr_array_add(opt->more_scripts, (void *)value);
	return 0;
}

static int add_vm_file(void *into, const char *shown, const char *value)
{
	struct options *opt = into;

	g_ptr_array_add(opt->vm_files, (void *)value);
	return 0;
}

/* -l, -L */
static int set_list(void *into, const char *shown, const char *value)
{
	struct options *opt = into;

	opt->list_pattern = value;
	opt->list_vars |= shown[1] == 'L';
	return 0;
}

static int set_download(void *into, const char *shown, const char *value)
{
	struct options *opt = into;

	opt->download_debuginfo = !value || strcmp(value, "no") != 0;
	return 0;
}

static int add_verbose(void *into, const char *shown, const char *value)
{
	return set_verbose(into, shown, "11111");
}

static int set_debug(void *into, const char *shown, const char *value)
{
	struct options *opt = into;

	opt->keep = 1;
	return set_verbose(into, shown, "22222");
}

/* --disable-cache, --poison-cache */
static int set_cache(void *into, const char *shown, const char *value)
{
	struct options *opt = into;

	opt->cache = shown[2] == 'd' ? CACHE_DISABLE : CACHE_POISON;
	return 0;
}

/* --dump-probe-aliases, --dump-functions */
static int set_inventory(void *into, const char *shown, const char *value)
{
	struct options *opt = into;

	opt->inventory =
		strcmp(shown, "--dump-functions") ? INVENTORY_ALIASES : INVENTORY_FUNCTIONS;
	return 0;
}

/* --dump-probe-types, --clean-cache: actions instead of a run; by the name of the row. */
static int set_topic(void *into, const char *shown, const char *value)
{
	struct options *opt = into;

	opt->help_topic = shown[2] == 'c' ? "clean-cache" : "dump-probe-types";
	return 0;
}

static int set_help(void *into, const char *shown, const char *value)
{
	struct options *opt = into;

	opt->help_topic = value ? value : "help";
	return 0;
}

static int set_version(void *into, const char *shown, const char *value)
{
	struct options *opt = into;

	opt->help_topic = "version";
	return 0;
}

/* ---- the table -----------------------------------------------------------------*/

static option_fn set_runtime;		/* it reads the table, too */

#define OPTIONS_IN struct options
static const struct option_row rows[] = {
#include "translator/driver/cli.def"
OPTIONS_END
};

/* SystemTap's other runtimes have options of their own, refused with the reason. */
static int set_runtime(void *into, const char *shown, const char *value)
{
	struct options *opt = into;

	if (!strcmp(value, "kernel") || !strcmp(value, "user")) {
		opt->runtime = *value == 'k' ? RUNTIME_KERNEL : RUNTIME_USER;
		return 0;
	}
	for (const struct option_row *r = rows; r->kind != OPTION_END; r++)
		if (r->kind == OPTION_REFUSED && r->name && !strcmp(r->name, value))
			return options_fail("%s=%s refused: %s", shown, value, r->text);
	return options_fail("%s '%s': expected kernel or user", shown, value);
}

/* Options may follow the script, and the value of -o may begin with '=', as in stap. */
static const struct option_program program = {
	.name = "lapwing",
	.rows = rows,
	.keeps_equal = 1,
	.behind = "arguments of the script that begin with '-' come after '--'; ",
	.usage =
		"Usage: lapwing [options] SCRIPT [ARGS]       run a script file (- for standard input)\n"
		"       lapwing [options] -e 'SCRIPT' [ARGS]  run this text\n"
		"       lapwing [options] -l POINT            list probe points",
	.after =
		"lapwing doctor says what works on this machine.\n"
		"Options of stap that are ignored or refused, with the reason: lapwing --help=table,\n"
		"doc/cli.md.",
};

static void print_table(void)
{
	char left[80];

	puts("| option | status | what it does, or why |\n|---|---|---|");
	for (const struct option_row *r = rows; r->kind != OPTION_END; r++) {
		GString *cell;

		if (r->kind == OPTION_TITLE)
			continue;
		options_show(r, left, sizeof(left));
		cell = g_string_new(left);
		g_string_replace(cell, "|", "\\|", 0);
		printf("| `%s` | %s | %s |\n", cell->str, r->kind == OPTION_IGNORED ? "ignored" :
		       r->kind == OPTION_REFUSED ? "refused" : "works", r->text);
		g_string_free(cell, TRUE);
	}
}

/* A misspelt limit would silently become an unused macro. 0, or -1: warnings are errors. */
static int warn_defines(const struct options *opt)
{
	const char *nearest;

	for (unsigned i = 0; i < opt->defines->len; i++) {
		const char *define = g_ptr_array_index(opt->defines, i);

		if (opt->no_warnings || options_is_own(define, &nearest) || !nearest)
			continue;
		fprintf(stderr, "WARNING: -D %s is for embedded C alone, did you mean '%s'?\n",
			define, nearest);
		if (opt->fatal_warnings)
			return -1;
	}
	return 0;
}

static int check_together(const struct options *opt)
{
	const char *of_files = opt->background ? "-F"
			       : opt->rotate   ? "-S"
			       : opt->bulk     ? "-b"
					       : NULL;

	if (opt->command && opt->pid)
		return options_fail("You can't specify -c and -x together.");
	if (opt->pid && opt->last_pass > 4 && kill(opt->pid, 0) && errno == ESRCH)
		return options_fail("-x %d: there is no such process", opt->pid);
	if (opt->guru && opt->privilege)
		return options_fail("You can't specify -g and --privilege=%s together.",
				    opt->privilege);
	if (opt->no_time_limits && !opt->guru)
		return options_fail(
			"--suppress-time-limits needs -g: a handler without limits can hang "
			"the machine");
	if (opt->target_vm && opt->pid)
		return options_fail(
			"-x with --target=vm: a process of this machine is not in the guest; use "
			"-c CMD");
	if (opt->target_vm && opt->release)
		return options_fail("-r with --target=vm: give the guest's kernel instead, "
				    "--target=vm:%s",
				    opt->release);
	if (of_files && !opt->output)
		return options_fail("%s needs -o FILE", of_files);
	if (of_files && opt->target_vm)
		return options_fail(
			"%s with --target=vm: the guest and its files go when the run ends; use "
			"-o FILE",
			of_files);
	if (opt->rotate &&
	    !g_regex_match_simple("^0*[1-9][0-9]{0,5}(,0*[1-9][0-9]{0,5})?$", opt->rotate, 0, 0))
		return options_fail("-S '%s': expected MB or MB,FILES, e.g. 10,3", opt->rotate);
	if (opt->only_target && !opt->command && !opt->pid)
		return options_fail("--only-target needs -c CMD or -x PID");
	if (opt->vm_files->len && !opt->target_vm)
		return options_fail("--vm-file needs --target=vm");
	if (opt->module_name &&
	    !g_regex_match_simple("^[a-zA-Z_][a-zA-Z0-9_]{0,54}$", opt->module_name, 0, 0))
		return options_fail(
			"-m '%s': a module's name is made of letters, digits and _, at most 55",
			opt->module_name);
	if (opt->timeout &&
	    !g_regex_match_simple("^(?=.*[1-9])[0-9]+(\\.[0-9]+)?$", opt->timeout, 0, 0))
		return options_fail("-T '%s': expected seconds, e.g. 5 or 0.5", opt->timeout);
	if (!opt->script_path && !opt->script_text && !opt->list_pattern && !opt->inventory)
		return options_fail(
			"no script: give a file, - or -e 'SCRIPT'; lapwing --help lists the options");
	return 0;
}

/* --help, --version and the lists; 1 if one was requested. */
static int answer(const struct options *opt, int *status)
{
	const char *topic = opt->help_topic;

	if (!topic)
		return 0;
	*status = 0;
	if (!strcmp(topic, "help"))
		options_help(&program, stdout);
	else if (!strcmp(topic, "table"))
		print_table();
	else if (!strcmp(topic, "passes"))
		print_passes();
	else if (!strcmp(topic, "version"))
		puts(PACKAGE_STRING);
	else if (!strcmp(topic, "dump-probe-types"))
		list_probe_types(stdout);
	else if (!strcmp(topic, "clean-cache"))
		*status = cache_clean() ? 1 : 0;
	else
		*status = -options_fail("--help=%s: expected passes or table", topic);
	return 1;
}

static enum option_result read_words(struct options *opt, const GPtrArray *all,
				     struct option_words *words)
{
	return options_read(&program, opt, (int)all->len - 1, (char **)all->pdata, words);
}

/* 0, or -1, reported. */
static int read_rc(struct options *opt)
{
	GPtrArray *all = g_ptr_array_new();
	char *path = words_rc_path();
	struct option_words words;
	int rc = -1;

	g_ptr_array_add(all, NULL);		/* the program's name */
	if (words_of_rc(path, all, opt->owned))
		goto out;
	g_ptr_array_add(all, NULL);
	if (read_words(opt, all, &words) != OPTIONS_GO)
		options_fail("the options of %s were read first", path);
	else if (words.count)
		options_fail("%s: '%s' is no option", path, words.word[0]);
	else
		rc = 0;
out:
	g_ptr_array_free(all, TRUE);
	g_free(path);
	return rc;
}

/* Settings from the environment without an option. 0, or -1 after reporting what is wrong. */
static int read_environment(struct options *opt)
{
	const char *release = g_getenv("SYSTEMTAP_RELEASE"),
		   *runtime = g_getenv("SYSTEMTAP_RUNTIME");

	if (runtime && *runtime)
		fputs("lapwing: SYSTEMTAP_RUNTIME ignored: the runtime belongs to this version of lapwing\n",
		      stderr);
	return release && *release && !opt->release ? set_release(opt, "SYSTEMTAP_RELEASE", release)
						    : 0;
}

/* --example: by its name; folders in front of it, as in SystemTap's own list, do not matter. */
static int find_example(struct options *opt)
{
	char *name, *path;

	if (!opt->script_path)
		return options_fail(
			"--example needs the name of an example (lapwing examples lists them)");
	name = g_path_get_basename(opt->script_path);
	path = example_path(name);
	g_free(name);
	if (!path)
		return options_fail(
			"--example: no example is named '%s' (lapwing examples lists them)",
			opt->script_path);
	g_ptr_array_add(opt->owned, path);
	opt->script_path = path;
	return 0;
}

int command_line_parse(struct options *opt, char **argv, int *status)
{
	struct option_words words;

	memset(opt, 0, sizeof(*opt));
	opt->defines = g_ptr_array_new();
	opt->globals = g_ptr_array_new();
	opt->vm_files = g_ptr_array_new();
	opt->more_scripts = g_ptr_array_new();
	opt->tapset_folders = g_ptr_array_new();
	opt->last_pass = 5;
	opt->color = COLOR_AUTO;
	opt->owned = g_ptr_array_new_with_free_func(g_free);
	opt->words = words_of_script(argv, opt->owned);
	*status = 1;
	if (read_rc(opt) || read_words(opt, opt->words, &words) != OPTIONS_GO)
		return 1;
	if (answer(opt, status) || read_environment(opt))
		return 1;
	if (!opt->script_text && !opt->list_pattern && words.count)
		opt->script_path = *words.word++;
	opt->script_args = words.word;
	if (opt->is_example && find_example(opt))
		return 1;
	opt->unoptimized |= opt->list_vars;		/* list what handlers could use */
	return check_together(opt) || warn_defines(opt) ? 1 : 0;
}

void command_line_clear(struct options *opt)
{
	g_free(opt->guest_release);
	g_ptr_array_free(opt->defines, TRUE);
	g_ptr_array_free(opt->globals, TRUE);
	g_ptr_array_free(opt->vm_files, TRUE);
	g_ptr_array_free(opt->more_scripts, TRUE);
	g_ptr_array_free(opt->tapset_folders, TRUE);
	g_ptr_array_free(opt->words, TRUE);
	g_ptr_array_free(opt->owned, TRUE);
}
