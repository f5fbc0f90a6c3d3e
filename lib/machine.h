/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine.h - which of the two architectures this machine is.
 */
#ifndef LAPWING_MACHINE_H
#define LAPWING_MACHINE_H

/* From uname(), which is called once; otherwise the machine is x86-64. */
int machine_is_arm64(void);

#endif
