/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arcs.c - see arcs.h. The script runs in the background (lapwing -F) and prints to a file of ours;
 * its errors go to another file next to it.
 */
#include "record/arcs.h"

#include "lib/failure_error.h"
#include "report/demangle.h"
#include "runtime/run/leftovers.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EVENTS_MAX	64
#define PATIENCE	60000	/* ms for the script to end */

static pid_t running;
static char *output;

/* ---- the table ---------------------------------------------------------------------*/

struct table {
	GPtrArray	*function, *image;	/* by their number minus one */
	GArray		*inclusive, *caller, *callee, *calls, *self, *total;
	GPtrArray	*event;
	GArray		*spread;	/* by event, as spread_ns is of the time */
	/* counts of arcs so far, one event after the other */
	GArray		*self_count, *total_count;
	guint64		refused, refused_arcs, own, spread_ns, raw, left;
	int		whole;			/* its last line was read */
};

/*
 * Names a probed function as samples do: process("FILE").function("NAME@...") is NAME of FILE,
 * kernel.function("NAME") is NAME of [kernel], a module's function is NAME [MODULE] of [kernel].
 */
static void add_function(struct table *t, guint64 inclusive, const char *point)
{
	const char *name = strstr(point, ".function(\""),
		   *file = g_str_has_prefix(point, "process(\"") ? point + strlen("process(\"")
								 : NULL;
	const char *module =
		g_str_has_prefix(point, "module(\"") ? point + strlen("module(\"") : NULL;
	char *symbol;

	name = name ? name + strlen(".function(\"") : point;
	symbol = g_strndup(name, strcspn(name, "@\""));
	g_ptr_array_add(t->function, module ? g_strdup_printf("%s [%.*s]", symbol,
							      (int)strcspn(module, "\""), module)
					    : demangle_name(symbol));
	g_free(symbol);
	g_ptr_array_add(t->image,
			file ? g_strndup(file, strcspn(file, "\"")) : g_strdup("[kernel]"));
	g_array_append_val(t->inclusive, inclusive);
}

static void add_arc(struct table *t, guint64 caller, guint64 callee, const guint64 *values)
{
	guint32 from = (guint32)caller, to = (guint32)callee;

	g_array_append_val(t->caller, from);
	g_array_append_val(t->callee, to);
	g_array_append_val(t->calls, values[0]);
	g_array_append_val(t->self, values[1]);
	g_array_append_val(t->total, values[2]);
}

/* The arcs come in the same order for each event, from 1. 0, or -1: this is not the next one. */
static int add_count(struct table *t, const guint64 *v)
{
	guint n = t->self_count->len, arcs = t->caller->len;
	guint of = arcs ? n % arcs : 0;

	if (!arcs || v[2] > t->event->len || v[2] != n / arcs + 1 ||
	    v[0] != g_array_index(t->caller, guint32, of) ||
	    v[1] != g_array_index(t->callee, guint32, of))
		return -1;
	g_array_append_val(t->self_count, v[3]);
	g_array_append_val(t->total_count, v[4]);
	return 0;
}

/* Reorders counts from event by event to arc by arc, as in the capture. */
static GArray *by_arc(const struct table *t, const GArray *counts)
{
	GArray *made = g_array_sized_new(FALSE, FALSE, sizeof(guint64), counts->len);

	for (guint arc = 0; arc < t->caller->len; arc++)
		for (guint i = 0; i < t->event->len; i++)
			g_array_append_val(
				made, g_array_index(counts, guint64, i * t->caller->len + arc));
	return made;
}

/*
 * 0, or -1: an invalid line of the table. Lines of any other kind are the script's own.
 */
static int take_line(struct table *t, const char *line)
{
	guint64 n, m, v[5];
	int at = 0;

	if (sscanf(line, "function %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %n", &n, &m, &at) ==
		    2 &&
	    at) {
		if (n != t->function->len + 1)
			return -1;
		add_function(t, m, line + at);
	} else if (sscanf(line,
			  "arc %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
			  " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
			  &n, &m, &v[0], &v[1], &v[2]) == 5) {
		if (n > t->function->len || !m || m > t->function->len)
			return -1;
		add_arc(t, n, m, v);
	} else if (sscanf(line,
			  "count %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
			  " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
			  &v[0], &v[1], &v[2], &v[3], &v[4]) == 5) {
		return add_count(t, v);
	} else if (sscanf(line, "event %" G_GUINT64_FORMAT " %n", &n, &at) == 1 && at) {
		if (t->caller->len || t->event->len == EVENTS_MAX)
			return -1;
		g_ptr_array_add(t->event, g_strdup(line + at));
		g_array_append_val(t->spread, n);
	} else if (sscanf(line,
			  "floor %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
			  &t->own, &t->spread_ns, &t->raw) == 3 ||
		   sscanf(line, "left %" G_GUINT64_FORMAT, &t->left) == 1) {
		return 0;
	} else if (sscanf(line, "refused %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, &t->refused,
			  &t->refused_arcs) >= 1) {
		t->whole = 1;
		return t->self_count->len == (guint64)t->caller->len * t->event->len ? 0 : -1;
	}
	return 0;
}

static void put_table(const struct table *t, struct capture_writer *w)
{
	Cap__Frame frame = CAP__FRAME__INIT;
	Cap__Arcs m = CAP__ARCS__INIT;
	GArray *self = by_arc(t, t->self_count), *total = by_arc(t, t->total_count);

	m.n_function = m.n_image = m.n_inclusive_ns = t->function->len;
	m.function = (char **)t->function->pdata;
	m.image = (char **)t->image->pdata;
	m.inclusive_ns = (uint64_t *)(void *)t->inclusive->data;
	m.n_caller = m.n_callee = m.n_calls = m.n_self_ns = m.n_total_ns = t->caller->len;
	m.caller = (uint32_t *)(void *)t->caller->data;
	m.callee = (uint32_t *)(void *)t->callee->data;
	m.calls = (uint64_t *)(void *)t->calls->data;
	m.self_ns = (uint64_t *)(void *)t->self->data;
	m.total_ns = (uint64_t *)(void *)t->total->data;
	m.refused = t->refused;
	m.refused_arcs = t->refused_arcs;
	m.n_event = t->event->len;
	m.event = (char **)t->event->pdata;
	m.n_self_count = m.n_total_count = self->len;
	m.self_count = (uint64_t *)(void *)self->data;
	m.total_count = (uint64_t *)(void *)total->data;
	m.own_ns = t->own;
	m.n_event_spread = t->spread->len;
	m.event_spread = (uint64_t *)(void *)t->spread->data;
	m.spread_ns = t->spread_ns;
	m.left_calls = t->left;
	m.raw_calls = t->raw;
	frame.what_case = CAP__FRAME__WHAT_ARCS;
	frame.arcs = &m;
	capture_put(w, &frame);
	g_array_free(self, TRUE);
	g_array_free(total, TRUE);
}

static int take_lines(struct table *t, const char *text, GError **error)
{
	const char *begin = strstr(text, "lapwing arcs 1\n");
	char **lines = begin ? g_strsplit(begin, "\n", 0) : NULL;
	int rc = 0;

	for (char **line = lines; line && *line && !t->whole && !rc; line++) {
		rc = take_line(t, *line);
		if (rc)
			g_set_error(error, FAILURE_ERROR, FAILURE_CALLS_TABLE,
				    "the script's table of calls has a line '%s'", *line);
	}
	g_strfreev(lines);
	if (!rc && !t->whole) {
		g_set_error(
			error, FAILURE_ERROR, FAILURE_CALLS_TABLE,
			begin ? "the script's table of calls is cut off"
			      : "the script printed no table of calls: 'probe end { arcs_print() }' does");
		rc = -1;
	}
	return rc;
}

int arcs_put(const char *text, struct capture_writer *w, GError **error)
{
	struct table t = { .function = g_ptr_array_new_with_free_func(g_free),
			   .image = g_ptr_array_new_with_free_func(g_free),
			   .event = g_ptr_array_new_with_free_func(g_free) };
	GArray **columns[] = { &t.inclusive, &t.caller,	    &t.callee,	    &t.calls, &t.self,
			       &t.total,     &t.self_count, &t.total_count, &t.spread };
	int rc;

	for (guint i = 0; i < G_N_ELEMENTS(columns); i++)
		*columns[i] = g_array_new(FALSE, FALSE, columns[i] == &t.caller || columns[i] == &t.callee ? sizeof(guint32) : sizeof(guint64));
	rc = take_lines(&t, text, error);
	if (!rc)
		put_table(&t, w);
	for (guint i = 0; i < G_N_ELEMENTS(columns); i++)
		g_array_free(*columns[i], TRUE);
	g_ptr_array_free(t.function, TRUE);
	g_ptr_array_free(t.image, TRUE);
	g_ptr_array_free(t.event, TRUE);
	return rc;
}

int arcs_machine(const char *text, struct arcs_machine *m)
{
	const char *line = strstr(text, "\nmachine ");

	return line && sscanf(line, " machine %65s %65s %u %65s", m->machine, m->release, &m->cpus,
			      m->host) == 4;
}

/* ---- the script ------------------------------------------------------------------*/

static char **lapwing_argv(const char *script, pid_t pid, guint rows)
{
	char *self = g_file_read_link("/proc/self/exe", NULL),
	     *folder = g_path_get_dirname(self ? self : ".");
	GPtrArray *list = g_ptr_array_new();

	g_ptr_array_add(list, g_build_filename(folder, "lapwing", NULL));
	g_ptr_array_add(list, g_strdup("-F"));
	g_ptr_array_add(list, g_strdup("-o"));
	g_ptr_array_add(list, g_strdup(output));
	if (pid) {
		g_ptr_array_add(list, g_strdup("--only-target"));
		g_ptr_array_add(list, g_strdup("-x"));
		g_ptr_array_add(list, g_strdup_printf("%d", pid));
	}
	if (rows) {
		g_ptr_array_add(list, g_strdup("-D"));
		g_ptr_array_add(list, g_strdup_printf("MAXMAPENTRIES=%u", rows));
	}
	/* Without a slash the name could be a subcommand of lapwing. */
	g_ptr_array_add(list, strchr(script, '/') ? g_strdup(script)
						  : g_build_filename(".", script, NULL));
	g_ptr_array_add(list, NULL);
	g_free(folder);
	g_free(self);
	return (char **)g_ptr_array_free(list, FALSE);
}

int arcs_start(const char *script, pid_t pid, guint rows, GError **error)
{
	char **argv, *out = NULL;
	int status = 0, fd = g_file_open_tmp("lapwing-arcs-XXXXXX", &output, error), rc = -1;

	if (fd < 0)
		return -1;
	close(fd);
	argv = lapwing_argv(script, pid, rows);
	if (g_spawn_sync(NULL, argv, NULL, G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, &out, NULL,
			 &status, error)) {
		running = (pid_t)g_ascii_strtoll(out, NULL, 10);
		rc = status || running <= 0 ? -1 : 0;
		if (rc)
			g_set_error(error, FAILURE_ERROR, FAILURE_CALLS_TABLE,
				    "the script '%s' does not run", script);
		else
			leftovers_program(running);
	}
	if (rc)
		g_unlink(output);
	g_free(out);
	g_strfreev(argv);
	return rc;
}

/* Asks the script to exit; it also exits when its target does. */
static int wait_for_script(void)
{
	struct pollfd fd = { .fd = (int)syscall(SYS_pidfd_open, running, 0), .events = POLLIN };
	int ended = fd.fd < 0 && errno == ESRCH;

	if (!ended)
		kill(running, SIGINT);
	/* signals do not end the wait */
	for (int left = PATIENCE; fd.fd >= 0 && !ended && left > 0; left -= PATIENCE / 600)
		ended = poll(&fd, 1, PATIENCE / 600) == 1;
	if (fd.fd >= 0)
		close(fd.fd);
	return ended;
}

/* Prints the script's messages, which -F keeps in a file. */
static void pass_errors_on(void)
{
	char *path = g_strconcat(output, ".err", NULL), *text = NULL;

	if (g_file_get_contents(path, &text, NULL, NULL)) {
		if (strcmp(text, "COMPLETE\n") != 0)
			g_printerr("%s", text);
		g_unlink(path);
	}
	g_free(text);
	g_free(path);
}

int arcs_finish(struct capture_writer *w, GError **error)
{
	char *text = NULL;
	int rc = -1;

	if (!wait_for_script())
		g_set_error(error, FAILURE_ERROR, FAILURE_CALLS_TABLE,
			    "the script (process %d) does not end", running);
	else if (g_file_get_contents(output, &text, NULL, error))
		rc = arcs_put(text, w, error);
	pass_errors_on();
	g_unlink(output);
	g_free(text);
	g_free(output);
	return rc;
}
