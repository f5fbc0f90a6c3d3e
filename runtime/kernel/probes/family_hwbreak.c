// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family_hwbreak.c - kernel.data: writes to and accesses of kernel memory, by the processor's debug
 * registers.
 *
 * One breakpoint on every CPU for each row. Not offered by the translator on arm64, whose kernel
 * does not step over the access if the handler is not the kernel's own.
 */
#include <linux/err.h>
#include <linux/hw_breakpoint.h>
#include <linux/kernel.h>
#include <linux/perf_event.h>

#include "runtime/kernel/base/fault_inject.h"
#include "runtime/core/refuse.h"
#include "runtime/kernel/context/enter.h"
#include "runtime/kernel/probes/family.h"
#include "runtime/kernel/stacks/bind.h"

static struct perf_event * __percpu **hwbreaks;	/* [rows]; NULL: not armed */
static u32 hwbreak_slots;			/* slot of the first row's address */

static void hwbreak_needs(const void *rows, u32 n)
{
	const struct rt_hwbreak *row = rows;
	u32 i, slot;

	for (i = 0; i < n; i++) {
		slot = bind_want(row[i].symbol ? row[i].symbol : "", NULL, WIRE_NEED_DATA);
		if (!i)
			hwbreak_slots = slot;
	}
}

static notrace void hwbreak_hit(struct perf_event *event, struct perf_sample_data *sample,
				struct pt_regs *regs)
{
	enter_debug_exception(event->overflow_handler_context, regs);
}

static int hwbreak_arm(const struct rt_hwbreak *row, u32 i)
{
	struct perf_event * __percpu *event;
	struct perf_event_attr attr;
	const u64 *found = NULL;
	int rc;

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
	rc = fault_inject_error();
	if (rc)
		return rc;
	event = register_wide_hw_breakpoint(&attr, hwbreak_hit, (void *)row->probe);
	/* not a pointer of the compiler's common address space, which IS_ERR() takes */
	if (IS_ERR_VALUE((unsigned long)event))
		return (int)(long)(unsigned long)event;
	hwbreaks[i] = event;
	return 0;
}

static const struct refusal hwbreak_refusals[] = {
	{ -ENOENT,	RUN_VARIABLE_NONE },
	{ -ENOSPC,	RUN_DEBUG_REGISTERS },
	{ -EINVAL,	RUN_WATCH_ADDRESS },
	{ 0,		RUN_REGISTRATION },
};

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
			rc = refuse_errno(row[i].probe, row[i].optional, rc, hwbreak_refusals);
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
