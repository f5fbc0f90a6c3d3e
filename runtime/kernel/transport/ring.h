/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ring.h - the output rings, one per possible CPU, mapped by the consumer. */
#ifndef LAPWING_KERNEL_TRANSPORT_RING_H
#define LAPWING_KERNEL_TRANSPORT_RING_H

#include "runtime/core/core.h"

struct vm_area_struct;

/*
 * Allocates rings of `kb` KB of records, rounded up to a power of two: one per possible CPU, and one
 * more if handlers trace in NMIs. 0 or -ENOMEM, nothing kept. Process context.
 */
int ring_load(u32 kb);
void ring_unload(void);
u64 ring_bytes(void);			/* header and records of one ring */
u32 ring_count(void);			/* as struct wire_hello counts them */
/* For this CPU only, with interrupts off; in_nmi: the ring of its NMIs, if it has one. */
struct ring_writer *ring_of(u32 cpu, int in_nmi);
/* Maps a ring for the consumer. 0 or -EINVAL. Process context. */
int ring_mmap(u32 ring, struct vm_area_struct *vma);

#endif
