/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * goroutine.h - a number that identifies a pending call of a goroutine, whose stack may be moved
 * meanwhile.
 */
#ifndef LAPWING_CORE_GOROUTINE_H
#define LAPWING_CORE_GOROUTINE_H

#include "runtime/rt.h"

/*
 * From the address of the goroutine's struct g, the end of its stack and the stack pointer: a
 * number that no other pending call has, and that stays the same when the stack is moved. 0: the
 * arguments are not plausible. Exact for stacks of up to 1 GB, Go's own limit, and for structures,
 * which are 32 bytes apart, within 4 TB.
 */
static inline u64 goroutine_call(u64 g, u64 end, u64 sp)
{
	u64 away = (end - sp) / 8;

	return away >> 27 ? 0 : g >> 5 << 27 | away;
}

#endif
