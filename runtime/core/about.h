/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * about.h - information for a script on its own run, and its requests to the consumer: a shell
 * command, the next output file.
 */
#ifndef LAPWING_CORE_ABOUT_H
#define LAPWING_CORE_ABOUT_H

#include "runtime/core/core.h"

extern struct wire_about core_about;
/*
 * WIRE_ABOUT: stores the consumer's data on itself and on the kernel. Before the start. 0 or
 * -EINVAL.
 */
int core_take_about(const void *p, u64 len);

#endif
