/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine.h - which of the two architectures this machine is.
 */
#ifndef LAPWING_MACHINE_H
#define LAPWING_MACHINE_H

/* By uname(), which it asks once; else it is x86-64. */
int machine_is_arm64(void);

#endif
