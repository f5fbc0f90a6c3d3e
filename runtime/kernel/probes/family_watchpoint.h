/* SPDX-License-Identifier: GPL-2.0-or-later */
/* family_watchpoint.h - what process.data leaves until the module is unloaded. */
#ifndef LAPWING_KERNEL_FAMILY_WATCHPOINT_H
#define LAPWING_KERNEL_FAMILY_WATCHPOINT_H

/* After the last stop, with the module's reference count at 0. Process context; sleeps. */
void watchpoint_unload(void);

#endif
