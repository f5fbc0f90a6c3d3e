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
#include <time.h>

/* as ctl set it; the script's own profile_on() and profile_off() are not known here */
static int paused;
static time_t began;

static time_t seconds_now(void)
{
	return (time_t)(clock_ns() / 1000000000);
}

static u64 records_read(void)
{
	u64 n = 0;

	for (u32 cpu = 0; cpu < facts.hello.ncpus; cpu++)
		n += output_books(cpu).records;
	return n;
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

static int act(enum control_word word, char *text, size_t size)
{
	if (word == CONTROL_ON || word == CONTROL_OFF)
		return switch_probes(word == CONTROL_ON, text, size);
	catch_up();
	if (word == CONTROL_FLUSH)
		snprintf(text, size, "its output so far is written: %llu records", records_read());
	else
		snprintf(text, size, "a script, has run %lld s%s, %llu records of output",
			 (long long)(seconds_now() - began), paused ? ", probes off" : "",
			 records_read());
	return 0;
}

void ctl_handler_open(void)
{
	const char *slash = strrchr(facts.hello.script, '/');

	began = seconds_now();
	if (control_open(slash ? slash + 1 : facts.hello.script, act))
		say("lapwing-run: %s: 'lapwing ctl' cannot reach this run\n", strerror(errno));
}
