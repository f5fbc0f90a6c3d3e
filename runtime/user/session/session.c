/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.c - see session.h. The order of a run is here and nothing else.
 */
#include "runtime/user/session/session.h"

#include "runtime/core/core.h"
#include "runtime/user/base/run_state.h"
#include "runtime/user/base/time.h"
#include "runtime/user/context/begin_end.h"
#include "runtime/user/context/enter.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/events/perf_source.h"
#include "runtime/user/probes/family.h"
#include "runtime/user/processes/exe_file.h"
#include "runtime/user/processes/thread.h"
#include "runtime/user/session/accounts.h"
#include "runtime/user/transport/message.h"
#include "runtime/user/values/pmu.h"
#include "symbolize/process.h"

/* Stops the first n families, last first, and what they count with. */
static void stop_families(u32 n)
{
	while (n--)
		if (rt_script.families[n].family->stop)
			rt_script.families[n].family->stop(rt_script.families[n].rows,
							   rt_script.families[n].nrows);
	pmu_stop();
}

static int start_families(void)
{
	int rc = pmu_start();
	u32 i = 0;

	for (; i < rt_script.nfamilies && !rc; i++) {
		const struct rt_family_use *use = &rt_script.families[i];

		rc = use->family->start ? use->family->start(use->rows, use->nrows) : 0;
	}
	if (rc)
		stop_families(i ? i - 1 : 0);
	else if ((rc = pmu_begin()))
		stop_families(i);
	return rc;
}

static void warn(const char *text)
{
	message_text(WIRE_WARNING, "%s", text);
}

void session_read_existing(void)
{
	if (run_state.looked)
		return;
	run_state.looked = 1;
	thread_read_existing();
	if (run_state.programs)
		process_each_existing(exe_file_check);
	if (!(rt_script.capture & (RT_CAP_USYMS | RT_CAP_USTACK)))
		return;
	if (run_state.target.only)
		process_read(run_state.target.pid);
	else
		process_each_existing(process_read);
}

void session_start(void)
{
	s64 armed[2] = { rt_script.nprobes, 0 };

	run_state.started = time_mono();
	run_state.state = STATE_BEGIN;
	process_on_warning(warn);
	begin_end_run(RT_BEGIN);
	if (!run_state.failed && start_families()) {
		run_state.failed = 1;
		run_state.errors++;
	}
	if (run_state.failed) {
		run_state.state = STATE_END;
		runtime_exit_request();
		return;
	}
	session_read_existing();
	run_state.state = STATE_RUNNING;
	runtime_message(WIRE_STARTED, 0, armed, sizeof(armed));
}

void session_stop(int partial)
{
	if (run_state.state == STATE_STOPPED)
		return;
	if (run_state.state == STATE_RUNNING) {
		perf_source_pause();
		merge_round(1);
		stop_families(rt_script.nfamilies);
	}
	run_state.state = STATE_END;
	if (!run_state.failed)
		begin_end_run(RT_END);
	if (run_state.failed) {
		begin_end_run(RT_ERROR);
		enter_ctx.now = 0;
		if (partial)
			core_partial(&enter_ctx);
	}
	accounts_send();
	run_state.state = STATE_STOPPED;
	runtime_message(WIRE_STOPPED, 0, "", 0);
}

void session_abandon(void)
{
	if (run_state.state == STATE_RUNNING)
		stop_families(rt_script.nfamilies);
}
