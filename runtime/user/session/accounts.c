/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * accounts.c - see accounts.h.
 */
#include "runtime/user/session/accounts.h"

#include "runtime/core/backtrace.h"
#include "runtime/core/core.h"
#include "runtime/user/base/run_state.h"
#include "runtime/user/context/enter.h"
#include "runtime/user/context/unread.h"
#include "runtime/user/events/perf_source.h"
#include "runtime/user/processes/exe_file.h"
#include "runtime/user/transport/message.h"
#include "runtime/user/values/pmu.h"
#include "symbolize/process.h"

#include <stddef.h>

void runtime_books(u32 probe, struct wire_account *a)
{
	*a = run_state.account[probe];
}

/* Does anything that the script says depend on who was what when? */
static int needs_processes(void)
{
	return run_state.target.only || exe_file_requested() ||
	       rt_script.capture &
		       (RT_CAP_COMM | RT_CAP_PARENT | RT_CAP_CRED | RT_CAP_USYMS | RT_CAP_USTACK);
}

void accounts_send(void)
{
	struct wire_summary sum = {
		.errors = run_state.errors, .skipped = run_state.skipped,
		.samples = run_state.samples,
		.samples_lost = run_state.samples_lost,
		.samples_expected = run_state.samples_expected,
		.samples_idle = run_state.samples_idle, .samples_own = run_state.samples_own,
		.samples_off = run_state.samples_off,
		.samples_asleep = run_state.samples_asleep,
		.samples_no_room = run_state.samples_no_room,
		.sample_clocks = run_state.sample_clocks, .state = (u32)run_state.failed,
	};

	pmu_account(&sum);
	if (needs_processes())
		sum.process_records_lost = perf_process_lost(&sum.process_records);
	if (process_notes_refused())
		message_text(WIRE_WARNING, "%llu notes from programs were dropped: too many",
			     process_notes_refused());
	backtrace_account(&sum);
	backtrace_names(&enter_ctx, &sum);
	unread_send();
	for (u32 i = 0; i < rt_script.nprobes; i++) {
		struct wire_account *a = &run_state.account[i];

		a->hidden = rt_script.probes[i].keeps || rt_script.probes[i].calibrates;
		books_percentile(i, a);
		runtime_message(WIRE_ACCOUNT, i, a, sizeof(*a));
	}
	books_globals(NULL);
	runtime_message(WIRE_SUMMARY, 0, &sum, sizeof(sum));
}
