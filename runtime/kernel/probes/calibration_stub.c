// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * calibration_stub.c - empty functions compiled like the kernel's: what stopwatches read of them is
 * their own cost.
 *
 * They have ftrace's entry code. Each stopwatch has its own, so that none measures another one's
 * probes.
 */
#include "runtime/kernel/probes/calibration_stub.h"

#include <linux/compiler.h>

#include "runtime/core/core.h"

/* Not static, and with a number inside: the compiler is to keep and to call each of them. */
#define STUB(n) \
	void calibration_stub_##n(void); \
	noinline void calibration_stub_##n(void) { asm volatile("/* " #n " */"); }
STUB(0)
STUB(1)
STUB(2)
STUB(3)
STUB(4)
STUB(5)
STUB(6)
STUB(7)

STUB(8)
STUB(9)
STUB(10)
STUB(11)
STUB(12)
STUB(13)
STUB(14)
STUB(15)

static void (*const stubs[2][RT_CALIBRATION_STUBS])(void) = {
	{ calibration_stub_0, calibration_stub_1, calibration_stub_2, calibration_stub_3,
	  calibration_stub_4, calibration_stub_5, calibration_stub_6, calibration_stub_7 },
	{ calibration_stub_8, calibration_stub_9, calibration_stub_10, calibration_stub_11,
	  calibration_stub_12, calibration_stub_13, calibration_stub_14, calibration_stub_15 },
};

static void (*stub_of(const struct rt_probe *p))(void)
{
	return stubs[p->way & RT_WAY_DETOUR][(p->stopwatch - 1) % RT_CALIBRATION_STUBS];
}

u64 calibration_stub_address(const struct rt_probe *p)
{
	return (unsigned long)stub_of(p);
}

/*
 * Only the first of them finds caches as cold as calls after a system call's entry do: both are in
 * the spread, most in the median.
 */
void calibration_stub_call(void)
{
	u32 i, n;

	for (i = 0; i < rt_script.nprobes; i++)
		for (n = 0; rt_script.probes[i].calibrates == RT_STUB_KERNEL &&
			    !rt_script.probes[i].keeps && n < RT_STUB_AT_ONCE;
		     n++)
			stub_of(&rt_script.probes[i])();
}
