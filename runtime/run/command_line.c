/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_line.c - see command_line.h.
 */
#include "runtime/run/command_line.h"

#include "lib/exit_status.h"
#include "lib/option.h"
#include "runtime/run/remove.h"
#include "runtime/run/run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* -S MB[,N] */
static int set_files(void *into, const char *text)
{
	struct run_options *o = into;
	unsigned mb, n = 0;
	char comma = 0, more;
	int got = sscanf(text, "%u%c%u%c", &mb, &comma, &n, &more);

	if ((got != 1 && got != 3) || strspn(text, "0123456789,") != strlen(text) ||
	    (got == 3 && (comma != ',' || !n)) || !mb || mb > 1000000 || n > 1000000)
		return option_fail(FAILURE_OPTION_VALUE,
				   "-S '%s': expected MB or MB,FILES, e.g. 10,3", text);
	o->file_bytes = (u64)mb << 20;
	o->file_count = n;
	return 0;
}

static int set_ring(void *into, const char *text)
{
	double mb;

	if (option_number("-s", text, 0.0625, 4095, &mb))
		return -1;
	((struct run_options *)into)->ring_bytes = (u64)(mb * (1 << 20));
	return 0;
}

static int set_terminal(void *into, const char *text)
{
	double fd;

	if (option_number("--terminal", text, 1, 2, &fd))
		return -1;
	((struct run_options *)into)->terminals |= 1U << (unsigned)fd;
	return 0;
}

static int ask_json(void *into, const char *value)
{
	(void)value;
	return data_ask(&((struct run_options *)into)->form, DATA_JSON);
}

static int ask_csv(void *into, const char *value)
{
	(void)value;
	return data_ask(&((struct run_options *)into)->form, DATA_CSV);
}

static int set_verbose(void *into, const char *value)
{
	(void)value;
	((struct run_options *)into)->verbose++;
	return 0;
}

/* staprun -d PATH or NAME: its module is called like its file. */
static int answer_delete(void *into, const char *path)
{
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	char name[256];

	(void)into;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(base, "."), base);
	return remove_modules(strcmp(name, "*") ? name : "all");
}

/* staprun -C WHEN */
static int check_color(void *into, const char *when)
{
	(void)into;
	if (!strcmp(when, "always"))
		option_note("-C always ignored: what is said of a run has no colours");
	else if (strcmp(when, "never") && strcmp(when, "auto"))
		return option_fail(FAILURE_OPTION_VALUE, "-C %s: expected never, auto or always", when);
	return 0;
}

static int answer_remove(void *into, const char *name)
{
	(void)into;
	return remove_modules(name);
}

#define OPTION_INTO struct run_options
static const struct option_row rows[] = {
	TEXT('c', NULL, "CMD", "run CMD, end when it ends; target() is its process id", command)
	NUMBER('x', NULL, "PID", 1, 1 << 30,
	       "target() is this process; end when it ends", pid)
	TEXT('o', NULL, "FILE", "write the output to FILE", output)
	FUNCTION('S', NULL, "MB[,N]",
		 "with -o: begin FILE.0, FILE.1, ... after so many MB (SIGUSR2: now), keep the last N",
		 set_files)
	FLAG('b', NULL, "each CPU's output in a file of its own, FILE_0 (with -F FILE_cpu0), ..., not merged; without -o stpd_cpu0, ...",
	     bulk)
	FLAG(0, "capture", "the output is a capture of stp()'s records, for lapwing report; -o FILE.cap implies it", capture)
	FLAG('F', NULL, "with -o: go on in the background, print the process id", background)
	DECIMAL('T', NULL, "SECS", 0, 1e9, "end after SECS seconds", timeout)
	FUNCTION('s', NULL, "MB", "size of each CPU's output ring (1; 0.0625 or more)", set_ring)
	FLAG(0, "only-target", "probes outside the process tree of -c or -x are not hits",
	     only_target)
	FLAG('t', NULL,
	     "say at the end how often each probe was hit and how long its handler took", timing)
	FLAG(0, "command-status", "exit with the status of -c's program", command_status)
	FLAG(0, "strict", "exit status 1 unless the run is COMPLETE", strict)
	FLAG(0, "no-partial", "after an error, do not display the globals that no error probe read",
	     no_partial)
	TEXT(0, "json-summary", "FILE", "write the books of the run to FILE", summary)
	FUNCTION('v', NULL, NULL, "say more; twice: also while the probes are armed", set_verbose)
	FLAG('w', NULL, "no warnings", no_warnings)
	TEXT(0, "module-parameters", "TEXT",
	     "more parameters of a kernel module (modinfo lists them)", parameters)
	FLAG(0, "list", "name the modules of lapwing that are loaded", list)
	FUNCTION(0, "json", NULL, "of --list: print JSON", ask_json)
	FUNCTION(0, "csv", NULL, "of --list: print the rows as CSV with a header", ask_csv)
	ANSWER(0, "remove", "NAME", "remove a module whose lapwing-run is gone; all: every one",
	       answer_remove)
	MORE
	FUNCTION(0, "terminal", "N",
		 "file descriptor N (1, 2) is read by a terminal: show control characters of values",
		 set_terminal)
	FLAG(0, "pass5", "say how pass 5 ended, as lapwing's other passes do", pass_lines)
	{ .kind = OPTION_END },
};

/* Under the name of SystemTap's program: what it has beside these, or means by them. */
static const struct option_row rows_of_staprun[] = {
	FUNCTION('b', NULL, "MB", "as -s", set_ring)
	FLAG('D', NULL, "as -F", background)
	ANSWER('d', NULL, "MODULE", "as --remove", answer_delete)
	IGNORED('R', NULL, NULL, "modules have names of their own")
	IGNORED('u', NULL, NULL, "probes in programs need no other module")
	FUNCTION('C', NULL, "WHEN", "never, auto or always: there are no colours", check_color)
	IGNORED('T', NULL, "MS", "the output is read as it comes")
	REFUSED('F', NULL, "FD", "use -D to go on in the background")
	REFUSED('M', NULL, "SECS", "print from a timer.s probe to watch values")
	REFUSED('N', NULL, "PID", "process ids are those of the initial namespace")
	REFUSED('L', NULL, NULL, "nobody would read the output: use -D -o FILE, and lapwing-ctl for the running script")
	REFUSED('A', NULL, "MODULE", "a run keeps its reader: use lapwing-ctl, and read the file of -D -o FILE")
	REFUSED('r', NULL, "N:URI", "copy the module, and run lapwing-run there")
	{ .kind = OPTION_END },
};

/*
 * staprun's MODULE, if it is no file: a module of that name that an administrator installed. Not
 * freed.
 */
static const char *find_module(const char *module)
{
	static char path[512];
	struct utsname kernel;

	if (strchr(module, '/') || !access(module, F_OK) || uname(&kernel))
		return module;
	snprintf(path, sizeof(path), "/lib/modules/%s/systemtap/%s.ko", kernel.release, module);
	return access(path, F_OK) ? module : path;
}

static int check_together(void)
{
	if (opt.command && opt.pid)
		return option_fail(FAILURE_OPTION_CONFLICT,
				   "You can't specify -c and -x together.");
	if (opt.pid && kill(opt.pid, 0) && errno == ESRCH)
		return option_fail(FAILURE_PROCESS_NONE, "-x %d: there is no such process", opt.pid);
	if ((opt.file_bytes || opt.background) && !opt.output)
		return option_fail(FAILURE_OPTION_CONFLICT,
			"%s needs -o FILE", opt.background ? "-F" : "-S");
	opt.capture |= opt.output && strlen(opt.output) > 4 &&
		       !strcmp(opt.output + strlen(opt.output) - 4, ".cap");
	if (opt.capture && (opt.bulk || opt.file_bytes))
		return option_fail(FAILURE_OPTION_CONFLICT, "a capture is one file: %s is for text",
				   opt.bulk ? "-b" : "-S");
	if (opt.capture && !opt.output && isatty(STDOUT_FILENO))
		return option_fail(FAILURE_OPTION_CONFLICT,
				   "--capture: the output is a terminal: add -o FILE.cap");
	if (opt.bulk)
		opt.per_cpu = opt.background || !opt.output ? "_cpu" : "_";
	if (opt.bulk && !opt.output) {
		opt.output = "stpd";
		option_note("-b without -o: the output is in stpd_cpu0, stpd_cpu1, ...");
	}
	for (char **g = opt.globals; *g; g++)
		if (!strchr(*g, '=') || **g == '=')
			return option_fail(FAILURE_ARGUMENTS,
					   "'%s': one module only, then VAR=VAL", *g);
	return 0;
}

int command_line_parse(int argc, char **argv, int *status)
{
	static const struct option_table tables[] = {
		{ rows_of_staprun, &opt }, { rows, &opt }, { NULL, NULL }
	};
	static struct option_program program = {
		.name = "lapwing-run",
		.usage = "[options] MODULE.ko|MODULE.so [VAR=VAL]...",
		.what = "VAR=VAL is a global's value when the run starts.",
		.tables = tables,
		.wrong = 1,
		.anywhere = 1,
	};
	int i;

	if (!exit_called_as("staprun"))
		program.tables++;
	i = option_parse(&program, argc, argv, status);

	if (i < 0)
		return 1;
	*status = 1;
	if (opt.list && i < argc)
		return option_fail(FAILURE_ARGUMENTS, "--list lists all modules: '%s' is too much",
				   argv[i]) != 0;
	if (opt.list) {
		*status = list_modules(opt.form);
		return 1;
	}
	if (opt.form)
		return option_fail(FAILURE_OPTION_CONFLICT, "--json and --csv are of --list") != 0;
	if (i >= argc)
		return option_fail(FAILURE_ARGUMENTS,
				   "no module; lapwing-run --help lists the options") != 0;
	opt.module = exit_called_as("staprun") ? find_module(argv[i]) : argv[i];
	opt.globals = argv + i + 1;
	return check_together() != 0;
}
