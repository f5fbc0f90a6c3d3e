/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_state.c - see run_state.h.
 */
#include "runtime/user/base/run_state.h"

#include "runtime/core/core.h"

struct run_state run_state;

void runtime_exit_request(void)
{
	if (run_state.exit_requested)
		return;
	run_state.exit_requested = 1;
	runtime_message(WIRE_EXIT, 0, "", 0);
}

void run_count_error(void)
{
	run_state.errors++;
	if (run_state.errors > rt_script.limits.maxerrors) {
		run_state.failed = 1;
		runtime_exit_request();
	}
}
