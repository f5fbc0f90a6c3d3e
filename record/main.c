/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - lapwing-record, which `lapwing record` runs: options, the run, the end.
 */
#include "lib/clock.h"
#include "lib/failure_error.h"
#include "lib/option.h"
#include "record/arcs.h"
#include "record/capture_ends.h"
#include "record/capture_samples.h"
#include "record/ctl_handler.h"
#include "record/events.h"
#include "record/naming.h"
#include "record/record.h"
#include "record/rings.h"
#include "record/target.h"
#include "runtime/run/control.h"
#include "runtime/run/leftovers.h"
#include "runtime/run/notes.h"
#include "runtime/run/watchdog.h"
#include "symbolize/generated.h"
#include "symbolize/process.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* a prime, so that it does not run in step with what it samples */
#define FREQUENCY	997
#define RING_BYTES	(1u << 20)
#define ROUND_MS	100
/* what is lost if recording is cut off, and how late a reader of the growing capture sees data */
#define FLUSH_NS	500000000

/* seconds for finding names after a signal to end: the report finds what is missing */
#define NAMING_S	60
#define HURRY_S		3		/* the same if the signal comes while names are found */

static const char who[] = "lapwing record";
static volatile sig_atomic_t stop_asked, naming, naming_stopped;

static void on_signal(int number)
{
	stop_asked = number;
	naming_stopped = naming;
	watchdog_asked();
	if (naming)
		watchdog_deadline(HURRY_S);
}

/* In the watchdog's thread. */
static int give_up(void)
{
	static const char named[] =
		"\nlapwing record: symbol lookup does not finish: the capture is complete, "
		"'lapwing report' finds the other names\n";
	pid_t child = target_left();

	if (child > 0)
		kill(child, SIGTERM);
	if (naming)
		return write(2, named, sizeof(named) - 1) < 0;
	fputc('\n', stderr);
	option_fail(FAILURE_STUCK,
		    "stuck in a call that does not return: the capture has what was written so far");
	return 1;
}

/* ---- options -------------------------------------------------------------------*/

/* The options as given. */
struct asked {
	struct record_options opt;
	const char	*pids, *rate, *count;
	int		with_stacks;
	int		call_graph;	/* CALL_GRAPH_FP ..., as --call-graph lists them; -1: not given */
	int		ring_mb;
};
enum { CALL_GRAPH_FP, CALL_GRAPH_DWARF };

static int parse_pids(struct record_options *opt, const char *pids)
{
	char **list = g_strsplit(pids, ",", 0);

	opt->pids = g_array_new(FALSE, FALSE, sizeof(pid_t));
	for (char **p = list; *p; p++) {
		char *end;
		gint64 n = g_ascii_strtoll(*p, &end, 10);
		pid_t pid = (pid_t)n;

		if (n <= 0 || n > G_MAXINT32 || *end || !**p) {
			option_fail(FAILURE_OPTION_VALUE, "-p %s: '%s' is no process id", pids, *p);
			g_strfreev(list);
			return -1;
		}
		g_array_append_val(opt->pids, pid);
	}
	g_strfreev(list);
	return 0;
}

static int parse_rate(struct record_options *opt, const char *rate)
{
	char *end, *text = NULL;
	gint64 most = 0;

	if (g_file_get_contents("/proc/sys/kernel/perf_event_max_sample_rate", &text, NULL, NULL))
		most = g_ascii_strtoll(text, NULL, 10);
	g_free(text);
	opt->frequency = FREQUENCY;
	if (rate && !strcmp(rate, "max") && most) {
		opt->frequency = (guint64)most;
	} else if (rate) {
		opt->frequency = g_ascii_strtoull(rate, &end, 10);
		if (!opt->frequency || *end || *rate == '-' ||
		    (most && opt->frequency > (guint64)most)) {
			return option_fail(FAILURE_OPTION_VALUE,
				"-F %s: a number of samples a second, from 1 to %" G_GINT64_FORMAT
				" (kernel.perf_event_max_sample_rate), or 'max'",
				rate, most);
		}
	}
	return 0;
}

static int parse_count(struct record_options *opt, const struct asked *a)
{
	char *end;

	if (!a->count)
		return 0;
	if (a->rate)
		return option_fail(FAILURE_OPTION_CONFLICT,
			"-F HZ and -c N exclude each other: so many samples a second, or one every so many events");
	opt->period = g_ascii_strtoull(a->count, &end, 10);
	if (!opt->period || *end || *a->count == '-')
		return option_fail(FAILURE_OPTION_VALUE,
				   "-c counts events for each sample: at least 1");
	return 0;
}

static int check(struct asked *a, char **words)
{
	struct record_options *opt = &a->opt;
	int targets = !!a->pids + opt->all + !!*words + !!opt->table;

	opt->command = *words ? words : NULL;
	if (!targets)
		return option_fail(FAILURE_ARGUMENTS,
			"what is to be profiled? 'lapwing record -- COMMAND', -p PID, or -a for the whole machine");
	if (a->pids && (opt->all || opt->command))
		return option_fail(FAILURE_OPTION_CONFLICT, "-p PID excludes -a and a command");
	if (opt->table && (targets > 1 || opt->script))
		return option_fail(FAILURE_OPTION_CONFLICT,
				   "--arcs-from FILE excludes -p, -a, --script and a command: it "
				   "converts what was printed");
	if (opt->arcs && !opt->script)
		return option_fail(FAILURE_OPTION_CONFLICT,
				   "--arcs takes the rows of --script's tables");
	if (opt->script && a->pids && strchr(a->pids, ','))
		return option_fail(FAILURE_OPTION_CONFLICT,
			"--script counts calls of one -p PID and its children, of a command, or of all with -a");
	opt->calls_only = opt->table || (opt->script && !opt->events && !a->rate && !a->count &&
					 !a->with_stacks && a->call_graph < 0 && !opt->off_cpu);
	opt->stacks = a->call_graph == CALL_GRAPH_DWARF ? STACKS_DWARF
		      : a->with_stacks || a->call_graph == CALL_GRAPH_FP ? STACKS_POINTERS
		      : STACKS_NONE;
	if (!(opt->seconds > 0))
		return option_fail(FAILURE_OPTION_VALUE, "-d takes seconds: 0.5, say");
	for (opt->ring_bytes = RING_BYTES; opt->ring_bytes < (guint64)a->ring_mb << 20;)
		opt->ring_bytes *= 2;
	return (a->pids && parse_pids(opt, a->pids)) || parse_rate(opt, a->rate) ||
			       parse_count(opt, a)
		       ? -1
		       : 0;
}

#define OPTION_INTO struct asked
static const struct option_row rows[] = {
	TEXT('o', "output", "FILE", "the capture (default: " CAPTURE_FILE ")", opt.output)
	TEXT('p', "pid", "PID,...", "profile running processes", pids)
	FLAG('a', "all", "profile the whole machine (while COMMAND runs, if there is one)", opt.all)
	TEXT('F', "frequency", "HZ", "samples a second (default: 997), or max", rate)
	TEXT('c', "count", "N", "a sample every N events (ns for clocks) instead", count)
	LIST('e', "event", "EVENT", "what to sample (default: cpu-clock); repeatable", opt.events)
	FLAG('g', "stacks", "with call stacks, by frame pointers", with_stacks)
	CHOICE(0, "call-graph", "fp|dwarf",
	       "with call stacks: by frame pointers, or for code without them", call_graph)
	FLAG(0, "off-cpu", "time off the CPU too, with the stacks where threads stopped",
	     opt.off_cpu)
	DECIMAL('d', "duration", "SECONDS", 0, 1e9, "end after so many seconds", opt.seconds)
	NUMBER('m', "mmap-mb", "MB", 1, 1024, "buffer for each CPU (default: 1)", ring_mb)
	TEXT(0, "script", "SCRIPT", "calls that it counts; samples too with -F, -e, -c, -g",
	     opt.script)
	NUMBER(0, "arcs", "N", 1, G_MAXINT, "rows of its tables (default: 2048)", opt.arcs)
	TEXT(0, "arcs-from", "FILE",
	     "a capture of what such a script printed elsewhere (- is stdin)", opt.table)
	FLAG(0, "guru", "events may be raw codes (raw:0x3c,config1=...)", opt.guru)
	FLAG('q', "quiet", "only errors on stderr", opt.quiet)
	{ .kind = OPTION_END },
};

/* 0, or -1 with the exit status. */
static int parse(struct asked *a, int argc, char **argv, int *status)
{
	const struct option_table tables[] = { { rows, a }, { NULL, NULL } };
	const struct option_program program = {
		.name = who,
		.usage = "[options] [-- COMMAND [ARGUMENT...]]",
		.what = "Writes a profile to a capture, which 'lapwing report FILE' shows.",
		.more = "Ends when COMMAND ends (with its exit status), when all of -p have ended,\n"
			"after -d, or on Ctrl-C.",
		.tables = tables,
		.wrong = 2,
	};
	int i = option_parse(&program, argc, argv, status);

	if (i < 0)
		return -1;
	*status = 2;
	return check(a, argv + i);
}

/* ---- the run -------------------------------------------------------------------*/

static GArray *threads_of(const GArray *processes, GError **error)
{
	GArray *tids = g_array_new(FALSE, FALSE, sizeof(pid_t));

	for (guint i = 0; i < processes->len; i++) {
		char *path = g_strdup_printf("/proc/%d/task", g_array_index(processes, pid_t, i));
		GDir *dir = g_dir_open(path, 0, NULL);
		const char *name;

		while (dir && (name = g_dir_read_name(dir))) {
			pid_t tid = (pid_t)g_ascii_strtoll(name, NULL, 10);

			g_array_append_val(tids, tid);
		}
		if (dir)
			g_dir_close(dir);
		g_free(path);
		if (!dir) {
			g_set_error(error, FAILURE_ERROR, FAILURE_PROCESS_NONE,
				    "there is no process %d", g_array_index(processes, pid_t, i));
			g_array_free(tids, TRUE);
			return NULL;
		}
	}
	return tids;
}

static char *command_text(const struct record_options *opt)
{
	GString *text = g_string_new(NULL);

	for (char **arg = opt->command; arg && *arg; arg++) {
		char *quoted = **arg && !strpbrk(*arg, " \t\n\"'\\$`*?[]|&;()<>~#!{}")
				       ? g_strdup(*arg)
				       : g_shell_quote(*arg);

		g_string_append_printf(text, "%s%s", text->len ? " " : "", quoted);
		g_free(quoted);
	}
	return g_string_free(text, FALSE);
}

/* What recording without samples counts. */
static const struct record_event calls = { .name = (char *)"calls", .nanoseconds = 1 };

/* table: the text read for --arcs-from, which names the machine that it is from; NULL: none. */
static void put_header(struct capture_writer *w, const struct record_options *opt,
		       GArray *events, const char *table)
{
	Cap__Header *m = capture_header();
	struct arcs_machine other;

	m->command = command_text(opt);
	m->system_wide = opt->all;
	if (table && arcs_machine(table, &other)) {
		m->machine = other.machine;
		m->kernel = other.release;
		m->host = other.host;
		m->cpus = other.cpus;
	}
	if (opt->calls_only)
		g_array_append_val(events, calls);
	capture_put_header(w, m, events);
	if (opt->calls_only)
		g_array_set_size(events, events->len - 1);
	g_free(m->command);
}

static void take_note(const struct note *note, u32 len)
{
	rings_note(&note->head, len);
}

static void warn(const char *text)
{
	g_printerr("lapwing record: %s\n", text);
}

static void sample_until_done(const struct record_options *opt, struct capture_writer *w)
{
	gint64 end =
		g_get_monotonic_time() + (gint64)MIN(opt->seconds * 1e6, (double)(G_MAXINT64 / 2));
	guint64 flushed = clock_ns();
	struct pollfd fds;

	notes_fds(&fds);
	while (!stop_asked && g_get_monotonic_time() < end && !target_ended()) {
		rings_wait(fds.fd, ROUND_MS);
		notes_take();
		rings_round(0);
		control_take();
		if (clock_ns() - flushed > FLUSH_NS) {
			samples_flush();
			flushed = clock_ns();
		}
		if (capture_flush(w))
			break;
	}
}

/* own CPU time until the command began, when nothing was profiled yet */
static guint64 cpu_before;

/* The capture is already complete: if finding names fails, nothing of it is lost. */
static void find_names(const struct record_options *opt, struct capture_writer *w,
		       Cap__Books *books)
{
	guint left;

	capture_put_books(w, books, 1);
	if (capture_flush(w))
		return;
	if (stop_asked)
		watchdog_deadline(NAMING_S);
	naming = 1;
	left = naming_put(w, opt->quiet, &naming_stopped);
	if (left)
		g_printerr(
			"lapwing record: symbol lookup was skipped for %u files: 'lapwing report' "
			"does it\n",
			left);
	else
		capture_put_books(w, books, 0);
}

static int finish(const struct record_options *opt, struct capture_writer *w)
{
	struct rings_books rings;
	struct samples_books kept;
	struct handled handled;
	Cap__Books books;
	guint64 end = clock_ns(), bytes, cpu_ns;
	GError *error = NULL;
	int status;

	samples_end(end);
	rings_stop();
	notes_take();
	notes_close();
	rings_round(1);
	rings_settle(&rings);
	kept = samples_close(end);
	handled = (struct handled){ kept.received, kept.idle, kept.own, ctl_handler_close() };
	cpu_ns = capture_cpu(RUSAGE_SELF) - cpu_before;	/* finding names does not burden the target */
	status = opt->script ? arcs_finish(w, &error) : 0;
	books = capture_books(&rings, &handled, end, cpu_ns);
	find_names(opt, w, &books);
	bytes = capture_bytes(w);
	rings_close();
	status |= capture_close(w, status ? NULL : &error);
	if (status) {
		failure_report(who, error);
		return -1;
	}
	if (!opt->quiet && opt->calls_only)
		g_printerr("lapwing record: calls in '%s': 'lapwing callgraph' shows them\n",
			   opt->output);
	else if (!opt->quiet)
		g_printerr("lapwing record: %" G_GUINT64_FORMAT " samples%s in '%s' (%.1f MB)\n",
			   kept.samples,
			   books.lost ? " (PARTIAL: some were lost, the report says how many)" : "",
			   opt->output, (double)bytes / 1e6);
	return 0;
}

/* --arcs-from: nothing runs. */
static int convert(const struct record_options *opt, GError **error)
{
	const char *path = strcmp(opt->table, "-") ? opt->table : "/dev/stdin";
	const struct rings_books rings = { .known = 1 };
	const struct handled handled = { 0 };
	GArray *events = events_choose(opt, error);
	struct capture_writer *w;
	Cap__Books books;
	char *text;
	int rc;

	if (!g_file_get_contents(path, &text, NULL, error))
		return 1;
	w = capture_create(opt->output, error);
	if (!w)
		return 1;
	put_header(w, opt, events, text);
	rc = arcs_put(text, w, error);
	books = capture_books(&rings, &handled, clock_ns(), 0);
	capture_put_books(w, &books, 0);
	rc |= capture_close(w, rc ? NULL : error);
	g_free(text);
	return rc != 0;
}

/* The process whose calls a script counts, with its children; 0: all processes. */
static pid_t script_target(const struct record_options *opt)
{
	return opt->all ? 0 : opt->command ? target_pid() : g_array_index(opt->pids, pid_t, 0);
}

/* Process records arrive from now on; what ran before may end before its samples are named. */
static void look_around(const struct record_options *opt)
{
	if (opt->all)
		process_each_there(process_look);
	for (guint i = 0; opt->pids && i < opt->pids->len; i++)
		process_look(g_array_index(opt->pids, pid_t, i));
}

static int run(const struct record_options *opt, GError **error)
{
	GArray *events = events_choose(opt, error), *tids = NULL;
	struct capture_writer *w;
	int status;

	leftovers_begin();
	watchdog_start(give_up);
	if (!events || (opt->command && target_start(opt->command, error)))
		return 1;
	if (opt->pids) {
		tids = threads_of(opt->pids, error);
		if (!tids)
			return 1;
		target_watch(opt->pids);
	}
	if (opt->command && !opt->all) {
		pid_t pid = target_pid();

		tids = g_array_new(FALSE, FALSE, sizeof(pid_t));
		g_array_append_val(tids, pid);
	}
	if (rings_open(opt, &samples_reader, events, tids, !!opt->command && !opt->all, error))
		return 1;
	w = capture_create(opt->output, error);
	if (!w)
		return 1;
	put_header(w, opt, events, NULL);
	if (opt->script && arcs_start(opt->script, script_target(opt), (guint)opt->arcs, error))
		return 1;
	capture_flush(w);
	samples_open(w, opt, events, tids);
	if (!(opt->command && !opt->all))
		rings_switch(1);
	look_around(opt);
	if (notes_open(take_note) && !opt->quiet)
		g_printerr("lapwing record: programs cannot send notes here: %s\n",
			   g_strerror(errno));
	generated_on_warning(warn);
	ctl_handler_open(opt, w);
	cpu_before = capture_cpu(RUSAGE_SELF);
	target_go();
	sample_until_done(opt, w);
	status = finish(opt, w);
	if (opt->command && !target_ended() && stop_asked)
		kill(target_pid(), SIGTERM);
	return status ? 1 : opt->command && !stop_asked && target_ended() ? target_status() : 0;
}

int main(int argc, char **argv)
{
	struct asked asked = { .opt = { .output = CAPTURE_FILE, .seconds = G_MAXDOUBLE },
			       .call_graph = -1 };
	const struct record_options *opt = &asked.opt;
	const struct sigaction action = { .sa_handler = on_signal };
	GError *error = NULL;
	int status;

	if (parse(&asked, argc, argv, &status))
		return status;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	status = opt->table ? convert(opt, &error) : run(opt, &error);
	leftovers_end();
	return error ? failure_report(who, error) : status;
}
