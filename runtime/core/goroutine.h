/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * goroutine.h - a number for a call of a goroutine, whose stack may be moved while it is under way.
 */
#ifndef LAPWING_CORE_GOROUTINE_H
#define LAPWING_CORE_GOROUTINE_H

#include "runtime/rt.h"

/*
 * A call of a goroutine's, by the address of its struct g, the end of its stack and the stack
 * pointer: a number that no other call that is under way has, and that stays when the stack is
 * moved. 0: these are not what they should be. Exact for stacks of up to 1 GB, Go's own limit, and
 * structures, which are 32 bytes apart, within 4 TB.
 */
static inline u64 goroutine_call(u64 g, u64 end, u64 sp)
{
	u64 away = (end - sp) / 8;

	return away >> 27 ? 0 : g >> 5 << 27 | away;
}

#endif
