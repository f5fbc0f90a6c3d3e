/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ring.h - the one output ring, which the consumer reads.
 */
#ifndef LAPWING_USER_RING_H
#define LAPWING_USER_RING_H

#include "runtime/rt.h"

struct wire_ring;

int ring_open(u64 bytes);		/* a power of two; 0 or -1 */
struct wire_ring *ring_get(void);
void ring_close(void);

#endif
