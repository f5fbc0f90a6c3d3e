/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - lapwing-run: options, and the life of one session: open, answer, start, drain until
 * something ends it, stop, account, close.
 */
#include "config.h"
#include "runtime/run/account.h"
#include "runtime/run/background.h"
#include "runtime/run/calibration_stub.h"
#include "runtime/run/child.h"
#include "runtime/run/control.h"
#include "runtime/run/ctl_handler.h"
#include "runtime/run/input.h"
#include "runtime/run/leftovers.h"
#include "runtime/run/messages.h"
#include "runtime/run/nop5.h"
#include "runtime/run/notes.h"
#include "runtime/run/outfile.h"
#include "runtime/run/output.h"
#include "runtime/run/remove.h"
#include "runtime/run/run.h"
#include "runtime/run/stacks.h"
#include "runtime/run/summary.h"
#include "runtime/run/symbol_tables.h"
#include "runtime/run/track.h"
#include "runtime/run/watchdog.h"
#include "symbolize/process.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

struct run_options opt = { .ring_bytes = 1 << 20 };
const struct session_ops *session;
static volatile sig_atomic_t interrupts, terminated;

static void on_signal(int sig)
{
	interrupts++;
	terminated |= sig != SIGINT;
	if (interrupts > 2)		/* the user insists */
		_exit(1);
	watchdog_requested();
}

enum run_exit_requested run_exit_requested(void)
{
	return terminated || interrupts > 1 ? EXIT_FORCED
	       : interrupts                 ? EXIT_REQUESTED
					    : EXIT_NOT_REQUESTED;
}

/* Runs in the watchdog's thread. */
static int give_up(void)
{
	static const char text[] =
		"ERROR: the run is stuck in a system call: output that is not "
			"yet printed is lost\n";

	return write(2, text, sizeof(text) - 1) != 0;
}

static void on_next(int sig)
{
	output_next();
}

static void catch_signals(void)
{
	struct sigaction sa = { .sa_handler = on_signal };

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	sa.sa_handler = on_next;
	if (opt.file_bytes)
		sigaction(SIGUSR2, &sa, NULL);
	sa.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &sa, NULL);
}

/* ---- options -------------------------------------------------------------------*/

static int parse_number(const char *text, double low, double high, double *value)
{
	char *end;

	*value = strtod(text, &end);
	if (*end || end == text || !(*value >= low && *value <= high))
		return options_fail("'%s' is not a number in range", text);
	return 0;
}

static int set_pid(void *into, const char *shown, const char *value)
{
	double v;

	if (parse_number(value, 1, 1 << 30, &v))
		return -1;
	opt.pid = (int)v;
	return 0;
}

static int set_ring(void *into, const char *shown, const char *value)
{
	double v;

	if (parse_number(value, 0.0625, 4095, &v))
		return -1;
	opt.ring_bytes = (u64)(v * (1 << 20));
	return 0;
}

static int add_terminal(void *into, const char *shown, const char *value)
{
	double v;

	if (parse_number(value, 1, 2, &v))
		return -1;
	opt.terminals |= 1U << (unsigned)v;
	return 0;
}

static int add_verbose(void *into, const char *shown, const char *value)
{
	opt.verbose++;
	return 0;
}

/* -S MB[,N] */
static int set_files(void *into, const char *shown, const char *value)
{
	unsigned mb, n = 0;
	char comma = 0, more;
	int got = sscanf(value, "%u%c%u%c", &mb, &comma, &n, &more);

	if ((got != 1 && got != 3) || strspn(value, "0123456789,") != strlen(value) ||
	    (got == 3 && (comma != ',' || !n)) || !mb || mb > 1000000 || n > 1000000)
		return options_fail("%s '%s': expected MB or MB,FILES, e.g. 10,3", shown, value);
	opt.file_bytes = (u64)mb << 20;
	opt.file_count = n;
	return 0;
}

static int set_color(void *into, const char *shown, const char *value)
{
	if (strcmp(value, "never") && strcmp(value, "auto") && strcmp(value, "always"))
		return options_fail("%s '%s': expected never, auto or always", shown, value);
	return 0;
}

static int set_patience(void *into, const char *shown, const char *value)
{
	double v;

	return parse_number(value, 1, 1 << 30, &v);
}

static int set_nothing(void *into, const char *shown, const char *value)
{
	return 0;
}

#define OPTIONS_IN struct run_options
static const struct option_row rows[] = {
#include "runtime/run/run.def"
OPTIONS_END
}, staprun_rows[] = {
#include "runtime/run/staprun.def"
OPTIONS_END
};

static const struct option_program program = {
	.name = "lapwing-run", .rows = rows, .keeps_equal = 1,
	.usage = "Usage: lapwing-run [options] MODULE.ko|MODULE.so [VAR=VAL]...\n"
		 "VAR=VAL: a global's value when the run starts\n",
}, staprun = {
	.name = "staprun", .rows = staprun_rows, .keeps_equal = 1,
	.usage = "Usage: staprun [options] MODULE [VAR=VAL]...\n"
		 "lapwing-run with the options of SystemTap's staprun; VAR=VAL: a global's value when the run starts\n",
};

static int check(const struct option_words *words)
{
	if (opt.command && opt.pid)
		return options_fail("You can't specify -c and -x together.");
	if (opt.pid && kill(opt.pid, 0) && errno == ESRCH)
		return options_fail("-x %d: there is no such process", opt.pid);
	if ((opt.file_bytes || opt.background || opt.bulk) && !opt.output)
		return options_fail("%s needs -o FILE", opt.background ? "-F"
							: opt.bulk     ? "-b"
								       : "-S");
	if (!words->count)
		return options_fail("no module; --help lists the options");
	for (int i = 1; i < words->count; i++)
		if (!strchr(words->word[i], '=') || words->word[i][0] == '=')
			return options_fail("'%s': expected one module, then VAR=VAL",
					    words->word[i]);
	return 0;
}

/* Are we called by SystemTap's name? */
static int is_staprun(const char *self)
{
	const char *slash = strrchr(self, '/');

	return !strcmp(slash ? slash + 1 : self, staprun.name);
}

/* staprun -d MODULE: by the name that it has when it is loaded. */
static const char *module_to_remove(char *word)
{
	char *name = strrchr(word, '/') ? strrchr(word, '/') + 1 : word,
	     *end = name + strlen(name) - strlen(".ko");

	if (end > name && !strcmp(end, ".ko"))
		*end = 0;
	return strcmp(name, "*") ? name : "all";
}

/*
 * A word without a slash that is no file is a module that the administrator has put where staprun
 * looks.
 */
static const char *find_module(const char *word)
{
	static char path[PATH_MAX];
	struct utsname host;

	if (strchr(word, '/') || !access(word, F_OK) || uname(&host))
		return word;
	snprintf(path, sizeof(path), "/lib/modules/%s/systemtap/%s%s", host.release, word,
		 strstr(word, ".ko") ? "" : ".ko");
	return access(path, F_OK) ? word : path;
}

/* Returns 0 to run the module, or 1 to exit with *status. */
static int parse(int argc, char **argv, int *status)
{
	int by_that_name = argc && is_staprun(argv[0]);
	const char *verbose = by_that_name ? getenv("SYSTEMTAP_VERBOSE") : NULL;
	struct option_words words;

	options_read_or_exit(by_that_name ? &staprun : &program, &opt, argc, argv, &words);
	opt.verbose += verbose ? atoi(verbose) : 0;
	if (opt.removes && words.count)
		opt.remove = module_to_remove(words.word[0]);
	if (opt.remove || opt.list) {
		*status = opt.remove ? remove_modules(opt.remove) : list_modules();
		return 1;
	}
	if (check(&words)) {
		*status = 1;
		return 1;
	}
	opt.module = find_module(words.word[0]);
	opt.globals = words.word + 1;
	return 0;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Runs rounds until *flag, an interrupt past `patience`, or the module's end. */
static void rounds_until(const int *flag, int patience)
{
	while (!*flag && !facts.stopped && interrupts <= patience) {
		session->wait(50);
		messages_handle();
		if (facts.have_hello)
			output_drain(0);
	}
}

/* Sends VAR=VAL to the module. 0, or -1, reported. */
static int give_global(const char *text)
{
	struct {
		struct wire_global	g;
		char			text[4096];
	} value = { 0 };
	size_t len = strlen(text) + 1, name = strcspn(text, "=");
	char *end;
	int rc;

	if (len > sizeof(value.text))
		return options_fail("'%.40s...' is too long", text);
	memcpy(value.text, text, len);
	value.text[name] = 0;
	errno = 0;
	value.g.number = strtoll(text + name + 1, &end, 0);
	value.g.is_number = !errno && end > text + name + 1 && !*end;
	rc = command_send(WIRE_GLOBAL, 0, &value, (u32)(sizeof(value.g) + len));
	if (rc == -ENOENT)
		return options_fail("'%s': the script has no such global", text);
	if (rc == -EINVAL)
		return options_fail(
			"'%s': not a number: only numbers and strings can be set", text);
	return rc ? options_fail("'%s': refused by the module", text) : 0;
}

/* Local time of our environment. */
static int send_about(void)
{
	struct wire_about about = { .pid = getpid(), .uid = (s32)geteuid() };
	time_t t = time(NULL);
	struct tm local;

	if (localtime_r(&t, &local)) {
		about.gmtoff = (s32)-local.tm_gmtoff;
		snprintf(about.zone, sizeof(about.zone), "%s", local.tm_zone);
	}
	calibration_stubs_describe(&about);
	if (facts.hello.flags & WIRE_WANTS_NOP5)
		about.nop5_breaks = nop5_check();
	return command_send(WIRE_ABOUT, 0, &about, sizeof(about));
}

/* Programs' notes go to the runtime, and in a module's session to address lookup. */
static void note_reread(const struct note *note, u32 len)
{
	command_send(WIRE_NOTE, 0, note, len);
	if (session == &session_kernel)
		track_note(&note->head, len);
}

static void close_notes(void)
{
	u64 bad = notes_close();

	if (bad)
		fprintf(stderr, "WARNING: %llu malformed notes from programs were ignored\n", bad);
	if (process_notes_refused())
		fprintf(stderr, "WARNING: %llu notes from programs were dropped: too many\n",
			process_notes_refused());
}

/* Sends target and symbols, then starts. 0, or -1: nothing was started. */
static int start(void)
{
	struct wire_target target = { .pid = opt.pid,
				      .only = (u32)opt.only_target,
				      .waits = opt.command != NULL };

	messages_handle();
	rounds_until(&facts.ready, 0);
	if (!facts.ready || facts.errors)
		return -1;
	for (char **g = opt.globals; *g; g++)
		if (give_global(*g))
			return -1;
	if (send_about() || (opt.timing && command_send(WIRE_TIMING, 0, "", 0)))
		return -1;
	if (opt.command) {
		target.pid = child_start(opt.command);
		if (target.pid < 0)
			return -1;
	}
	symbols_send();
	if (facts.hello.capture & (RT_CAP_USYMS | RT_CAP_USTACK | RT_CAP_NOTES) &&
	    notes_open(note_reread))
		say("lapwing-run: %s: cannot receive notes from programs\n", strerror(errno));
	if (command_send(WIRE_TARGET, 0, &target, sizeof(target)) ||
	    command_send(WIRE_START, 0, "", 0))
		return -1;
	return 0;
}

/* The conditions that end a running session. */
static int ended(double deadline)
{
	if (opt.command && child_ended())
		return 1;
	if (opt.pid && kill(opt.pid, 0) && errno == ESRCH)
		return 1;
	return interrupts || facts.exit_requested || facts.stopped || outfile_failed() ||
	       (opt.timeout > 0 && now() >= deadline);
}

static void run(void)
{
	double deadline = 0;
	int released = 0;

	while (!ended(deadline ? deadline : now() + 1)) {
		if (facts.started && !released) {
			released = 1;
			calibration_stubs_call();
			deadline = now() + opt.timeout;
			ctl_handler_open();		/* before the command, which may run
							 * lapwing ctl */
			child_release();
			background_armed();
			input_start();
		}
		session->wait(input_receive()                                             ? 0
			      : deadline && opt.timeout > 0 && deadline - now() < 0.05 ? 1
										       : 50);
		notes_read();
		messages_handle();
		control_receive();
		/* Images of a program are known once it runs. */
		output_drain(0);
	}
}

/* End probes, the rest of the output, the statistics. */
static void stop(void)
{
	struct wire_stop how = { .partial = !opt.no_partial };
	int patience = interrupts ? 1 : 0;

	control_close();
	input_end();
	notes_read();
	messages_handle();
	output_drain(0);
	if (!facts.stopped)
		command_send(WIRE_STOP, 0, &how, sizeof(how));
	messages_handle();
	rounds_until(&facts.stopped, patience + 1);
	messages_handle();
	if (facts.have_hello)
		output_drain(1);
}

/* Closing also waits, silently. */
static void wait_disarmed(void)
{
	int patience = interrupts;

	while (facts.disarming && interrupts <= patience) {
		session->wait(50);
		messages_handle();
	}
}

/* The result; returns the exit status. A run that never started has no verdict, only statistics. */
static int account(int started)
{
	struct run_verdict v = { .partial = 1, .failed = 1 };
	int status, of_command;

	if (started && interrupts && !facts.started && !facts.exit_requested && !facts.errors) {
		fputs("PARTIAL: the run ended before its probes were armed\n", stderr);
		v.failed = 0;
	} else if (started) {
		v = account_report();
	}
	of_command = child_report();
	status = facts.errors || v.failed || (opt.strict && v.partial);
	if (!status)
		status = opt.command_status ? of_command : of_command != 0;
	return summary_write(&v, status) ? 1 : status;
}

struct moment {
	double		user, system, real;	/* ms */
};

static struct moment moment_now(void)
{
	struct moment m = { .real = now() * 1e3 };
	struct rusage r[2];

	getrusage(RUSAGE_SELF, &r[0]);
	getrusage(RUSAGE_CHILDREN, &r[1]);
	for (int i = 0; i < 2; i++) {
		m.user += (double)r[i].ru_utime.tv_sec * 1e3 + (double)r[i].ru_utime.tv_usec / 1e3;
		m.system +=
			(double)r[i].ru_stime.tv_sec * 1e3 + (double)r[i].ru_stime.tv_usec / 1e3;
	}
	return m;
}

/* SystemTap's last line, which other tools wait for. */
static void print_pass5(int status, const struct moment *began)
{
	struct moment m = moment_now();

	if (status && opt.pass_lines && (facts.errors || !opt.command_status))
		fputs("Pass 5: run failed.  [man error::pass5]\n", stderr);
	else if (opt.verbose && opt.pass_lines)
		fprintf(stderr, "Pass 5: run completed in %.0fusr/%.0fsys/%.0freal ms.\n",
			m.user - began->user, m.system - began->system, m.real - began->real);
}

/* 0, or -1, reported. */
static int open_all(void)
{
	if ((opt.background && background_start()) ||
	    outfile_open(opt.output, opt.bulk, opt.file_bytes, opt.file_count) ||
	    summary_open(opt.summary))
		return -1;
	leftovers_begin();		/* for the process that continues */
	watchdog_start(give_up);
	return session->open(opt.module) ? -1 : 0;
}

int main(int argc, char **argv)
{
	struct moment began = moment_now();
	int status, user, started;

	if (parse(argc, argv, &status))
		return status;
	user = strlen(opt.module) > 3 && !strcmp(opt.module + strlen(opt.module) - 3, ".so");
	session = user ? &session_user : &session_kernel;
	catch_signals();
	output_init();
	if (open_all()) {
		leftovers_end();
		print_pass5(1, &began);
		return 1;
	}
	started = !start();
	if (started)
		run();
	if (facts.have_hello)
		stop();
	status = account(started);
	child_kill();
	wait_disarmed();
	session->close();
	output_close();
	status |= outfile_close();
	child_wait();
	messages_free();
	account_free();
	close_notes();
	stacks_free();
	symbols_free();
	leftovers_end();
	print_pass5(status, &began);
	background_end();
	return status;
}
