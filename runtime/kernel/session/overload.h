/* SPDX-License-Identifier: GPL-2.0-or-later */
/* overload.h - the guard against handlers that take a processor away from its work. */
#ifndef LAPWING_KERNEL_SESSION_OVERLOAD_H
#define LAPWING_KERNEL_SESSION_OVERLOAD_H

#include "runtime/rt.h"

/*
 * Watches the share of each CPU that handlers take, from the start of hits to the end of them.
 * Process context.
 */
int overload_load(void);		/* 0 or -ENOMEM */
void overload_unload(void);
void overload_start(void);
void overload_stop(void);

#endif
