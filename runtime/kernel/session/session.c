// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * session.c - see session.h.
 */
#include "runtime/kernel/session/session.h"

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "runtime/core/core.h"
#include "runtime/core/procfs.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/base/gate.h"
#include "runtime/kernel/base/run_state.h"
#include "runtime/kernel/base/target.h"
#include "runtime/kernel/context/begin_end.h"
#include "runtime/kernel/context/context.h"
#include "runtime/kernel/context/oops.h"
#include "runtime/kernel/probes/family.h"
#include "runtime/kernel/session/accounts.h"
#include "runtime/kernel/session/overload.h"
#include "runtime/kernel/stacks/bind.h"
#include "runtime/kernel/stacks/stack.h"
#include "runtime/kernel/transport/ring.h"
#include "runtime/kernel/values/pmu.h"

enum session_state {
	SESSION_IDLE,
	SESSION_STARTING,
	SESSION_RUNNING,
	SESSION_STOPPING,
	SESSION_STOPPED
};

static enum session_state session_state;	/* written by start and stop work only; they
						 * exclude each other */
static int session_partial;		/* of the last WIRE_STOP */
static int session_families;		/* number of armed ones; used by the work only */

static void session_start_work(struct work_struct *work);
static void session_stop_work(struct work_struct *work);
static DECLARE_WORK(start_work, session_start_work);
static DECLARE_WORK(stop_work, session_stop_work);

static void session_refuse(const char *why)
{
	runtime_message(WIRE_ERROR, 0, why, (u32)strlen(why) + 1);
}

/* ---- start and stop ------------------------------------------------------------*/

static void session_disarm(void)
{
	overload_stop();
	gate_close(GATE_CLOSED);
	while (session_families > 0) {
		const struct rt_family_use *use = &rt_script.families[--session_families];

		if (use->family->stop)
			use->family->stop(use->rows, use->nrows);
	}
	while (context_any_active())
		usleep_range(100, 1000);
}

static int session_arm(void)
{
	u32 i;

	for (i = 0; i < rt_script.nfamilies; i++) {
		const struct rt_family_use *use = &rt_script.families[i];
		int rc = fault_inject_error()
				 ?: use->family->start ? use->family->start(use->rows, use->nrows)
						       : 0;

		if (rc) {
			session_disarm();
			return rc;
		}
		session_families++;
	}
	return 0;
}

static void session_start_work(struct work_struct *work)
{
	s64 armed[2];
	int rc;

	session_state = SESSION_STARTING;
	stack_start();
	rc = pmu_start();
	if (!rc)
		begin_end_run(RT_BEGIN);
	if (!rc && !atomic_read(&run_state.failed) && !atomic_read(&run_state.exit_requested) &&
	    !run_is_ending())
		rc = session_arm();
	if (run_is_ending() && (!rc || rc == -EINTR)) {	/* no error: the stopping work waits, and
							 * no hit has run */
		session_state = SESSION_RUNNING;
		return;
	}
	if (rc == -ENOMEM)		/* families report other errors */
		session_refuse("not enough memory to arm the probes");
	if (rc) {
		atomic64_inc(&run_state.errors);
		atomic_set(&run_state.failed, 1);
	}
	session_state = SESSION_RUNNING;
	if (atomic_read(&run_state.failed)) {
		runtime_exit_request();
		return;
	}
	if (!atomic_read(&run_state.exit_requested))
		gate_open(target_of_run.only);
	overload_start();
	armed[0] = rt_script.nprobes - min(run_state.unarmed, rt_script.nprobes);
	armed[1] = run_state.unarmed;
	runtime_message(WIRE_STARTED, 0, armed, sizeof(armed));
}

static void session_stop_work(struct work_struct *work)
{
	if (session_state == SESSION_STOPPED)
		return;
	session_disarm();
	session_state = SESSION_STOPPING;
	if (!atomic_read(&run_state.failed))
		begin_end_run(RT_END);
	if (atomic_read(&run_state.failed)) {
		begin_end_run(RT_ERROR);
		if (session_partial && !run_is_abandoned())
			begin_end_partial();
	}
	pmu_stop();
	accounts_send();
	session_state = SESSION_STOPPED;
	runtime_message(WIRE_STOPPED, 0, "", 0);
}

/* Both works go to one CPU of one queue; the flush orders stop after start. */
static int session_cpu;

int session_start(void)
{
	if (atomic_xchg(&run_state.asked, 1))
		return -EBUSY;
	queue_work_on(session_cpu, system_long_wq, &start_work);
	return 0;
}

int session_stop(int partial)
{
	session_partial = partial;	/* read by the work queued here */
	atomic_set(&run_state.asked, 1);
	atomic_set(&run_state.ending, 1);
	gate_close(GATE_CLOSED);
	if (oops_happened()) {		/* everything stays as it is; the work itself may be dead */
		accounts_send();
		runtime_message(WIRE_STOPPED, 0, "", 0);
		return 0;
	}
	flush_work(&start_work);
	queue_work_on(session_cpu, system_long_wq, &stop_work);
	return 0;
}

void session_abandon(void)
{
	atomic_set(&run_state.abandoned, 1);
	session_stop(0);
	if (!oops_happened())
		flush_work(&stop_work);
}

int session_load(void)
{
	session_cpu = raw_smp_processor_id();
	if (begin_end_load(session_cpu))
		return -ENOMEM;
	if (overload_load()) {
		begin_end_unload();
		return -ENOMEM;
	}
	return 0;
}

void session_unload(void)
{
	flush_work(&start_work);
	flush_work(&stop_work);
	books_time_end();
	overload_unload();
	begin_end_unload();
}

void session_hello(void)
{
	struct wire_hello h = {
		.magic = WIRE_MAGIC,
		.version = WIRE_VERSION,
		.abi = RT_ABI,
		.ncpus = nr_cpu_ids,
		.nprobes = rt_script.nprobes,
		.ring_bytes = ring_bytes(),
		.capture = rt_script.capture,
		.time_mono = ktime_get_mono_fast_ns(),
		.time_wall = ktime_get_real_ns(),
		.memory = core_bytes(),
		.shared = core_shared(),
	};
	u32 f, at = 0, room = rt_script.nsymbols + stack_room();

	h.flags = (procfs_stdin(&at) ? WIRE_WANTS_INPUT : 0) | core_requests() |
		  (rt_script.joins ? WIRE_JOINS : 0);
	if (rt_script.capture & RT_CAP_USTACK)
		h.flags |= WIRE_WANTS_CALLERS;
	strscpy(h.script, rt_script.name, sizeof(h.script));
	runtime_message(WIRE_HELLO, 0, &h, sizeof(h));
	for (f = 0; f < rt_script.nfamilies; f++)
		room += rt_script.families[f].nrows;
	if (core_describe() || bind_load(room))
		/* the consumer gives up */
		session_refuse("not enough memory to send the script's tables");
	for (f = 0; f < rt_script.nfamilies; f++)
		if (rt_script.families[f].family->needs)
			rt_script.families[f].family->needs(rt_script.families[f].rows,
							    rt_script.families[f].nrows);
	bind_request_symbols();
	stack_request();
	runtime_message(WIRE_READY, 0, "", 0);
}
