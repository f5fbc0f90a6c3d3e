// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hotplug.c - see hotplug.h.
 */
#include "runtime/kernel/base/hotplug.h"

#include <linux/compiler.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/workqueue.h>

#include "runtime/kernel/base/fault_inject.h"

/*
 * Callbacks of counters and of samplers. Written by session work only; a callback may read an old
 * value until the state is removed.
 */
static struct work_struct *hotplug_works[2];
static int hotplug_state;
static int hotplug_users;

static int hotplug_online(unsigned int cpu)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hotplug_works); i++) {
		struct work_struct *work = READ_ONCE(hotplug_works[i]);

		if (work)
			schedule_work(work);
	}
	return 0;
}

int hotplug_follow(struct work_struct *work)
{
	unsigned int at = hotplug_works[0] != NULL;
	int rc = fault_inject_error();

	if (!rc && !hotplug_users)
		rc = cpuhp_setup_state_nocalls_cpuslocked(CPUHP_AP_ONLINE_DYN, "lapwing:events",
							  hotplug_online, NULL);
	if (rc < 0)
		return rc;
	if (!hotplug_users++)
		hotplug_state = rc;
	WRITE_ONCE(hotplug_works[at], work);
	return 0;
}

void hotplug_leave(struct work_struct *work)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hotplug_works); i++) {
		if (hotplug_works[i] != work)
			continue;
		cpus_read_lock();		/* waits for running callbacks */
		WRITE_ONCE(hotplug_works[i], NULL);
		cpus_read_unlock();
		if (!--hotplug_users)
			cpuhp_remove_state_nocalls(hotplug_state);
		cancel_work_sync(work);
	}
}
