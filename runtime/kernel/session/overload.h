/* SPDX-License-Identifier: GPL-2.0-or-later */
/* overload.h - the overload guard, against handlers that use too much of a CPU. */
#ifndef LAPWING_KERNEL_SESSION_OVERLOAD_H
#define LAPWING_KERNEL_SESSION_OVERLOAD_H

#include "runtime/rt.h"

/* Watches the share of each CPU that handlers use, while hits can run. Process context. */
int overload_load(void);		/* 0 or -ENOMEM */
void overload_unload(void);
void overload_start(void);
void overload_stop(void);

#endif
