/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hotplug.h - work after a CPU comes online: perf removes its events from a CPU that goes offline,
 * and does not restore them.
 *
 * The work does not run in the hotplug callbacks: opening a software perf event waits for the end
 * of hotplug.
 */
#ifndef LAPWING_KERNEL_HOTPLUG_H
#define LAPWING_KERNEL_HOTPLUG_H

struct work_struct;

/*
 * Runs the work, once or more, after each CPU that comes online. 0 or -errno. Process context; the
 * caller holds cpus_read_lock().
 */
int hotplug_follow(struct work_struct *work);
/*
 * Undoes hotplug_follow() and waits for the work. Process context, without that lock. No-op without
 * hotplug_follow().
 */
void hotplug_leave(struct work_struct *work);

#endif
