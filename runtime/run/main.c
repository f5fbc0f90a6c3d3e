/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - lapwing-run: options, and the life of one session: open, answer, start, drain until
 * something ends it, stop, account, close.
 */
#include "lib/clock.h"
#include "lib/exit_status.h"
#include "lib/option.h"
#include "runtime/run/account.h"
#include "runtime/run/background.h"
#include "runtime/run/calibration_stub.h"
#include "runtime/run/capture.h"
#include "runtime/run/child.h"
#include "runtime/run/command_line.h"
#include "runtime/run/control.h"
#include "runtime/run/ctl_handler.h"
#include "runtime/run/facts.h"
#include "runtime/run/ftrace_switch.h"
#include "runtime/run/input.h"
#include "runtime/run/leftovers.h"
#include "runtime/run/messages.h"
#include "runtime/run/nop5.h"
#include "runtime/run/notes.h"
#include "runtime/run/outfile.h"
#include "runtime/run/output.h"
#include "runtime/run/run.h"
#include "runtime/run/script_error.h"
#include "runtime/run/skips.h"
#include "runtime/run/stacks.h"
#include "runtime/run/summary.h"
#include "runtime/run/symbol_tables.h"
#include "runtime/run/track.h"
#include "runtime/run/watchdog.h"
#include "symbolize/process.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

struct run_options opt = { .ring_bytes = 1 << 20 };
const struct run_session *session;
static volatile sig_atomic_t interrupts, terminated;

static void on_signal(int sig)
{
	interrupts++;
	terminated |= sig != SIGINT;
	if (interrupts > 2)		/* the user means it */
		_exit(1);
	watchdog_asked();
}

enum asked_end asked_end(void)
{
	return terminated || interrupts > 1 ? ASKED_FIRMLY
	       : interrupts ? ASKED_POLITELY
	       : ASKED_NOT;
}

/* In the watchdog's thread. */
static int give_up(void)
{
	run_error_show(RUN_STUCK, NULL);
	return 1;
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

static double now(void)
{
	return (double)clock_ns() / 1e9;
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

/* VAR=VAL to the module. 0, or -1, reported. */
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
		return option_fail(FAILURE_OPTION_VALUE, "'%.40s...' is too long", text);
	memcpy(value.text, text, len);
	value.text[name] = 0;
	errno = 0;
	value.g.number = strtoll(text + name + 1, &end, 0);
	value.g.is_number = !errno && end > text + name + 1 && !*end;
	rc = command_send(WIRE_GLOBAL, 0, &value, (u32)(sizeof(value.g) + len));
	if (rc == -ENOENT)
		return option_fail(FAILURE_NAME_UNKNOWN, "'%s': the script uses no such global", text);
	if (rc == -EINVAL)
		return option_fail(FAILURE_OPTION_VALUE,
				   "'%s': numbers and strings can be set, and a number was expected",
				   text);
	return rc ? option_fail(FAILURE_OPTION_VALUE, "'%s': refused by the module", text) : 0;
}

/* The local time zone is that of our environment. */
static int tell_about(void)
{
	struct wire_about about = { .pid = getpid(), .uid = (s32)geteuid() };
	time_t t = time(NULL);
	struct utsname name;
	struct tm local;

	if (!uname(&name))
		snprintf(about.machine, sizeof(about.machine), "%s %s %ld %s", name.machine,
			 name.release, sysconf(_SC_NPROCESSORS_ONLN), name.nodename);
	if (localtime_r(&t, &local)) {
		about.gmtoff = (s32)-local.tm_gmtoff;
		snprintf(about.zone, sizeof(about.zone), "%s", local.tm_zone);
	}
	empties_tell(&about);
	if (facts.hello.flags & WIRE_WANTS_NOP5)
		about.nop5_breaks = nop5_ask();
	return command_send(WIRE_ABOUT, 0, &about, sizeof(about));
}

/*
 * Passes a program's note to the runtime, and to track.c if addresses of programs are named by it.
 */
static void note_taken(const struct note *note, u32 len)
{
	command_send(WIRE_NOTE, 0, note, len);
	if (session == &session_kernel || facts.hello.capture & RT_CAP_NAMES)
		track_note(&note->head, len);
}

static void close_notes(void)
{
	u64 bad = notes_close();

	if (bad)
		warn("%llu notes from programs were malformed", bad);
	if (process_notes_refused())
		warn("%llu notes from programs were dropped: there were too many",
		     process_notes_refused());
}

/* Target, symbols, start. 0, or -1: nothing was started. */
static int start(void)
{
	struct wire_target target = { .pid = opt.pid,
				      .only = (u32)opt.only_target,
				      .waits = opt.command != NULL };

	messages_handle();
	rounds_until(&facts.ready, 0);
	if (!facts.ready || facts.errors || ftrace_switch_check())
		return -1;
	if (opt.capture)
		capture_begin();
	for (char **g = opt.globals; *g; g++)
		if (give_global(*g))
			return -1;
	if (tell_about() || (opt.timing && command_send(WIRE_TIMING, 0, "", 0)))
		return -1;
	if (opt.command) {
		target.pid = child_start(opt.command);
		if (target.pid < 0)
			return -1;
	}
	symbols_send();
	if (facts.hello.capture & (RT_CAP_USYMS | RT_CAP_USTACK | RT_CAP_NAMES | RT_CAP_NOTES) &&
	    notes_open(note_taken))
		say("lapwing-run: %s: programs cannot send notes\n", strerror(errno));
	if (opt.command)
		child_settle();
	if (command_send(WIRE_TARGET, 0, &target, sizeof(target)) ||
	    command_send(WIRE_START, 0, "", 0))
		return -1;
	return 0;
}

/* True if something ends the running session. */
static int ended(double deadline)
{
	if (opt.command && child_ended())
		return 1;
	if (opt.pid && kill(opt.pid, 0) && errno == ESRCH)
		return 1;
	return interrupts || facts.exit_asked || facts.stopped || outfile_failed() ||
	       (opt.timeout > 0 && now() >= deadline);
}

static void run(void)
{
	double deadline = 0;
	int released = 0;

	while (!ended(deadline ? deadline : now() + 1)) {
		if (facts.started && !released) {
			released = 1;
			empties_call();
			deadline = now() + opt.timeout;
			/* before the command, which may be one that uses `lapwing ctl` */
			ctl_handler_open();
			child_release();
			background_armed();
			input_start();
		}
		session->wait(input_take() ? 0
			      : deadline && opt.timeout > 0 && deadline - now() < 0.05 ? 1
			      : 50);
		notes_take();
		messages_handle();
		control_take();
		/* Images of a program are known once it runs. */
		output_drain(0);
	}
}

/* End probes, the rest of the output, the books. */
static void stop(void)
{
	struct wire_stop how = { .partial = !opt.no_partial };
	int patience = interrupts ? 1 : 0;

	control_close();
	input_end();
	notes_take();
	messages_handle();
	output_drain(0);
	facts.was_off = facts.started && ftrace_switch_check();
	if (!facts.stopped)
		command_send(WIRE_STOP, 0, &how, sizeof(how));
	messages_handle();
	rounds_until(&facts.stopped, patience + 1);
	messages_handle();
	if (facts.have_hello)
		output_drain(1);
}

/* Closing the session would wait too, but silently. */
static void wait_disarmed(void)
{
	int patience = interrupts;

	while (facts.disarming && interrupts <= patience) {
		session->wait(50);
		messages_handle();
	}
}

/* Reports the run; returns the exit status. A run that never started has only books, no verdict. */
static int account(int started)
{
	struct run_verdict v = { .partial = 1, .failed = 1 };
	int status, of_command, judged = 0;

	if (started && interrupts && !facts.started && !facts.exit_asked && !facts.errors) {
		fputs("PARTIAL: the run was ended before its probes were armed\n", stderr);
		v.failed = 0;
	} else if (started) {
		v = account_report();
		judged = 1;
	}
	of_command = child_report();
	if (opt.capture && judged)
		capture_end(&v);
	status = facts.errors || v.failed || (opt.strict && (v.partial || v.unknown));
	if (status && opt.command_status && !facts.started && !facts.handler_failed && !interrupts)
		status = EXIT_NOT_HERE;
	if (!status)
		status = opt.command_status ? of_command : of_command != 0;
	if (!status && outfile_reader_gone())
		status = EXIT_NO_READER;
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

/* SystemTap's last line, which users' tools wait for. */
static void say_pass5(int status, const struct moment *began)
{
	struct moment m = moment_now();

	if (status && status != EXIT_NO_READER && opt.pass_lines && (facts.errors || !opt.command_status))
		fputs("Pass 5: run failed.  [man error::pass5]\n", stderr);
	else if (opt.verbose && opt.pass_lines)
		fprintf(stderr, "Pass 5: run completed in %.0fusr/%.0fsys/%.0freal ms.\n",
			m.user - began->user, m.system - began->system, m.real - began->real);
}

/* 0, or -1, reported. */
static int open_all(void)
{
	if ((opt.background && background_start()) ||
	    outfile_open(opt.output, opt.per_cpu, opt.file_bytes, opt.file_count) ||
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

	if (command_line_parse(argc, argv, &status))
		return exit_status(status);
	user = strlen(opt.module) > 3 && !strcmp(opt.module + strlen(opt.module) - 3, ".so");
	session = user ? &session_user : &session_kernel;
	catch_signals();
	output_init();
	stacks_open(messages_handle);
	if (open_all()) {
		leftovers_end();
		say_pass5(1, &began);
		return exit_status(opt.command_status ? EXIT_NOT_HERE : 1);
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
	facts_free();
	account_free();
	close_notes();
	script_error_free();
	skips_report();
	stacks_free();
	symbols_free();
	leftovers_end();
	say_pass5(status, &began);
	background_end();
	return exit_status(status);
}
