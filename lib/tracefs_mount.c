/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs_mount.c - see tracefs_mount.h.
 */
#include "lib/tracefs_mount.h"

#include <stdio.h>
#include <sys/mount.h>
#include <unistd.h>

const char *tracefs_find(void)
{
	static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

	for (int i = 0; i < 2; i++) {
		char events[64];

		snprintf(events, sizeof(events), "%s/events", places[i]);
		if (!access(events, R_OK | X_OK))
			return places[i];
	}
	/* Mounts tracefs at its usual place, as every tracer does. */
	return mount("tracefs", places[0], "tracefs", 0, NULL) ? NULL : places[0];
}

const char *tracefs_problem(void)
{
	if (tracefs_find())
		return NULL;
	return geteuid() ? "is root's: run as root"
			 : "is not mounted: mount -t tracefs tracefs /sys/kernel/tracing";
}
