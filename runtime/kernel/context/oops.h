/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * oops.h - a fault in a handler.
 */
#ifndef LAPWING_KERNEL_OOPS_H
#define LAPWING_KERNEL_OOPS_H

int oops_load(void);
void oops_unload(void);
/* 1: a handler has faulted. Nothing may be disarmed or freed from then on. Any context. */
int oops_happened(void);

#endif
