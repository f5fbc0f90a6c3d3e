/* SPDX-License-Identifier: GPL-2.0-or-later */
/* act.h - initialization and shutdown of handlers' actions (act.c), which rt.h declares. */
#ifndef LAPWING_KERNEL_ACT_H
#define LAPWING_KERNEL_ACT_H

void act_load(void);
/* Returns after all signals have been sent. After the last handler. May sleep. */
void act_unload(void);

#endif
