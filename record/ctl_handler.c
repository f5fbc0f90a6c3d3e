/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ctl_handler.c - answers `lapwing ctl`: pauses, resumes and flushes a recording, and reports its
 * status.
 */
#include "record/ctl_handler.h"

#include "lib/clock.h"
#include "record/capture_samples.h"
#include "record/record.h"
#include "record/rings.h"
#include "runtime/run/control.h"

#include <errno.h>
#include <string.h>

static const struct record_options *opt;
static struct capture_writer *writer;
static guint64 began, paused_at, paused;	/* ns; paused_at 0: sampling */

/* Handles all that was sampled by now: a round handles what is older than the previous round. */
static void take_all(void)
{
	rings_round(0);
	rings_round(0);
}

static void pause_sampling(void)
{
	if (paused_at)
		return;
	paused_at = clock_ns();
	rings_switch(0);
	take_all();
	samples_pause(paused_at);
}

static void go_on(void)
{
	if (!paused_at)
		return;
	paused += clock_ns() - paused_at;
	paused_at = 0;
	rings_switch(1);
}

static int act(enum control_word word, struct control_answer *a)
{
	const char *did[CONTROL_WORDS] = { "",
					   "sampling is on: ", "sampling is off: ", "written: " };

	if (word == CONTROL_ON)
		go_on();
	else if (word == CONTROL_OFF)
		pause_sampling();
	else if (word == CONTROL_FLUSH)
		take_all();
	if (word == CONTROL_FLUSH)
		samples_flush();
	a->kind = CONTROL_RECORDING;
	a->paused = paused_at != 0;
	a->ran_ns = clock_ns() - began;
	a->count = samples_sofar().samples;
	a->lost = rings_lost();
	a->bytes = capture_bytes(writer);
	if (strlen(opt->output) < sizeof(a->file))
		strcpy(a->file, opt->output);
	g_snprintf(a->text, sizeof(a->text),
		   "%srecording for %.1f s, %s%llu samples in '%s' (%.1f MB)", did[word],
		   (double)a->ran_ns / 1e9, paused_at ? "sampling off, " : "", a->count, opt->output,
		   (double)a->bytes / 1e6);
	return 0;
}

void ctl_handler_open(const struct record_options *options, struct capture_writer *w)
{
	char *name = g_path_get_basename(options->output);

	opt = options;
	writer = w;
	began = clock_ns();
	if (control_open(name, act) && !opt->quiet)
		g_printerr("lapwing record: 'lapwing ctl' cannot reach this recording: %s\n",
			   g_strerror(errno));
	g_free(name);
}

guint64 ctl_handler_close(void)
{
	control_close();
	if (paused_at)
		paused += clock_ns() - paused_at;
	return paused;
}
