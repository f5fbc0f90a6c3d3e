/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory.h - how much memory a script may take; runtime_alloc() (core/core.h) is the usual way to it.
 */
#ifndef LAPWING_KERNEL_MEMORY_H
#define LAPWING_KERNEL_MEMORY_H

#include "runtime/rt.h"

/*
 * May the script have so many bytes more? Books them; 0: all it has would be more than half of what the machine could spare without it,
 * and the kernel log says so. Process context, load and start only.
 */
int memory_allows(u64 bytes);

#endif
