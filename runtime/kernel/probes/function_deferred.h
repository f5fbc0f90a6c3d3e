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
 * Takes a row, to be armed when its module is loaded. 0: not taken, because it names no module.
 * After return_load().
 */
int deferred_take(const struct rt_function *row);
/* True if any row was taken. */
int deferred_any(void);
/* From now on modules are watched; 0 or -errno. */
int deferred_start(void);
/* Sends a warning: the module was loaded, and the probe of it could not be armed, because of rc (-errno). */
void deferred_refused(const struct rt_probe *p, const char *module, int rc);
/* Disarms all; afterwards no handler runs or will run, and function_forget() is not called. */
void deferred_stop(void);

#endif
