/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ring.h - the output rings, one per possible CPU, mapped by the consumer. */
#ifndef LAPWING_KERNEL_TRANSPORT_RING_H
#define LAPWING_KERNEL_TRANSPORT_RING_H

#include "runtime/kernel/session/session.h"

struct vm_area_struct;

int ring_load(u32 kb);
void ring_unload(void);
u64 ring_bytes(void);			/* header and records of one */
struct ring_writer *ring_of(u32 cpu);	/* for this CPU only, with interrupts off */
int ring_mmap(u32 cpu, struct vm_area_struct *vma);

#endif
