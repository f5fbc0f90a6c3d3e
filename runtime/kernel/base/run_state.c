// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_state.c - see run_state.h.
 */
#include "runtime/kernel/base/run_state.h"

#include <linux/compiler.h>

#include "runtime/core/core.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/base/gate.h"

struct run_state run_state;

void runtime_exit_request(void)
{
	fault_inject_write();
	if (atomic_xchg(&run_state.exit_requested, 1))
		return;
	gate_close(GATE_CLOSED);
	runtime_message(WIRE_EXIT, 0, "", 0);
}

void run_fail(void)
{
	atomic_set(&run_state.failed, 1);
	runtime_exit_request();
}

void run_count_error(void)
{
	if (atomic64_inc_return(&run_state.errors) > rt_script.limits.maxerrors)
		run_fail();
}

void run_count_skipped(void)
{
	static const char text[] =
		"Skipped too many probes, check MAXSKIPPED or try again with stap -t for more details.";

	if (atomic64_inc_return(&run_state.skips) != (s64)rt_script.limits.maxskipped + 1)
		return;
	runtime_message(WIRE_ERROR, 0, text, sizeof(text));
	run_fail();
}

int run_is_requested(void)
{
	return atomic_read(&run_state.asked);
}

int run_is_ending(void)
{
	return atomic_read(&run_state.ending);
}

notrace int run_is_abandoned(void)
{
	return atomic_read(&run_state.abandoned);
}
