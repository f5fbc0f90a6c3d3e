/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ring.h - the output rings, one per possible CPU, mapped by the consumer. */
#ifndef LAPWING_KERNEL_TRANSPORT_RING_H
#define LAPWING_KERNEL_TRANSPORT_RING_H

#include "runtime/core/core.h"

struct vm_area_struct;

/*
 * Allocates rings of `kb` KB of records, rounded up to a power of two. 0 or -ENOMEM, nothing kept.
 * Process context.
 */
int ring_load(u32 kb);
void ring_unload(void);
u64 ring_bytes(void);			/* header and records of one ring */
struct ring_writer *ring_of(u32 cpu);	/* for this CPU only, with interrupts off */
/* Maps a ring for the consumer. 0 or -EINVAL. Process context. */
int ring_mmap(u32 cpu, struct vm_area_struct *vma);

#endif
