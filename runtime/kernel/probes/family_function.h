/* SPDX-License-Identifier: GPL-2.0-or-later */
/* family_function.h - statistics of probes in kernel functions. */
#ifndef LAPWING_KERNEL_FAMILY_FUNCTION_H
#define LAPWING_KERNEL_FAMILY_FUNCTION_H

#include "runtime/rt.h"
#include "runtime/wire.h"

/* Adds misses that only the kernel counts, and pending calls; after the family has stopped. */
void function_account(const struct rt_probe *p, struct wire_account *sum);
/* Waits until the probes are removed, which stop() does not. Process context. */
void function_unload(void);

#endif
