/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control.h - the module's device, through which the consumer reads messages, sends commands and
 * maps rings.
 */
#ifndef LAPWING_KERNEL_CONTROL_H
#define LAPWING_KERNEL_CONTROL_H

/* Creates the device. 0 or -errno, nothing kept. Process context, as all of these. */
int control_load(void);
void control_unload(void);
/* Waits for pending wake-ups of the reader; after the last message. */
void control_wake_unload(void);

#endif
