/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs_mount.c - see tracefs_mount.h.
 */
#include "lib/tracefs_mount.h"

#include <linux/magic.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/vfs.h>
#include <unistd.h>

static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

static const char *with_events(void)
{
	for (int i = 0; i < 2; i++) {
		char events[64];

		snprintf(events, sizeof(events), "%s/events", places[i]);
		if (!access(events, R_OK | X_OK))
			return places[i];
	}
	return NULL;
}

static int is_mounted(void)
{
	struct statfs fs;

	return !statfs(places[0], &fs) && fs.f_type == TRACEFS_MAGIC;
}

const char *tracefs_find(void)
{
	const char *found = with_events();

	/* Mounts tracefs at its usual place, as every tracer does. */
	if (!found && !is_mounted() && !mount("tracefs", places[0], "tracefs", 0, NULL))
		found = with_events();
	return found;
}

const char *tracefs_problem(void)
{
	if (tracefs_find())
		return NULL;
	if (geteuid())
		return "is root's: run as root";
	return is_mounted() ? "is empty: kernel lockdown (confidentiality) forbids it"
			    : "is not mounted: mount -t tracefs tracefs /sys/kernel/tracing";
}
