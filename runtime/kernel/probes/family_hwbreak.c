// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family_hwbreak.c - kernel.data, process.data: writes to and accesses of memory, by hardware
 * breakpoints.
 *
 * One breakpoint per CPU and row, of any process: whether a hit is in the process wanted is checked
 * at the hit. The translator refuses them on arm64, whose kernel does not step over the access for
 * handlers other than its own.
 */
#include <linux/err.h>
#include <linux/hw_breakpoint.h>
#include <linux/kernel.h>
#include <linux/perf_event.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/base/run_state.h"
#include "runtime/kernel/base/target.h"
#include "runtime/kernel/compat/compat.h"
#include "runtime/kernel/context/context.h"
#include "runtime/kernel/context/enter.h"
#include "runtime/kernel/probes/family.h"
#include "runtime/kernel/stacks/bind.h"

static struct perf_event * __percpu **hwbreaks;	/* [rows]; NULL: not armed */
static u32 hwbreak_slots;			/* of the first row's address */

static void hwbreak_needs(const void *rows, u32 n)
{
	const struct rt_hwbreak *row = rows;
	u32 i, slot;

	for (i = 0; i < n; i++) {
		slot = bind_request(row[i].symbol ? row[i].symbol : "", NULL, WIRE_NEED_DATA);
		if (!i)
			hwbreak_slots = slot;
	}
}

static notrace s32 hwbreak_process(const struct rt_hwbreak *row)
{
	return row->target ? target_of_run.pid : row->pid;
}

/*
 * The process of -c does not count before its exec: the first thread's flag says so, a fork sets
 * it.
 */
static notrace int hwbreak_is_wanted(const struct rt_hwbreak *row)
{
	if (!row->target && !row->pid)
		return 1;
	return current->tgid == hwbreak_process(row) &&
	       !(row->target && target_of_run.waits &&
		 READ_ONCE(current->group_leader->flags) & PF_FORKNOEXEC);
}

/*
 * A debug exception counts as an NMI, whatever it interrupts, like a breakpoint
 * (function_kprobe_hit). What a handler itself reads is no hit: the interrupted code is the
 * kernel's, at a level that has a handler running.
 */
static notrace void hwbreak_hit(struct perf_event *event, struct perf_sample_data *sample,
				struct pt_regs *regs)
{
	const struct rt_hwbreak *row = event->overflow_handler_context;
	int exception = IS_ENABLED(CONFIG_X86) && in_nmi() ? NMI_OFFSET + HARDIRQ_OFFSET : 0;

	if (!hwbreak_is_wanted(row))
		return;
	__preempt_count_sub(exception);
	if (user_mode(regs) || !context_here()->busy)
		enter_probe(row->probe, regs);
	__preempt_count_add(exception);
}

static int hwbreak_process_exists(const struct rt_hwbreak *row)
{
	int exists;

	rcu_read_lock();
	exists = pid_task(find_pid_ns(hwbreak_process(row), &init_pid_ns), PIDTYPE_TGID) != NULL;
	rcu_read_unlock();
	return exists;
}

static int hwbreak_arm(const struct rt_hwbreak *row, u32 i)
{
	struct perf_event * __percpu *event;
	struct perf_event_attr attr;
	const u64 *found = NULL;
	int rc;

	if ((row->target || row->pid) && !hwbreak_process_exists(row))
		return -ESRCH;
	hw_breakpoint_init(&attr);
	attr.bp_addr = row->address;
	if (row->symbol)
		attr.bp_addr = bind_addresses(hwbreak_slots + i, &found) ? found[0] : 0;
	if (!attr.bp_addr)
		return -ENOENT;
	attr.bp_len = row->length;
	if (!attr.bp_len)
		for (attr.bp_len = 4; attr.bp_addr % attr.bp_len; attr.bp_len /= 2)
			;
	attr.bp_type = row->reads ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W;
	if (fault_inject_error())
		return -ENOMEM;
	event = register_wide_hw_breakpoint(&attr, hwbreak_hit, (void *)row);
	rc = percpu_pointer_error(event);
	if (rc)
		return rc;
	hwbreaks[i] = event;
	return 0;
}

static int hwbreak_refuse(const struct rt_hwbreak *row, int rc)
{
	char text[256];

	scnprintf(text, sizeof(text), "probe %s registration error [man warning::pass5] (rc %d)%s",
		  row->probe->point, rc,
		  rc == -ENOENT   ? ": this kernel has no such symbol"
		  : rc == -ESRCH  ? row->target ? ": it needs -c or -x" : ": there is no such process"
		  : rc == -ENOSPC ? ": the processor's debug registers are all in use"
		  : rc == -EINVAL
			  ? ": no memory of that kind, or the address is not a multiple of the length"
			  : "");
	runtime_message(row->optional ? WIRE_WARNING : WIRE_ERROR, 0, text, strlen(text) + 1);
	run_state.unarmed += row->optional != 0;
	return row->optional ? 0 : rc;
}

static void hwbreak_stop(const void *rows, u32 nrows)
{
	u32 i;

	for (i = 0; hwbreaks && i < nrows; i++)
		if (hwbreaks[i])
			unregister_wide_hw_breakpoint(hwbreaks[i]);
	runtime_free(hwbreaks);
	hwbreaks = NULL;
}

static int hwbreak_start(const void *rows, u32 nrows)
{
	const struct rt_hwbreak *row = rows;
	u32 i;
	int rc = 0;

	hwbreaks = runtime_alloc((u64)nrows * sizeof(*hwbreaks));
	if (!hwbreaks)
		return -ENOMEM;
	for (i = 0; i < nrows && !rc; i++) {
		rc = hwbreak_arm(&row[i], i);
		if (rc)
			rc = hwbreak_refuse(&row[i], rc);
	}
	if (rc)
		hwbreak_stop(rows, nrows);
	return rc;
}

const struct rt_family rt_family_hwbreak = {
	.name	= "hwbreak",
	.needs	= hwbreak_needs,
	.start	= hwbreak_start,
	.stop	= hwbreak_stop,
};
