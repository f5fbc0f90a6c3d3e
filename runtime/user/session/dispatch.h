/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dispatch.h - tells each part of the runtime what it needs to know of perf's records of processes.
 */
#ifndef LAPWING_USER_DISPATCH_H
#define LAPWING_USER_DISPATCH_H

/* Reads what there is before the first probe is armed, when records come. Once. */
void dispatch_look_around(void);

#endif
