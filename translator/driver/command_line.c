/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_line.c - see command_line.h: one walker over cli.def, with stap's habits
 * (options end at the script, -vp4 groups, -DX=1 and -D X=1, --opt=V and --opt V).
 */
#include "translator/driver/command_line.h"

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
#include "translator/passes/lists.h"
#include "translator/passes/pass.h"
#include "translator/program/program.h"

enum status { WORKS, IGNORED, REFUSED };

struct row {
	int		letter;
	const char	*name;
	const char	*arg;
	enum status	status;
	const char	*text;
};

static const struct row rows[] = {
#define OPTION(letter, name, arg, status, text) { letter, name, arg, status, text },
#include "translator/driver/cli.def"
#undef OPTION
};

static const char usage[] =
	"Usage: lapwing [options] SCRIPT [ARGS]       run a script file (- for standard input)\n"
	"       lapwing [options] -e 'SCRIPT' [ARGS]  run this text\n"
	"       lapwing [options] -l POINT            list probe points\n\n";

static void print_help(void)
{
	fputs(usage, stdout);
	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		const struct row *r = &rows[i];
		char *left;

		if (r->status != WORKS)
			continue;
		left = g_strdup_printf("%s%c%s%s%s%s%s", r->letter ? "-" : "  ",
				       r->letter ? r->letter : ' ',
				       r->letter && r->name ? ", "
				       : r->letter ? ""
							    : " ",
				       r->name ? "--" : "", r->name ? r->name : "",
				       r->arg && r->arg[0] != '[' ? (r->name ? "=" : " ") : "",
				       r->arg ? r->arg : "");
		printf("  %-30s %s\n", left, r->text);
		g_free(left);
	}
	puts("\nlapwing doctor says what works on this machine.");
	puts("Options of stap that are ignored or refused, with the reason: lapwing --help=table, doc/cli.md.");
}

static void print_table(void)
{
	static const char *const words[] = { "works", "ignored", "refused" };

	puts("| option | status | what it does, or why |\n|---|---|---|");
	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		const struct row *r = &rows[i];
		GString *left = g_string_new(NULL);

		if (r->letter)
			g_string_append_printf(left, "-%c", r->letter);
		if (r->name)
			g_string_append_printf(left, "%s--%s", left->len ? ", " : "", r->name);
		if (r->arg)
			g_string_append_printf(left, "%s%s",
					       r->arg[0] == '[' ? ""
					       : r->name ? "="
								: " ",
					       r->arg);
		g_string_replace(left, "|", "\\|", 0);
		printf("| `%s` | %s | %s |\n", left->str, words[r->status], r->text);
		g_string_free(left, TRUE);
	}
}

static void print_passes(void)
{
	for (const struct pass *p = passes; p->name; p++)
		printf("%d  %-8s %s\n", p->stap_pass, p->name, p->sentence);
}

static int fail(const char *format, ...) G_GNUC_PRINTF(1, 2);
static int fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("lapwing: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	return -1;
}

static int number(const char *text, long long low, long long high, const char *what, int *value)
{
	char *end;
	long long v;

	errno = 0;
	v = strtoll(text, &end, 10);
	if (errno || end == text || *end || v < low || v > high)
		return fail("%s: '%s' is not a number from %lld to %lld", what, text, low, high);
	*value = v;
	return 0;
}

/* -s: rings are no smaller than 64 KB. */
static int megabytes(const char *text)
{
	char *end;
	double mb = strtod(text, &end);

	return end == text || *end || !(mb >= 0.0625 && mb <= 4095)
		       ? fail("-s: '%s' is not a number from 0.0625 to 4095", text)
		       : 0;
}

static int set_define(struct options *opt, const char *value)
{
	const char *equal = strchr(value, '=');
	char *end;

	if (!g_regex_match_simple("^[a-z_][a-z_0-9]*(=-?[a-z_0-9]+)?$", value, G_REGEX_CASELESS, 0))
		return fail("-D '%s': expected NAME or NAME=VALUE", value);
	if (equal) {
		errno = 0;
		(void)strtoll(equal + 1, &end, 0);
		if (errno || *end)
			return fail("-D '%s': the value must be a number", value);
	}
	g_ptr_array_add(opt->defines, (void *)value);
	return 0;
}

static int set_global(struct options *opt, const char *value)
{
	if (!g_regex_match_simple("^[a-z_][a-z_0-9]*=", value, G_REGEX_CASELESS, 0))
		return fail("-G '%s': expected VAR=VAL, e.g. rows=20", value);
	g_ptr_array_add(opt->globals, (void *)value);
	return 0;
}

static int set_tapsets(struct options *opt, const char *value)
{
	if (!g_file_test(value, G_FILE_TEST_IS_DIR))
		return fail("-I %s: no such directory", value);
	g_ptr_array_add(opt->tapset_folders, (void *)value);
	return 0;
}

static int set_target(struct options *opt, const char *value)
{
	if (!strcmp(value, "local")) {
		opt->target_vm = 0;
		return 0;
	}
	if (strcmp(value, "vm") && !g_str_has_prefix(value, "vm:"))
		return fail("--target=%s: expected local, vm or vm:KVER (e.g. vm:6.12)", value);
	opt->target_vm = 1;
	opt->vm_release = value[2] == ':' && value[3] ? value + 3 : "6.1";
	return 0;
}

static int set_runtime(struct options *opt, const char *value)
{
	if (!strcmp(value, "kernel"))
		opt->runtime = RUNTIME_KERNEL;
	else if (!strcmp(value, "user"))
		opt->runtime = RUNTIME_USER;
	else
		return fail("--runtime=%s: expected kernel or user", value);
	return 0;
}

static int set_returns(struct options *opt, const char *value)
{
	static const char *const names[] = { "auto", "instructions", "addresses" };

	for (unsigned i = 0; i < G_N_ELEMENTS(names); i++)
		if (!strcmp(value, names[i])) {
			opt->returns = (enum returns_at)i;
			return 0;
		}
	return fail("--returns=%s: expected auto, instructions or addresses", value);
}

static int set_color(struct options *opt, const char *value)
{
	static const char *const words[] = {
		[COLOR_NEVER] = "never", [COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always"
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(words); i++) {
		if (strcmp(value ? value : "always", words[i]))
			continue;
		opt->color = i;
		return 0;
	}
	return fail("--color=%s: expected never, auto or always", value);
}

static int set_overflow(struct options *opt, const char *value)
{
	static const char *const words[] = {
		[OVERFLOW_STOP] = "stop", [OVERFLOW_DROP] = "drop", [OVERFLOW_WRAP] = "wrap"
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(words); i++)
		if (!strcmp(value, words[i])) {
			opt->overflow = i;
			return 0;
		}
	return fail("--on-overflow=%s: expected stop, drop or wrap", value);
}

static int set_unwind(struct options *opt, const char *value)
{
	opt->unwind_dwarf = !strcmp(value, "dwarf");
	return opt->unwind_dwarf || !strcmp(value, "fp")
		       ? 0
		       : fail("--user-unwind=%s: expected fp or dwarf", value);
}

static int set_compatible(struct options *opt, const char *value)
{
	if (!g_regex_match_simple("^[0-9]+(\\.[0-9]+)*$", value, 0, 0))
		return fail("--compatible=%s: expected a version, e.g. 4.8", value);
	if (strverscmp(value, PARSE_SYSTEMTAP_V) > 0)
		return fail(
			"--compatible=%s: the language is that of version %s, not of a later one",
			value, PARSE_SYSTEMTAP_V);
	opt->compatible = value;
	return 0;
}

static int set_privilege(struct options *opt, const char *value)
{
	static const char *const levels[] = { "stapusr", "stapsys", "stapdev", NULL };

	if (!g_strv_contains(levels, value))
		return fail("--privilege=%s: expected stapusr, stapsys or stapdev", value);
	opt->privilege = strcmp(value, "stapdev") ? value : NULL;
	return 0;
}

/* --vp: so many digits as there are passes, or fewer; each adds to what -v says of its pass. */
static int set_verbose(struct options *opt, const char *digits)
{
	size_t n = strlen(digits);

	if (!n || n > STAP_PASSES || strspn(digits, "0123456789") != n)
		return fail("--vp=%s: expected a digit for each pass, at most %d, e.g. 00001",
			    digits, STAP_PASSES);
	for (size_t i = 0; i < n; i++)
		opt->verbose[i + 1] += digits[i] - '0';
	return 0;
}

static int set_tmpdir(const char *value)
{
	if (!g_file_test(value, G_FILE_TEST_IS_DIR))
		return fail("--tmpdir=%s: no such directory", value);
	g_setenv("TMPDIR", value, TRUE);
	return 0;
}

/* Soft limits of this process and what it starts. */
static int set_limit(const char *name, const char *value)
{
	static const struct {
		const char *name;
		int resource;
	} limits[] = {
		{ "rlimit-as", RLIMIT_AS },	  { "rlimit-cpu", RLIMIT_CPU },
		{ "rlimit-nproc", RLIMIT_NPROC }, { "rlimit-stack", RLIMIT_STACK },
		{ "rlimit-fsize", RLIMIT_FSIZE },
	};
	struct rlimit limit;
	char *end;

	for (unsigned i = 0; i < G_N_ELEMENTS(limits); i++) {
		if (strcmp(name, limits[i].name))
			continue;
		getrlimit((__rlimit_resource_t)limits[i].resource, &limit);
		errno = 0;
		limit.rlim_cur = g_ascii_strtoull(value, &end, 10);
		if (errno || end == value || *end || *value == '-')
			return fail("--%s=%s: expected a number (bytes, seconds or processes)",
				    name, value);
		if (setrlimit((__rlimit_resource_t)limits[i].resource, &limit))
			return fail("--%s=%s: %s", name, value, g_strerror(errno));
		return 0;
	}
	g_assert_not_reached();
}

/* An option with only a long name. */
static int set_long(struct options *opt, const struct row *r, const char *value)
{
	if (!strcmp(r->name, "runtime"))
		return set_runtime(opt, value);
	if (!strcmp(r->name, "target"))
		return set_target(opt, value);
	if (!strcmp(r->name, "returns"))
		return set_returns(opt, value);
	if (!strcmp(r->name, "user-unwind"))
		return set_unwind(opt, value);
	if (!strcmp(r->name, "on-overflow"))
		return set_overflow(opt, value);
	if (!strcmp(r->name, "tmpdir"))
		return set_tmpdir(value);
	if (g_str_has_prefix(r->name, "rlimit-"))
		return set_limit(r->name, value);
	if (!strcmp(r->name, "vp"))
		return set_verbose(opt, value);
	if (!strcmp(r->name, "compatible"))
		return set_compatible(opt, value);
	if (!strcmp(r->name, "privilege"))
		return set_privilege(opt, value);
	if (!strcmp(r->name, "unprivileged"))
		return set_privilege(opt, "stapusr");
	if (!strcmp(r->name, "color"))
		return set_color(opt, value);
	if (!strcmp(r->name, "dump"))
		opt->dump_after = value;
	else if (!strcmp(r->name, "vm-file"))
		g_ptr_array_add(opt->vm_files, (void *)value);
	else if (!strcmp(r->name, "download-debuginfo"))
		opt->download_debuginfo = !value || strcmp(value, "no") != 0;
	else if (!strcmp(r->name, "sysroot"))
		opt->sysroot = value;
	else if (!strcmp(r->name, "only-target"))
		opt->only_target = 1;
	else if (!strcmp(r->name, "strict"))
		opt->strict = 1;
	else if (!strcmp(r->name, "command-status"))
		opt->command_status = 1;
	else if (!strcmp(r->name, "force"))
		opt->force = 1;
	else if (!strcmp(r->name, "suppress-time-limits"))
		opt->no_time_limits = 1;
	else if (!strcmp(r->name, "no-partial"))
		opt->no_partial = 1;
	else if (!strcmp(r->name, "json-summary"))
		opt->summary = value;
	else if (!strcmp(r->name, "disable-cache"))
		opt->cache = CACHE_DISABLE;
	else if (!strcmp(r->name, "poison-cache"))
		opt->cache = CACHE_POISON;
	else if (!strcmp(r->name, "no-global-var-display"))
		opt->no_auto_display = 1;
	else if (!strcmp(r->name, "dump-probe-aliases"))
		opt->inventory = INVENTORY_ALIASES;
	else if (!strcmp(r->name, "dump-functions"))
		opt->inventory = INVENTORY_FUNCTIONS;
	else
		opt->help_topic = r->name;		/* --dump-probe-types, --clean-cache */
	return 0;
}

static int set_letter(struct options *opt, int letter, const char *value)
{
	switch (letter) {		/* flat switch */
	case 'e': opt->script_text = value; return 0;
	case 'E': g_ptr_array_add(opt->more_scripts, (void *)value); return 0;
	case 'L': opt->list_vars = 1;
		/* fall through */
	case 'l': opt->list_pattern = value; return 0;
	case 'c': opt->command = value; return 0;
	case 'x': return number(value, 1, G_MAXINT, "-x", &opt->pid);
	case 'o': opt->output = value; return 0;
	case 'S': opt->rotate = value; return 0;
	case 'F': opt->background = 1; return 0;
	case 'b': opt->bulk = 1; return 0;
	case 'T': opt->timeout = value; return 0;
	case 's': opt->buffer_mb = value; return megabytes(value);
	case 'p': return number(value, 1, 5, "-p", &opt->last_pass);
	case 't': opt->timing = 1; return 0;
	case 'v': return set_verbose(opt, "11111");
	case 'k': opt->keep = 1; return 0;
	case 'w': opt->no_warnings = 1; return 0;
	case 'W': opt->fatal_warnings = 1; return 0;
	case 'u': opt->unoptimized = 1; return 0;
	case 'G': return set_global(opt, value);
	case 'D': return set_define(opt, value);
	case 'r': opt->release = value; return 0;
	case 'a': opt->arch = value; return 0;
	case 'm': opt->module_name = value; return 0;
	case 'g': opt->guru = 1; return 0;
	case 'I': return set_tapsets(opt, value);
	case 'h': opt->help_topic = value ? value : "help"; return 0;
	case 'V': opt->help_topic = "version"; return 0;
	}
	g_assert_not_reached();
}

static int set(struct options *opt, const struct row *r, const char *shown, const char *value)
{
	if (r->status == REFUSED)
		return fail("%s refused: %s", shown, r->text);
	if (r->status == IGNORED) {
		fprintf(stderr, "lapwing: %s ignored: %s\n", shown, r->text);
		return 0;
	}
	return r->letter ? set_letter(opt, r->letter, value) : set_long(opt, r, value);
}

static const struct row *find(int letter, const char *name, size_t len)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++)
		if (letter ? rows[i].letter == letter
			   : rows[i].name && strlen(rows[i].name) == len &&
				     !memcmp(rows[i].name, name, len))
			return &rows[i];
	return NULL;
}

static int unknown(const char *shown)
{
	GPtrArray *names = g_ptr_array_new();
	char *similar;

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++)
		if (rows[i].name)
			g_ptr_array_add(names, (void *)rows[i].name);
	similar = g_str_has_prefix(shown, "--") ? diag_similar(shown + 2, names, 1) : NULL;
	if (similar)
		fail("unknown option '%s': did you mean '--%s'? lapwing --help lists the options",
		     shown, similar);
	else
		fail("unknown option '%s': lapwing --help lists the options", shown);
	g_free(similar);
	g_ptr_array_free(names, TRUE);
	return -1;
}

/* --name, --name=value, --name value. Moves *i over what it took. */
static int parse_long(struct options *opt, int argc, char **argv, int *i)
{
	const char *word = argv[*i] + 2, *equal = strchr(word, '=');
	const struct row *r = find(0, word, equal ? (size_t)(equal - word) : strlen(word));
	char *shown = g_strndup(argv[*i], equal ? (size_t)(equal - argv[*i]) : strlen(argv[*i]));
	const char *value = equal ? equal + 1 : NULL;
	int failed;

	if (!r) {
		failed = unknown(shown);
	} else if (value && !r->arg) {
		failed = fail("%s takes no value", shown);
	} else {
		if (!value && r->arg && r->arg[0] != '[') {
			if (*i + 1 >= argc) {
				failed = fail("%s needs a value: %s=%s", shown, shown, r->arg);
				g_free(shown);
				return failed;
			}
			value = argv[++*i];
		}
		failed = set(opt, r, shown, value);
	}
	g_free(shown);
	return failed;
}

/* -v, -vp4, -DX=1, -D X=1. */
static int parse_letters(struct options *opt, int argc, char **argv, int *i)
{
	for (const char *p = argv[*i] + 1; *p; p++) {
		const struct row *r = find(*p, NULL, 0);
		char shown[3] = { '-', *p, 0 };
		const char *value = NULL;

		if (!r)
			return unknown(shown);
		if (r->arg && r->arg[0] != '[') {
			value = p[1] ? p + 1 : ++*i < argc ? argv[*i] : NULL;
			if (!value)
				return fail("%s needs a value: %s %s", shown, shown, r->arg);
		}
		if (set(opt, r, shown, value))
			return -1;
		if (value)
			break;
	}
	return 0;
}

static int check_together(const struct options *opt)
{
	const char *of_files = opt->background ? "-F"
			       : opt->rotate ? "-S"
			       : opt->bulk ? "-b"
					       : NULL;

	if (opt->command && opt->pid)
		return fail("You can't specify -c and -x together.");
	if (opt->guru && opt->privilege)
		return fail("You can't specify -g and --privilege=%s together.", opt->privilege);
	if (opt->no_time_limits && !opt->guru)
		return fail(
			"--suppress-time-limits needs -g: a handler without limits can hang the machine");
	if (opt->target_vm && opt->pid)
		return fail(
			"-x with --target=vm: a process of this machine is not in the guest; use -c CMD");
	if (opt->target_vm && opt->release)
		return fail("-r with --target=vm: name the guest's kernel instead, --target=vm:%s",
			    opt->release);
	if (of_files && !opt->output)
		return fail("%s needs -o FILE", of_files);
	if (of_files && opt->target_vm)
		return fail(
			"%s with --target=vm: the guest and its files go when the run ends; use -o FILE",
			of_files);
	if (opt->rotate &&
	    !g_regex_match_simple("^0*[1-9][0-9]{0,5}(,0*[1-9][0-9]{0,5})?$", opt->rotate, 0, 0))
		return fail("-S '%s': expected MB or MB,FILES, e.g. 10,3", opt->rotate);
	if (opt->only_target && !opt->command && !opt->pid)
		return fail("--only-target needs -c CMD or -x PID");
	if (opt->vm_files->len && !opt->target_vm)
		return fail("--vm-file needs --target=vm");
	if (opt->module_name &&
	    !g_regex_match_simple("^[a-zA-Z_][a-zA-Z0-9_]{0,54}$", opt->module_name, 0, 0))
		return fail("-m '%s': a module's name is made of letters, digits and _, at most 55",
			    opt->module_name);
	if (opt->timeout &&
	    !g_regex_match_simple("^(?=.*[1-9])[0-9]+(\\.[0-9]+)?$", opt->timeout, 0, 0))
		return fail("-T '%s': expected seconds, e.g. 5 or 0.5", opt->timeout);
	if (!opt->script_path && !opt->script_text && !opt->list_pattern && !opt->inventory)
		return fail(
			"no script: give a file, - or -e 'SCRIPT'; lapwing --help lists the options");
	return 0;
}

/* --help, --version and the lists; 1 when one was asked for. */
static int answer(const struct options *opt, int *status)
{
	const char *topic = opt->help_topic;

	if (!topic)
		return 0;
	*status = 0;
	if (!strcmp(topic, "help"))
		print_help();
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
		*status = fail("--help=%s: expected passes or table", topic) ? 1 : 1;
	return 1;
}

int command_line_parse(struct options *opt, int argc, char **argv, int *status)
{
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
	for (i = 1; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
		if (!strcmp(argv[i], "--")) {
			i++;
			break;
		}
		if (argv[i][1] == '-' ? parse_long(opt, argc, argv, &i)
				      : parse_letters(opt, argc, argv, &i))
			return 1;
	}
	if (answer(opt, status))
		return 1;
	if (!opt->script_text && !opt->list_pattern && i < argc)
		opt->script_path = argv[i++];
	opt->script_args = argv + MIN(i, argc);
	opt->unoptimized |= opt->list_vars;		/* what handlers could use is listed */
	return check_together(opt) ? 1 : 0;
}
