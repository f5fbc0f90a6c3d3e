/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * top.c - lapwing-top, which `lapwing top` runs: what runs now, once a second, in a terminal.
 *
 * lapwing-record does the recording, into a pipe; here its frames become a profile of the last
 * seconds, which screen.c draws.
 */
#include "lib/failure_error.h"
#include "lib/option.h"
#include "record/screen.h"

#include "report/symbolize.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define WINDOW_NS	5000000000ULL
#define REDRAW_US	1000000
#define MAGIC_BYTES	16		/* of a capture, before its frames */

static volatile sig_atomic_t interrupted;
static struct asked {
	const char	*pids, *rate, **events;
	int		all;
} asked;

/* The recorder, and what has come from it. */
struct capture_source {
	pid_t		pid;
	int		fd;		/* its capture */
	FILE		*errors;	/* what it, and the command, wrote to standard error */
	GByteArray	*bytes;		/* not parsed yet, after a capture's first bytes */
	struct profile	*profile;
	guint		named;
	int		over;
	int		status;		/* the recorder's exit status, when it is over */
	GError		*error;		/* what is wrong with the capture; NULL: nothing */
};

static void on_signal(int number)
{
	interrupted = number;
}

/* ---- the recorder ------------------------------------------------------------------*/

static char *recorder_path(void)
{
	char *self = g_file_read_link("/proc/self/exe", NULL),
	     *folder = g_path_get_dirname(self ? self : "."), *path;

	path = g_build_filename(folder, "lapwing-record", NULL);
	g_free(folder);
	g_free(self);
	return path;
}

/* We only pass on what is to be recorded; lapwing-record checks it. */
static char **recorder_argv(int fd, int argc, char **argv)
{
	GPtrArray *list = g_ptr_array_new();
	const char *pairs[][2] = { { "-p", asked.pids }, { "-F", asked.rate } };

	g_ptr_array_add(list, recorder_path());
	g_ptr_array_add(list, g_strdup("-q"));
	g_ptr_array_add(list, g_strdup("-o"));
	g_ptr_array_add(list, g_strdup_printf("/dev/fd/%d", fd));
	for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
		if (pairs[i][1]) {
			g_ptr_array_add(list, g_strdup(pairs[i][0]));
			g_ptr_array_add(list, g_strdup(pairs[i][1]));
		}
	for (const char **event = asked.events; event && *event; event++) {
		g_ptr_array_add(list, g_strdup("-e"));
		g_ptr_array_add(list, g_strdup(*event));
	}
	if (asked.all || (!asked.pids && argc < 2))
		g_ptr_array_add(list, g_strdup("-a"));
	if (argc > 1)
		g_ptr_array_add(list, g_strdup("--"));
	for (int i = 1; i < argc; i++)
		g_ptr_array_add(list, g_strdup(argv[i]));
	g_ptr_array_add(list, NULL);
	return (char **)g_ptr_array_free(list, FALSE);
}

/* The screen is ours: the command reads nothing, and what it prints goes nowhere. */
static G_GNUC_NORETURN void become_recorder(char **argv, int errors, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(126);
	if (!freopen("/dev/null", "r", stdin) || !freopen("/dev/null", "w", stdout) ||
	    dup2(errors, 2) < 0)
		_exit(126);
	execv(argv[0], argv);
	option_fail(FAILURE_INSTALLATION, "'%s' cannot be run: %s", argv[0], strerror(errno));
	_exit(127);
}

static int source_open(struct capture_source *s, int argc, char **argv)
{
	char **args;
	pid_t parent;
	int ends[2];

	*s = (struct capture_source){ .errors = tmpfile(), .bytes = g_byte_array_new(), .profile = profile_new() };
	if (!s->errors || pipe(ends))
		return -1;
	args = recorder_argv(ends[1], argc, argv);
	parent = getpid();
	s->pid = fork();
	if (!s->pid) {
		close(ends[0]);
		become_recorder(args, fileno(s->errors), parent);
	}
	g_strfreev(args);
	close(ends[1]);
	s->fd = ends[0];
	return s->pid < 0 ? -1 : 0;
}

static int take_frame(void *data, const Cap__Frame *frame, GError **error)
{
	struct capture_source *s = data;

	return frame->what_case == CAP__FRAME__WHAT_CODE ||
			       frame->what_case == CAP__FRAME__WHAT_LINES
		       ? 0
		       : profile_take(s->profile, frame, error);
}

static void source_ended(struct capture_source *s)
{
	int how;

	s->over = 1;
	if (waitpid(s->pid, &how, 0) == s->pid)
		s->status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
}

/* Called when something can be read, or the recorder has ended. */
static void source_take(struct capture_source *s)
{
	struct capture_end end = { 0 };
	guint8 buf[65536];
	ssize_t n = read(s->fd, buf, sizeof(buf));

	if (n > 0)
		g_byte_array_append(s->bytes, buf, (guint)n);
	if (n == 0 || (n < 0 && errno != EINTR))
		source_ended(s);
	if (s->bytes->len <= MAGIC_BYTES)
		return;
	if (capture_parse(s->bytes->data, s->bytes->len, take_frame, s, &end, &s->error))
		source_ended(s);
	if (end.good > MAGIC_BYTES)
		g_byte_array_remove_range(s->bytes, MAGIC_BYTES, (guint)end.good - MAGIC_BYTES);
	g_free(end.damage);
}

/*
 * Drops what is older than the window, which ends at the last sample, also when no more samples
 * come.
 */
static void source_forget(struct capture_source *s)
{
	GArray *samples = s->profile->samples;
	guint n = 0;
	guint64 last = samples->len ? PROFILE_AT(samples, sample, samples->len - 1)->time : 0;

	while (n < samples->len && PROFILE_AT(samples, sample, n)->time + WINDOW_NS < last)
		n++;
	g_array_remove_range(samples, 0, n);
}

/* Waits for the recorder's end: it symbolizes what it recorded, and asks its command to end. */
static void source_close(struct capture_source *s)
{
	char buf[65536];

	if (!s->over) {
		kill(s->pid, SIGINT);
		while (read(s->fd, buf, sizeof(buf)) > 0)
			;
		source_ended(s);
	}
	close(s->fd);
	rewind(s->errors);
	for (size_t n; (n = fread(buf, 1, sizeof(buf), s->errors)) > 0; )
		fwrite(buf, 1, n, stderr);
	fclose(s->errors);
	if (s->error)
		failure_report("lapwing top", s->error);
	profile_free(s->profile);
	g_byte_array_free(s->bytes, TRUE);
}

/* ---- the screen ------------------------------------------------------------------*/

static void show(struct capture_source *s)
{
	source_forget(s);
	symbolize_functions(s->profile, &s->named);
	screen_draw(s->profile, s->over);
}

static void watch(struct capture_source *s)
{
	gint64 due = g_get_monotonic_time();
	int go_on = 1;

	while (go_on && !interrupted && !(s->over && !s->profile->machine)) {
		gint64 left = due - g_get_monotonic_time();
		struct pollfd fds[2] = { { .fd = 0, .events = POLLIN },
					 { .fd = s->over ? -1 : s->fd, .events = POLLIN } };

		if (left <= 0) {
			show(s);
			due = g_get_monotonic_time() + REDRAW_US;
			continue;
		}
		poll(fds, 2, (int)(left / 1000) + 1);
		if (fds[1].revents)
			source_take(s);
		switch (screen_key()) {
		case SCREEN_QUIT:
			go_on = 0;
			break;
		case SCREEN_CHANGED:
			due = 0;
			break;
		case SCREEN_NOTHING:
			break;
		}
		if (fds[0].revents & (POLLHUP | POLLERR))	/* the terminal is gone */
			go_on = 0;
	}
}

#define OPTION_INTO struct asked
static const struct option_row rows[] = {
	TEXT('p', "pid", "PID,...", "running processes", pids)
	FLAG('a', "all", "the whole machine: as without -p and COMMAND", all)
	TEXT('F', "frequency", "HZ", "samples a second (default: 997), or max", rate)
	LIST('e', "event", "EVENT",
	     "what to sample (default: cpu-clock); repeatable: key e", events)
	{ .kind = OPTION_END },
};

/* The index of the command; -1 with the exit status. */
static int parse(int argc, char **argv, int *status)
{
	static const struct option_table tables[] = { { rows, &asked }, { NULL, NULL } };
	static const struct option_program program = {
		.name = "lapwing top",
		.usage = "[options] [-- COMMAND [ARGUMENT...]]",
		.what = "Shows what runs, once a second.",
		.tables = tables,
		.wrong = 2,
	};

	return option_parse(&program, argc, argv, status);
}

int main(int argc, char **argv)
{
	struct capture_source source;
	int failed, command = parse(argc, argv, &failed);

	if (command < 0)
		return failed;
	if (!isatty(0) || !isatty(1)) {
		option_fail(FAILURE_TERMINAL, "it needs a terminal; use 'lapwing record' and 'lapwing "
			    "report' elsewhere");
		return 1;
	}
	if (source_open(&source, argc - command + 1, argv + command - 1)) {
		option_fail(FAILURE_RESOURCES, "no process for the recording: %s", g_strerror(errno));
		return 1;
	}
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	signal(SIGHUP, on_signal);
	failed = screen_open() != 0;
	if (failed)
		option_fail(FAILURE_TERMINAL, "this terminal (TERM=%s) cannot be drawn on",
			    g_getenv("TERM") ? g_getenv("TERM") : "");
	else
		watch(&source);
	screen_close();
	if (source.over && !source.profile->machine)	/* the recorder said why */
		failed = MAX(source.status, 1);
	source_close(&source);
	return failed;
}
