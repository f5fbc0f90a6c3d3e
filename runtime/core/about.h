/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * about.h - what the consumer says of itself and of the kernel (WIRE_ABOUT).
 */
#ifndef LAPWING_CORE_ABOUT_H
#define LAPWING_CORE_ABOUT_H

#include "runtime/rt.h"
#include "runtime/wire.h"

/*
 * WIRE_ABOUT: what the consumer says of itself, and of the kernel. Before the start. 0 or -EINVAL.
 */
int core_set_about(const void *p, u64 len);
extern struct wire_about core_about;

#endif
