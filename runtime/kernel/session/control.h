/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control.h - the module's device: messages out by read(), commands in by write(), rings by mmap().
 */
#ifndef LAPWING_KERNEL_SESSION_CONTROL_H
#define LAPWING_KERNEL_SESSION_CONTROL_H

#include "runtime/kernel/session/session.h"

void control_wake_unload(void);
/* Creates the device. 0 or -errno, nothing kept. Process context, as all of these. */
int control_load(void);
void control_unload(void);

#endif
