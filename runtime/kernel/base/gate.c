// SPDX-License-Identifier: GPL-2.0-or-later
/* gate.c - see gate.h. It does not know why it is closed. */
#include "runtime/kernel/base/gate.h"

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/ktime.h>

#include "runtime/core/sampling.h"
#include "runtime/kernel/compat/compat.h"

int gate_state = GATE_CLOSED;
int gate_timed;
static u64 gate_opened = U64_MAX, gate_closed;	/* times of these, ns; closed 0: not yet; written
						 * by the closer and the work */

void gate_open(int only)
{
	gate_opened = ktime_get_mono_fast_ns();
	WRITE_ONCE(gate_state, only ? RT_RUNNING | GATE_ONLY : RT_RUNNING);
}

void gate_close(int how)
{
	int gate = READ_ONCE(gate_state);

	while (gate >= 0 && !try_cmpxchg(&gate_state, &gate, how))
		;
	if (gate >= 0)
		gate_closed = ktime_get_mono_fast_ns();
}

/* Sets or clears a flag of an open gate. */
static void gate_set_flag(int what, int on)
{
	int gate = READ_ONCE(gate_state);

	while (gate >= 0 && !try_cmpxchg(&gate_state, &gate, on ? gate | what : gate & ~what))
		;
}

void gate_time_hits(int look)
{
	WRITE_ONCE(gate_timed, look);
	if (rt_script.limits.overload_tasks)
		gate_set_flag(GATE_ODD, look != 0);
}

void gate_switch(int on)
{
	if (on)
		WRITE_ONCE(sampling_off, 0);
	gate_set_flag(GATE_PAUSED, !on);
}

void gate_open_span(u64 *from, u64 *until)
{
	*from = gate_opened;
	*until = gate_closed ? gate_closed : U64_MAX;
}
