// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * calibration_stub.c - empty functions of the kernel's kind: what a stopwatch reads for one is the
 * stopwatch's own cost.
 *
 * They are compiled as kernel functions are, with ftrace's call site at their start. Each stopwatch
 * has its own, so that none measures another one's probes.
 */
#include "runtime/kernel/probes/calibration_stub.h"

#include <linux/compiler.h>

#include "runtime/core/core.h"

/* Not static, and with a number inside, so that the compiler keeps and calls each of them. */
#define EMPTY(n) \
	void empty_##n(void); \
	noinline void empty_##n(void) { asm volatile("/* " #n " */"); }
EMPTY(0)
EMPTY(1)
EMPTY(2)
EMPTY(3)
EMPTY(4)
EMPTY(5)
EMPTY(6)
EMPTY(7)

EMPTY(8)
EMPTY(9)
EMPTY(10)
EMPTY(11)
EMPTY(12)
EMPTY(13)
EMPTY(14)
EMPTY(15)

static void (*const empties[2][RT_EMPTIES])(void) = {
	{ empty_0, empty_1, empty_2, empty_3, empty_4, empty_5, empty_6, empty_7 },
	{ empty_8, empty_9, empty_10, empty_11, empty_12, empty_13, empty_14, empty_15 },
};

static void (*empty_of(const struct rt_probe *p))(void)
{
	return empties[p->way & RT_WAY_SLOW][(p->stopwatch - 1) % RT_EMPTIES];
}

u64 empty_address(const struct rt_probe *p)
{
	return (unsigned long)empty_of(p);
}

/*
 * Only the first call finds caches as cold as calls after a system call's entry do: the spread
 * contains both kinds, the median mostly warm calls.
 */
void empty_calibrate(void)
{
	u32 i, n;

	for (i = 0; i < rt_script.nprobes; i++)
		for (n = 0; rt_script.probes[i].calibrates == RT_EMPTY_KERNEL &&
			    !rt_script.probes[i].keeps && n < RT_EMPTY_AT_ONCE;
		     n++)
			empty_of(&rt_script.probes[i])();
}
