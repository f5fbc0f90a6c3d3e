/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hooks.h - hooks for what perf events report besides hits. The code for events does not depend on
 * who uses them: session/dispatch.c defines the hooks. All are called in order of time.
 */
#ifndef LAPWING_USER_HOOKS_H
#define LAPWING_USER_HOOKS_H

#include "runtime/user/user.h"

struct image;
struct perf_event_header;
struct event_source;

struct event_hooks {
	/* Process records arrive from now on; no probe is armed yet. May be called again. */
	void (*opened)(void);
	/* A process record, or a note; image: records_image() of it. */
	void (*record)(const struct perf_event_header *h, struct image *image, u64 time, u32 cpu);
	/* A hit with counts is about to be handled. */
	void (*counts)(const struct hit *hit);
	/* A loss of records, up to `until`, is reached; of_processes: process records too. */
	void (*lost)(u64 until, int of_processes);
	/* The group of counters that an event on that CPU joins; -1: none. */
	int (*group)(int cpu);
	/* A CPU has gone offline; its events are about to be closed. */
	void (*cpu_gone)(int cpu);
	/*
	 * A CPU has come online: cpu_opens after each event that is opened there, which may lead a
	 * group; cpu_opened once all are open. 0 or -errno.
	 */
	int (*cpu_opens)(const struct event_source *s);
	int (*cpu_opened)(const struct event_source *s);
};
extern const struct event_hooks event_hooks;

#endif
