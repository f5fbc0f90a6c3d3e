// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * has_system_dfl_wq.c - compiles if the queue of works that may run on any CPU is system_dfl_wq:
 * 7.3 complains of system_unbound_wq.
 */
#include <linux/workqueue.h>

bool has_system_dfl_wq(struct work_struct *work);
bool has_system_dfl_wq(struct work_struct *work)
{
	return queue_work(system_dfl_wq, work);
}
