/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_hooks.c - see event_hooks.h.
 */
#include "runtime/user/events/event_hooks.h"

#include "runtime/user/events/merge.h"
#include "runtime/user/probes/life.h"
#include "runtime/user/session/session.h"
#include "runtime/user/values/pmu.h"

static void records_handle(void)
{
	merge_begin();
	session_read_existing();
}

const struct event_hooks event_hooks = {
	.records_handle	= records_handle,
	.process_record	= life_record,
	.lost		= life_lost,
	.group		= pmu_group,
	.cpu_offline	= pmu_cpu_offline,
	.cpu_online	= pmu_cpu_online,
	.cpu_counts	= pmu_go_on,
};
