/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory.h - limit of a script's memory; runtime_alloc() (core/core.h) is the usual interface. */
#ifndef LAPWING_KERNEL_MEMORY_H
#define LAPWING_KERNEL_MEMORY_H

#include "runtime/rt.h"

/*
 * True if the script may allocate `size` more bytes, which are then accounted. 0: its total would
 * exceed half of the available memory; the kernel log says so. Process context, load and start
 * only.
 */
int memory_allows(u64 bytes);

#endif
