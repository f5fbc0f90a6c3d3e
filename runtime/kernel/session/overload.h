/* SPDX-License-Identifier: GPL-2.0-or-later */
/* overload.h - monitors the handlers' share of each CPU, while hits run. Process context. */
#ifndef LAPWING_KERNEL_OVERLOAD_H
#define LAPWING_KERNEL_OVERLOAD_H

int overload_load(void);		/* 0 or -ENOMEM */
void overload_unload(void);
void overload_start(void);
void overload_stop(void);

#endif
