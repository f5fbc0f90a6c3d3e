/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ctl_handler.c - handles requests of `lapwing ctl` to a running script.
 */
#include "runtime/run/ctl_handler.h"

#include "lib/clock.h"
#include "runtime/run/control.h"
#include "runtime/run/facts.h"
#include "runtime/run/messages.h"
#include "runtime/run/output.h"
#include "runtime/run/run.h"

#include <errno.h>
#include <string.h>

/* as ctl set it; the script's own profile_on() and profile_off() are not known here */
static int paused;
static u64 began;		/* ns */

static void count_records(struct control_answer *a)
{
	for (u32 i = 0; i < facts.hello.nrings; i++) {
		struct output_books b = output_books(i);

		a->count += b.records;
		a->lost += b.lost;
	}
}

static int switch_probes(int on, char *text, size_t size)
{
	int rc = command_send(WIRE_SWITCH, (u32)on, "", 0);

	if (!rc)
		paused = !on;
	snprintf(text, size, "%s",
		 rc ? strerror(-rc)
		 : on ? "probes are on"
		 : "probes are off: hits are counted, and go to no handler");
	return rc;
}

/*
 * After a round no older hits or output can appear: the second round handles everything from before
 * the first.
 */
static void catch_up(void)
{
	for (int round = 0; round < 2; round++) {
		session->wait(0);
		messages_handle();
		output_drain(0);
	}
}

static int act(enum control_word word, struct control_answer *a)
{
	if (word == CONTROL_ON || word == CONTROL_OFF)
		return switch_probes(word == CONTROL_ON, a->text, sizeof(a->text));
	catch_up();
	count_records(a);
	a->paused = (u32)paused;
	a->ran_ns = clock_ns() - began;
	if (opt.output && strlen(opt.output) < sizeof(a->file))
		strcpy(a->file, opt.output);
	if (word == CONTROL_FLUSH)
		snprintf(a->text, sizeof(a->text), "its output so far is written: %llu records",
			 a->count);
	else
		snprintf(a->text, sizeof(a->text), "a script, has run %llu s%s, %llu records of output",
			 a->ran_ns / 1000000000, paused ? ", probes off" : "", a->count);
	return 0;
}

void ctl_handler_open(void)
{
	const char *slash = strrchr(facts.hello.script, '/');

	began = clock_ns();
	if (control_open(slash ? slash + 1 : facts.hello.script, act))
		say("lapwing-run: %s: 'lapwing ctl' cannot reach this run\n", strerror(errno));
}
