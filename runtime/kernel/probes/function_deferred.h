/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * function_deferred.h - functions of modules that are loaded, or loaded again, while the script
 * runs: armed then, disarmed when the module is unloaded.
 */
#ifndef LAPWING_KERNEL_FUNCTION_DEFERRED_H
#define LAPWING_KERNEL_FUNCTION_DEFERRED_H

#include "runtime/rt.h"

/* Room for n rows; process context, as the next three. 0 or -ENOMEM. */
int deferred_load(u32 n);
/*
 * Adds a row, to be armed when its module is loaded. 0: it names no module and is not added. After
 * return_load().
 */
int deferred_take_over(const struct rt_function *row);
/* True if any row was added. */
int deferred_any(void);
/*
 * Watches modules from now on; 0 or -errno. Calls forget() for each row whose module is unloaded:
 * its probe from the start must be dropped; when the module is loaded again, this file arms it.
 * Process context.
 */
int deferred_start(void (*forget)(const struct rt_probe *p));
/* Disarms all; afterwards no handler runs or will run, and forget() is not called. */
void deferred_stop(void);

#endif
