/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * act.h - begin and end of what handlers do to the machine (act.c); what that is is in rt.h.
 */
#ifndef LAPWING_KERNEL_ACT_H
#define LAPWING_KERNEL_ACT_H

void act_load(void);
/* Returns when every signal has been sent. No handler runs any more. May sleep. */
void act_unload(void);

#endif
