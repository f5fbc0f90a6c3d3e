/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ring.h - the one output ring. */
#ifndef LAPWING_USER_TRANSPORT_RING_H
#define LAPWING_USER_TRANSPORT_RING_H

#include "runtime/user/user.h"

int ring_open(u64 bytes);		/* a power of two; 0 or -1 */
struct wire_ring *ring_get(void);
void ring_close(void);

#endif
