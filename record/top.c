/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * top.c - lapwing-top, run by `lapwing top`: the hottest functions, once a second, in a terminal.
 *
 * lapwing-record records into a pipe; here its frames become a profile of the last seconds, which
 * screen.c shows.
 */
#include "record/screen.h"

#include "lib/options.h"
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
static struct options {
	const char	*pids, *rate;
	struct option_list events;
	int		all;
} opt;

/* The recorder, and the data from it. */
struct recorder {
	pid_t		pid;
	int		fd;		/* its capture pipe */
	FILE		*errors;	/* its standard error, and the command's */
	GByteArray	*bytes;		/* not parsed yet, after a capture's first bytes */
	struct profile	*profile;
	guint		named;
	int		over, status;
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

/* We choose what is recorded; lapwing-record reports errors in it. */
static char **recorder_argv(int fd, const struct option_words *command)
{
	GPtrArray *list = g_ptr_array_new();
	const char *pairs[][2] = { { "-p", opt.pids }, { "-F", opt.rate } };

	g_ptr_array_add(list, recorder_path());
	g_ptr_array_add(list, g_strdup("-q"));
	g_ptr_array_add(list, g_strdup("-o"));
	g_ptr_array_add(list, g_strdup_printf("/dev/fd/%d", fd));
	for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
		if (pairs[i][1]) {
			g_ptr_array_add(list, g_strdup(pairs[i][0]));
			g_ptr_array_add(list, g_strdup(pairs[i][1]));
		}
	for (unsigned i = 0; i < opt.events.count; i++) {
		g_ptr_array_add(list, g_strdup("-e"));
		g_ptr_array_add(list, g_strdup(opt.events.item[i]));
	}
	if (opt.all || (!opt.pids && !command->count))
		g_ptr_array_add(list, g_strdup("-a"));
	if (command->count)
		g_ptr_array_add(list, g_strdup("--"));
	for (int i = 0; i < command->count; i++)
		g_ptr_array_add(list, g_strdup(command->word[i]));
	g_ptr_array_add(list, NULL);
	return (char **)g_ptr_array_free(list, FALSE);
}

/* We own the screen: the command reads /dev/null, and its output is discarded. */
static G_GNUC_NORETURN void become_recorder(char **argv, int errors, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(126);
	if (!freopen("/dev/null", "r", stdin) || !freopen("/dev/null", "w", stdout) ||
	    dup2(errors, 2) < 0)
		_exit(126);
	execv(argv[0], argv);
	fprintf(stderr, "lapwing top: cannot run '%s': %s\n", argv[0], strerror(errno));
	_exit(127);
}

static int recorder_open(struct recorder *s, const struct option_words *command)
{
	char **args;
	pid_t parent;
	int ends[2];

	*s = (struct recorder){ .errors = tmpfile(), .bytes = g_byte_array_new(), .profile = profile_new() };
	if (!s->errors || pipe(ends))
		return -1;
	args = recorder_argv(ends[1], command);
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

static int read_frame(void *data, const Cap__Frame *frame, GError **error)
{
	struct recorder *s = data;

	return frame->what_case == CAP__FRAME__WHAT_CODE ||
			       frame->what_case == CAP__FRAME__WHAT_LINES
		       ? 0
		       : profile_add_capture(s->profile, frame, error);
}

static void recorder_ended(struct recorder *s)
{
	int how;

	s->over = 1;
	if (waitpid(s->pid, &how, 0) == s->pid)
		s->status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
}

/* Waits until something can be read, or the recording has ended. */
static void recorder_read(struct recorder *s)
{
	struct capture_end end = { 0 };
	GError *error = NULL;
	guint8 buf[65536];
	ssize_t n = read(s->fd, buf, sizeof(buf));

	if (n > 0)
		g_byte_array_append(s->bytes, buf, (guint)n);
	if (n == 0 || (n < 0 && errno != EINTR))
		recorder_ended(s);
	if (s->bytes->len <= MAGIC_BYTES)
		return;
	if (capture_parse(s->bytes->data, s->bytes->len, read_frame, s, &end, &error)) {
		fprintf(s->errors, "lapwing top: %s\n", error->message);
		g_error_free(error);
		recorder_ended(s);
	}
	if (end.good > MAGIC_BYTES)
		g_byte_array_remove_range(s->bytes, MAGIC_BYTES, (guint)end.good - MAGIC_BYTES);
	g_free(end.damage);
}

/* Drops data older than the window, which ends at the last sample once the recording has ended. */
static void recorder_forget(struct recorder *s)
{
	GArray *samples = s->profile->samples;
	guint n = 0;
	guint64 last = samples->len ? PROFILE_AT(samples, sample, samples->len - 1)->time : 0;

	while (n < samples->len && PROFILE_AT(samples, sample, n)->time + WINDOW_NS < last)
		n++;
	g_array_remove_range(samples, 0, n);
}

/* Waits for its exit: it symbolizes the recording, and terminates its command. */
static void recorder_close(struct recorder *s)
{
	char buf[65536];

	if (!s->over) {
		kill(s->pid, SIGINT);
		while (read(s->fd, buf, sizeof(buf)) > 0)
			;
		recorder_ended(s);
	}
	close(s->fd);
	rewind(s->errors);
	for (size_t n; (n = fread(buf, 1, sizeof(buf), s->errors)) > 0; )
		fwrite(buf, 1, n, stderr);
	fclose(s->errors);
	profile_free(s->profile);
	g_byte_array_free(s->bytes, TRUE);
}

/* ---- the screen ------------------------------------------------------------------*/

static void show(struct recorder *s)
{
	recorder_forget(s);
	symbolize_functions(s->profile, &s->named);
	screen_draw(s->profile, s->over);
}

static void watch(struct recorder *s)
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
			recorder_read(s);
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

#define OPTIONS_IN struct options
static const struct option_row rows[] = {
#include "record/top.def"
OPTIONS_END
};

static const struct option_program program = {
	.name = "lapwing top", .rows = rows, .in_order = 1, .usage_status = 2,
	.usage = "Usage: lapwing top [OPTION]... [--] [COMMAND [ARGUMENT]...]\n"
		 "Shows what runs, once a second.\n",
};

int main(int argc, char **argv)
{
	struct option_words command;
	struct recorder recorder;
	int failed;

	options_read_or_exit(&program, &opt, argc, argv, &command);
	if (!isatty(0) || !isatty(1)) {
		g_printerr(
			"lapwing top: needs a terminal: elsewhere use 'lapwing record' and 'lapwing report'\n");
		return 1;
	}
	if (recorder_open(&recorder, &command)) {
		g_printerr("lapwing top: cannot fork for the recording: %s\n", g_strerror(errno));
		return 1;
	}
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	signal(SIGHUP, on_signal);
	failed = screen_open() != 0;
	if (failed)
		g_printerr("lapwing top: cannot draw on this terminal (TERM=%s)\n",
			   g_getenv("TERM") ? g_getenv("TERM") : "");
	else
		watch(&recorder);
	screen_close();
	failed |= recorder.over && !recorder.profile->machine;
	recorder_close(&recorder);
	return failed;
}
