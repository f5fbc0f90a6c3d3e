/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_hooks.h - functions of higher rooms that perf events call: those that follow processes, and
 * those that group counters with events.
 */
#ifndef LAPWING_USER_EVENT_HOOKS_H
#define LAPWING_USER_EVENT_HOOKS_H

#include "runtime/user/events/perf_source.h"

struct image;

struct event_hooks {
	/*
	 * Records of processes are merged from now on. Called before an event that causes hits is
	 * opened.
	 */
	void	(*records_handle)(void);
	/*
	 * Handles a record of a process (perf/records.h), in order of time. hit: its time and CPU;
	 * image: the image of its mapping, or NULL.
	 */
	void (*process_record)(const struct perf_event_header *record, struct image *image,
			       struct hit *hit);
	/*
	 * Records older than `until` were lost, with of_processes also records of processes. Called
	 * before records younger than the begin of the loss are handled.
	 */
	void	(*lost)(u64 until, int of_processes);
	/* Descriptor of the group leader for events that are opened on that CPU; -1: none. */
	int	(*group)(int cpu);
	/* A CPU went offline. */
	void	(*cpu_offline)(int cpu);
	/* A CPU came online, and that event was opened on it. 0 or -errno. */
	int	(*cpu_online)(const struct perf_source *s);
	/*
	 * All events of a CPU that came online are open: enables this one if it leads a group. 0 or
	 * -errno.
	 */
	int	(*cpu_counts)(const struct perf_source *s);
};
extern const struct event_hooks event_hooks;	/* event_hooks.c */

#endif
