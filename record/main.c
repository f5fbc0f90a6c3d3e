/* SPDX-License-Identifier: GPL-2.0-or-later */
/* main.c - lapwing-record, run by `lapwing record`: options, the run, the end. */
#include "config.h"

#include "record/arcs.h"
#include "record/capture_samples.h"
#include "record/ctl_handler.h"
#include "record/events.h"
#include "record/rings.h"
#include "record/target.h"
#include "symbolize/process.h"
#include "runtime/run/control.h"
#include "runtime/run/leftovers.h"
#include "runtime/run/notes.h"
#include "runtime/run/watchdog.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#define FREQUENCY	997		/* a prime, to avoid lockstep with the sampled program */
#define RING_BYTES	(1u << 20)
#define ROUND_MS	100
#define FLUSH_NS	500000000	/* limits the loss if recording is killed, and serves
					 * readers of the growing file */

#define NAMING_S	60		/* seconds for symbolization after a signal: the report
					 * resolves the rest */
#define HURRY_S		3		/* the same if the signal comes during it */

static volatile sig_atomic_t stop_asked, naming, naming_stopped;

static void on_signal(int number)
{
	stop_asked = number;
	naming_stopped = naming;
	watchdog_requested();
	if (naming)
		watchdog_deadline(HURRY_S);
}

/* Runs in the watchdog's thread. */
static int give_up(void)
{
	static const char named[] =
		"\nlapwing record: symbolizing took too long: the capture is complete, 'lapwing report' finds the remaining names\n";
	static const char cut[] =
		"\nlapwing record: blocked in a system call: the capture has what was written so far\n";
	pid_t child = target_left();

	if (child > 0)
		kill(child, SIGTERM);
	if (write(2, naming ? named : cut, naming ? sizeof(named) - 1 : sizeof(cut) - 1) < 0)
		return 1;
	return !naming;
}

/* ---- options -------------------------------------------------------------------*/

static int add_pids(void *into, const char *shown, const char *value)
{
	struct record_options *opt = into;
	char **list = g_strsplit(value, ",", 0), **p;
	int is_bad;

	if (!opt->pids)
		opt->pids = g_array_new(FALSE, FALSE, sizeof(pid_t));
	for (p = list; *p; p++) {
		char *end;
		gint64 n = g_ascii_strtoll(*p, &end, 10);
		pid_t pid = (pid_t)n;

		if (n <= 0 || n > G_MAXINT32 || *end || !**p) {
			options_fail("%s %s: '%s' is not a process id", shown, value, *p);
			break;
		}
		g_array_append_val(opt->pids, pid);
	}
	is_bad = *p != NULL;
	g_strfreev(list);
	return is_bad ? -1 : 0;
}

static int set_rate(void *into, const char *shown, const char *value)
{
	struct record_options *opt = into;
	char *end, *text = NULL;
	gint64 most = 0;

	if (g_file_get_contents("/proc/sys/kernel/perf_event_max_sample_rate", &text, NULL, NULL))
		most = g_ascii_strtoll(text, NULL, 10);
	g_free(text);
	if (!strcmp(value, "max") && most) {
		opt->frequency = (guint64)most;
		return 0;
	}
	opt->frequency = g_ascii_strtoull(value, &end, 10);
	if (opt->frequency && !*end && *value != '-' && !(most && opt->frequency > (guint64)most))
		return 0;
	return options_fail("%s %s: expected samples per second, from 1 to %" G_GINT64_FORMAT
			    " (kernel.perf_event_max_sample_rate), or 'max'", shown, value, most);
}

static int set_count(void *into, const char *shown, const char *value)
{
	struct record_options *opt = into;
	char *end;

	opt->period = g_ascii_strtoull(value, &end, 10);
	if (!opt->period || *end || *value == '-')
		return options_fail("%s: expected events per sample, at least 1", shown);
	return 0;
}

/* -g, --call-graph */
static int set_stacks(void *into, const char *shown, const char *value)
{
	struct record_options *opt = into;

	if (!value || !strcmp(value, "fp"))
		opt->stacks = STACKS_POINTERS;
	else if (!strcmp(value, "dwarf"))
		opt->stacks = STACKS_DWARF;
	else
		return options_fail("%s: expected fp (frame pointers) or dwarf (call frame "
				    "information)", shown);
	return 0;
}

static int check_targets(const struct record_options *opt)
{
	int targets = !!opt->pids + opt->all + !!opt->command + !!opt->table;

	if (!targets)
		return options_fail("nothing to profile: expected 'lapwing record -- COMMAND', "
				    "-p PID, or -a for "
				    "the whole machine");
	if (opt->pids && (opt->all || opt->command))
		return options_fail("-p PID excludes -a and COMMAND");
	if (opt->table && (targets > 1 || opt->script))
		return options_fail("--arcs-from FILE excludes -p, -a and COMMAND");
	if (opt->arcs && !opt->script)
		return options_fail("--arcs N: the number of rows of --script's tables, "
				    "at least 1");
	if (opt->script && opt->pids && opt->pids->len > 1)
		return options_fail(
			"--script counts calls of one -p PID and its children, of a command, or of "
			"all with -a");
	return 0;
}

/* Checks combinations of options. 0, or -1, reported. */
static int check(struct record_options *opt)
{
	if (check_targets(opt))
		return -1;
	if (opt->frequency && opt->period)
		return options_fail("-F HZ and -c N exclude each other: samples per second, "
				    "or one sample every N events");
	opt->calls_only =
		opt->table || (opt->script && !opt->events.count && !opt->frequency &&
			       !opt->period && opt->stacks == STACKS_NONE && !opt->off_cpu);
	if (!opt->frequency)
		opt->frequency = FREQUENCY;
	if (opt->ring_mb > 1024)
		return options_fail("-m: expected 1 to 1024 (MB per CPU)");
	opt->ring_bytes = RING_BYTES;
	while (opt->ring_bytes < (guint64)opt->ring_mb << 20)
		opt->ring_bytes *= 2;
	return 0;
}

#define OPTIONS_IN struct record_options
static const struct option_row rows[] = {
#include "record/record.def"
OPTIONS_END
};

static const struct option_program program = {
	.name = "lapwing record",
	.rows = rows,
	.in_order = 1,
	.usage_status = 2,
	.usage = "Usage: lapwing record [OPTION]... [--] COMMAND [ARGUMENT]...\n"
		 "       lapwing record [OPTION]... -p PID,... | -a\n"
		 "Writes a profile to a capture.\n",
	.after =
		"'lapwing report FILE' shows it. Ends when COMMAND ends (with its exit status), when\n"
		"all processes of -p have exited, after -d, or on Ctrl-C.",
};

static int parse(struct record_options *opt, int argc, char **argv)
{
	struct option_words words;

	options_read_or_exit(&program, opt, argc, argv, &words);
	opt->command = words.count ? words.word : NULL;
	return check(opt);
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
			g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "no process %d",
				    g_array_index(processes, pid_t, i));
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

static void put_header(struct capture_writer *w, const struct record_options *opt,
		       const GArray *events)
{
	Cap__Event *rows = g_new(Cap__Event, events->len + 1),
		   **list = g_new(Cap__Event *, events->len + 1);
	Cap__Header m = CAP__HEADER__INIT;
	Cap__Frame frame = CAP__FRAME__INIT;
	struct utsname name;

	uname(&name);
	for (guint i = 0; i < events->len; i++) {
		const struct record_event *e = &g_array_index(events, struct record_event, i);

		cap__event__init(&rows[i]);
		rows[i].name = e->name;
		rows[i].period = e->blocked ? 0 : e->period;
		rows[i].unit =
			e->nanoseconds ? CAP__EVENT__UNIT__NANOSECONDS : CAP__EVENT__UNIT__COUNT;
		rows[i].blocked = e->blocked;
		list[i] = &rows[i];
	}
	if (opt->calls_only) {
		cap__event__init(&rows[0]);
		rows[0].name = "calls";
		rows[0].unit = CAP__EVENT__UNIT__NANOSECONDS;
		list[0] = &rows[0];
	}
	m.version = CAPTURE_VERSION;
	m.machine = name.machine;
	m.kernel = name.release;
	m.host = name.nodename;
	m.command = command_text(opt);
	m.start_ns = rings_now();
	m.wall_ns = (guint64)g_get_real_time() * 1000;
	m.cpus = (guint32)sysconf(_SC_NPROCESSORS_ONLN);
	m.n_events = events->len + (opt->calls_only != 0);
	m.events = list;
	m.program = "lapwing " PACKAGE_VERSION;
	m.system_wide = opt->all;
	frame.what_case = CAP__FRAME__WHAT_HEADER;
	frame.header = &m;
	capture_put(w, &frame);
	g_free(m.command);
	g_free(rows);
	g_free(list);
}

static void add_note(const struct note *note, u32 len)
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
	guint64 flushed = rings_now();
	struct pollfd fds;

	notes_fds(&fds);
	while (!stop_asked && g_get_monotonic_time() < end && !target_ended()) {
		rings_wait(fds.fd, ROUND_MS);
		notes_read();
		rings_round(0);
		control_receive();
		if (rings_now() - flushed > FLUSH_NS) {
			samples_flush();
			flushed = rings_now();
		}
		if (capture_flush(w))
			break;
	}
}

static guint64 cpu_before;	/* CPU time used before the command started, when nothing was
				 * profiled yet */

static guint64 own_cpu_ns(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (guint64)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000000 +
	       (guint64)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000;
}

/*
 * Samples that did not fit into a ring, and those that the kernel dropped: ticks that came too
 * late, and throttled ones.
 */
static guint64 lost_samples(const struct rings_books *r)
{
	guint64 left_out = r->missing > r->asleep ? r->missing - r->asleep : 0;

	return MAX(rings_lost(), left_out);
}

static void put_books(struct capture_writer *w, Cap__Books *books, int unnamed)
{
	Cap__Frame frame = CAP__FRAME__INIT;

	books->unnamed = unnamed;
	frame.what_case = CAP__FRAME__WHAT_BOOKS;
	frame.books = books;
	capture_put(w, &frame);
}

static Cap__Books books_of(const struct rings_books *r, const struct samples_account *k,
			   guint64 lost, guint64 end, guint64 cpu_ns)
{
	Cap__Books m = CAP__BOOKS__INIT;

	m.end_ns = end;
	m.expected = r->known ? k->received + r->asleep + lost : 0;
	m.asleep = r->asleep;
	m.received = k->received;
	m.lost = lost;
	m.throttled = r->throttled;
	m.idle = k->idle;
	m.own = k->own;
	m.own_cpu_ns = cpu_ns;
	m.paused_ns = k->paused;
	return m;
}

/* The capture is complete before: a failure of symbolization loses nothing. */
static void find_names(const struct record_options *opt, struct capture_writer *w,
		       Cap__Books *books)
{
	guint left;

	put_books(w, books, 1);
	if (capture_flush(w))
		return;
	if (stop_asked)
		watchdog_deadline(NAMING_S);
	naming = 1;
	left = samples_symbolize(opt->quiet, &naming_stopped);
	if (left)
		g_printerr("lapwing record: %u files were not symbolized yet: 'lapwing report' "
			   "does that\n", left);
	else
		put_books(w, books, 0);
}

static int finish(const struct record_options *opt, struct capture_writer *w)
{
	struct rings_books rings;
	struct samples_account kept;
	Cap__Books books;
	guint64 end = rings_now(), bytes, cpu_ns, lost;
	GError *error = NULL;
	int status;

	samples_end(end);
	rings_stop();
	notes_read();
	notes_close();
	rings_round(1);
	rings_settle(&rings);
	kept = samples_close(end);
	kept.paused = ctl_handler_close();
	lost = lost_samples(&rings);
	cpu_ns = own_cpu_ns() - cpu_before;	/* symbolization does not burden the profiled
						 * program */
	status = opt->script ? arcs_finish(w, &error) : 0;
	books = books_of(&rings, &kept, lost, end, cpu_ns);
	find_names(opt, w, &books);
	bytes = capture_bytes(w);
	rings_close();
	status |= capture_close(w, status ? NULL : &error);
	if (status) {
		g_printerr("lapwing record: %s\n", error->message);
		g_error_free(error);
		return -1;
	}
	if (!opt->quiet && opt->calls_only)
		g_printerr("lapwing record: calls in '%s': show them with 'lapwing callgraph'\n",
			   opt->output);
	else if (!opt->quiet)
		g_printerr("lapwing record: %" G_GUINT64_FORMAT " samples%s in '%s' (%.1f MB)\n",
			   kept.samples, lost ? " (PARTIAL: some were lost, see the report)" : "",
			   opt->output, (double)bytes / 1e6);
	return 0;
}

/* --arcs-from: nothing runs. */
static int convert(const struct record_options *opt, GError **error)
{
	const char *path = strcmp(opt->table, "-") ? opt->table : "/dev/stdin";
	const struct rings_books rings = { 0 };
	const struct samples_account kept = { 0 };
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
	put_header(w, opt, events);
	rc = arcs_put(text, w, error);
	books = books_of(&rings, &kept, 0, rings_now(), 0);
	put_books(w, &books, 0);
	rc |= capture_close(w, rc ? NULL : error);
	g_free(text);
	return rc != 0;
}

/* The process whose calls a script counts, with its children; 0: all processes. */
static pid_t script_target(const struct record_options *opt)
{
	return opt->all ? 0 : opt->command ? target_pid() : g_array_index(opt->pids, pid_t, 0);
}

/*
 * Process records come from now on; existing processes may exit before their samples are
 * symbolized.
 */
static void open_existing(const struct record_options *opt)
{
	if (opt->all)
		process_each_existing(process_read);
	for (guint i = 0; opt->pids && i < opt->pids->len; i++)
		process_read(g_array_index(opt->pids, pid_t, i));
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
	if (rings_open(opt, events, tids, !!opt->command && !opt->all, error))
		return 1;
	w = capture_create(opt->output, error);
	if (!w)
		return 1;
	put_header(w, opt, events);
	if (opt->script && arcs_start(opt->script, script_target(opt), (guint)opt->arcs, error))
		return 1;
	capture_flush(w);
	samples_open(w, opt, events, tids, rings_now());
	if (!(opt->command && !opt->all))
		rings_switch(1);
	open_existing(opt);
	if (notes_open(add_note) && !opt->quiet)
		g_printerr(
			"lapwing record: cannot receive programs' notes (phases, names of memory): %s\n",
			g_strerror(errno));
	process_on_warning(warn);
	ctl_handler_open(opt, w);
	cpu_before = own_cpu_ns();
	target_go();
	sample_until_done(opt, w);
	status = finish(opt, w);
	if (opt->command && !target_ended() && stop_asked)
		kill(target_pid(), SIGTERM);
	return status ? 1 : opt->command && !stop_asked && target_ended() ? target_status() : 0;
}

int main(int argc, char **argv)
{
	struct record_options opt = { .output = "lapwing.capture", .seconds = G_MAXDOUBLE };
	const struct sigaction action = { .sa_handler = on_signal };
	GError *error = NULL;
	int status;

	if (parse(&opt, argc, argv))
		return 2;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	status = opt.table ? convert(&opt, &error) : run(&opt, &error);
	leftovers_end();
	if (error)
		g_printerr("lapwing record: %s\n", error->message);
	return status;
}
