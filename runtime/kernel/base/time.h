/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time.h - initializes and releases the clocks for handlers and rings (core/core.h, rt.h). Process
 * context.
 */
#ifndef LAPWING_KERNEL_TIME_H
#define LAPWING_KERNEL_TIME_H

void time_load(void);
void time_unload(void);

#endif
