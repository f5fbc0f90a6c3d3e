/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dispatch.h - passes perf's process records on to each part of the runtime that needs them.
 */
#ifndef LAPWING_USER_DISPATCH_H
#define LAPWING_USER_DISPATCH_H

/* Reads what exists, once records arrive and before the first probe is armed. Only once. */
void dispatch_look_around(void);

#endif
