/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * about.h - what a script may ask about its own run, and what it may ask of the consumer: a shell
 * command, the next output file.
 */
#ifndef LAPWING_CORE_ABOUT_H
#define LAPWING_CORE_ABOUT_H

#include "runtime/core/core.h"

extern struct wire_about core_about;
/*
 * WIRE_ABOUT: what the consumer says of itself, and of the kernel. Before the start. 0 or -EINVAL.
 */
int core_take_about(const void *p, u64 len);

#endif
