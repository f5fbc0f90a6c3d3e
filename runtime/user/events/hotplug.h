/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hotplug.h - CPUs that go offline or come online: events of all CPUs are closed and opened there.
 */
#ifndef LAPWING_USER_HOTPLUG_H
#define LAPWING_USER_HOTPLUG_H

#include "runtime/rt.h"

/* Checks for them once a second. Call it when all rings have been read. */
void hotplug_follow(u64 now);

#endif
