/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uprobe.c - see uprobe.h.
 */
#include "lib/uprobe.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int uprobe_open(const char *path, uint64_t offset)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .probe_offset = offset };
	FILE *f = fopen("/sys/bus/event_source/devices/uprobe/type", "re");
	int known = f && fscanf(f, "%u", &attr.type) == 1;

	if (f)
		fclose(f);
	if (!known)
		return -1;
	attr.uprobe_path = (uint64_t)(unsigned long)path;
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}
