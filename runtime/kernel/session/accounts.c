// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * accounts.c - see accounts.h. Collects statistics from contexts of hits, begin and end probes, and
 * families.
 */
#include "runtime/kernel/session/accounts.h"

#include <linux/sched.h>

#include "runtime/core/backtrace.h"
#include "runtime/core/core.h"
#include "runtime/kernel/base/run_state.h"
#include "runtime/kernel/context/begin_end.h"
#include "runtime/kernel/context/context.h"
#include "runtime/kernel/context/locks.h"
#include "runtime/kernel/probes/family_function.h"
#include "runtime/kernel/probes/family_profile.h"
#include "runtime/kernel/probes/family_uprobe.h"

static void accounts_of(u32 probe, struct wire_account *a)
{
	*a = *begin_end_books(probe);
	context_account(probe, a);
	function_account(&rt_script.probes[probe], a);
	uprobe_account(&rt_script.probes[probe], a);
}

void runtime_books(u32 probe, struct wire_account *a)
{
	struct wire_account keeper;

	accounts_of(probe, a);
	if (rt_script.probes[probe].keeper) {
		accounts_of(rt_script.probes[probe].keeper - 1, &keeper);
		books_serve(a, &keeper);
	}
	books_entered(a);
}

void accounts_send(void)
{
	struct wire_summary sum = {
		.errors = atomic64_read(&run_state.errors), .state = atomic_read(&run_state.failed),
		.skipped = atomic64_read(&run_state.skips),
	};
	u32 i;

	for (i = 0; i < rt_script.nprobes; i++) {
		struct wire_account a;

		runtime_books(i, &a);
		a.hidden = rt_script.probes[i].keeps || rt_script.probes[i].calibrates;
		books_percentile(i, &a);
		runtime_message(WIRE_ACCOUNT, i, &a, sizeof(a));
		cond_resched();
	}
	books_globals(locks_timeouts);
	profile_account(&sum);
	backtrace_account(&sum);
	context_names(&sum);
	backtrace_names(begin_end_idle(), &sum);
	runtime_message(WIRE_SUMMARY, 0, &sum, sizeof(sum));
}
