/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs_folder.c - see tracefs_folder.h.
 */
#include "lib/tracefs_folder.h"

#include <sys/mount.h>
#include <unistd.h>

const char *tracefs_folder(void)
{
	if (!access("/sys/kernel/tracing/events", R_OK | X_OK))
		return "/sys/kernel/tracing";
	if (!access("/sys/kernel/debug/tracing/events", R_OK | X_OK))
		return "/sys/kernel/debug/tracing";
	return mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL) ? NULL
									   : "/sys/kernel/tracing";
}
