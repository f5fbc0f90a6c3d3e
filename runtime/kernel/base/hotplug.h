/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hotplug.h - work to do when a CPU has come: perf takes its events from a CPU that goes, and gives it none when it is back.
 *
 * Not in hotplug's own callbacks: opening a perf event of software waits for hotplug to be over.
 */
#ifndef LAPWING_KERNEL_HOTPLUG_H
#define LAPWING_KERNEL_HOTPLUG_H

struct work_struct;

/* The work runs, once or more, after each CPU that comes. 0 or -errno. Process context; the caller holds cpus_read_lock(). */
int hotplug_follow(struct work_struct *work);
/* It does so no more and is not running. Process context, without that lock. Nothing where it was not followed. */
void hotplug_leave(struct work_struct *work);

#endif
