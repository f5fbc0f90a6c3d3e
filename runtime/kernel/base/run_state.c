// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_state.c - see run_state.h.
 */
#include "runtime/kernel/base/run_state.h"

#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/timekeeping.h>

#include "runtime/core/core.h"
#include "runtime/core/refuse.h"
#include "runtime/core/sampling.h"

struct wire_target run_target;
int run_gate = RUN_CLOSED;
int run_timed;
struct task_struct *run_phase_task;
/* when run_gate was opened, closed; ns; run_closed 0: not yet */
static u64 run_opened = U64_MAX, run_closed;
static atomic_t run_failed, run_abandoned, run_ending;
static atomic64_t run_nerrors, run_nskips;

/* ---- which hits run ------------------------------------------------------------*/

void run_open(void)
{
	run_opened = ktime_get_mono_fast_ns();
	WRITE_ONCE(run_gate, run_target.only ? RT_RUNNING | RUN_ONLY : RT_RUNNING);
}

void run_close(int how)
{
	int gate = READ_ONCE(run_gate);

	while (gate >= 0 && !try_cmpxchg(&run_gate, &gate, how))
		;
	if (gate >= 0)
		run_closed = ktime_get_mono_fast_ns();
}

/* Sets or clears a bit of run_gate while it is open. */
static void run_set(int bit, int on)
{
	int gate = READ_ONCE(run_gate);

	while (gate >= 0 && !try_cmpxchg(&run_gate, &gate, on ? gate | bit : gate & ~bit))
		;
}

void run_time_hits(int check)
{
	WRITE_ONCE(run_timed, check);
	if (rt_script.limits.overload_tasks)
		run_set(RUN_ODD, check != 0);
}

void run_switch(int on)
{
	if (on)
		WRITE_ONCE(sampling_off, 0);
	run_set(RUN_PAUSED, !on);
}

void run_span(u64 *from, u64 *until)
{
	*from = run_opened;
	*until = run_closed ? run_closed : U64_MAX;
}

/* ---- how it ends ---------------------------------------------------------------*/

void run_set_failed(void)
{
	atomic_set(&run_failed, 1);
}

void run_fail(void)
{
	run_set_failed();
	runtime_exit_request();
}

int run_has_failed(void)
{
	return atomic_read(&run_failed);
}

int run_count_error(void)
{
	return atomic64_inc_return(&run_nerrors) > rt_script.limits.maxerrors;
}

void run_error(void)
{
	if (run_count_error())
		run_fail();
}

void run_skipped(void)
{
	if (atomic64_inc_return(&run_nskips) != (s64)rt_script.limits.maxskipped + 1)
		return;
	core_error(RUN_SKIPPED, NULL);
	run_fail();
}

u64 run_errors(void)
{
	return atomic64_read(&run_nerrors);
}

u64 run_skips(void)
{
	return atomic64_read(&run_nskips);
}

int run_is_ending(void)
{
	return atomic_read(&run_ending);
}

void run_end(void)
{
	atomic_set(&run_ending, 1);
	run_close(RUN_CLOSED);
}

notrace int run_is_abandoned(void)
{
	return atomic_read(&run_abandoned);
}

void run_abandon(void)
{
	atomic_set(&run_abandoned, 1);
}
