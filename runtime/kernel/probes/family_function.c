// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family_function.c - entries and returns of kernel functions.
 *
 * Addresses come from the consumer (WIRE_BIND) and are checked against the kernel's own symbols.
 * All entries share one ftrace_ops, which also handles returns that are hooked (function_return.h);
 * functions that ftrace refuses get a kprobe.
 */
#include "runtime/kernel/probes/family_function.h"

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "runtime/core/refuse.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/compat/compat.h"
#include "runtime/kernel/compat/compat_names.h"
#include "runtime/kernel/compat/compat_walk.h"
#include "runtime/kernel/context/arg.h"
#include "runtime/kernel/probes/breakpoint.h"
#include "runtime/kernel/probes/calibration_stub.h"
#include "runtime/kernel/probes/family.h"
#include "runtime/kernel/probes/function_deferred.h"
#include "runtime/kernel/probes/function_filter.h"
#include "runtime/kernel/probes/function_return.h"
#include "runtime/kernel/stacks/bind.h"
#include "runtime/kernel/transport/progress.h"

/* probes removed per call; if there are more, the consumer gets progress reports */
#define FUNCTION_ROUND 8192U

struct entry {
	unsigned long		ip;
	const struct rt_probe	*probe;
	struct back		*back;		/* NULL: the entry itself is probed */
	const struct rt_function *row;
	int			by_kprobe;	/* ftrace refused it */
	/*
	 * its module is gone: what ftrace finds at the address later is another function. Set once
	 */
	int			gone;
};

/* The kprobe of an entry; few have one. */
struct entry_kprobe {
	struct kprobe		kprobe;
	const struct entry	*e;
};

static u32 function_slots;			/* slot of the first row's addresses */
/* ftrace's entries first, sorted by ip; constant between start and stop */
static struct entry *function_entries;
static u32 function_nentries, function_ntraced;	/* all entries; those armed by ftrace */
static int function_alike;			/* all of ftrace's entries have one address */
static struct entry_kprobe *function_places;	/* work only, as all below */
static u32 function_nplaces;
static struct kprobe **function_kprobes;	/* the registered ones */
static u32 function_nkprobes;
static struct progress function_progress;

/* ---- binding -------------------------------------------------------------------*/

static void function_needs(const void *rows, u32 n)
{
	const struct rt_function *row = rows;
	u32 i, slot;

	for (i = 0; i < n; i++) {
		slot = row[i].function ? bind_want(row[i].function, row[i].module, WIRE_NEED)
				       : bind_given(empty_address(row[i].probe));
		if (!i)
			function_slots = slot;
	}
}

/* ---- hits -----------------------------------------------------------------------*/

static notrace const struct entry *function_find(unsigned long ip)
{
	u32 low = 0, high = function_ntraced;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (function_entries[middle].ip <= ip)
			low = middle + 1;
		else
			high = middle;
	}
	/* go back to the first entry with the same address */
	while (low > 1 && function_entries[low - 2].ip == function_entries[low - 1].ip)
		low--;
	return low ? &function_entries[low - 1] : NULL;
}

static notrace void function_entered(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				     struct ftrace_regs *fregs)
{
	const struct entry *e = function_alike ? function_entries : function_find(ip),
			   *end = function_entries + function_ntraced;
	unsigned long start;

	if (!e || ip - e->ip > WALK_ENTRY_SPAN)
		return;
	for (start = e->ip; e < end && e->ip == start; e++)
		if (READ_ONCE(e->gone))
			continue;
		else if (e->back)
			return_hook(e->back, rethook_regs(fregs));
		else
			enter_values(e->probe, ftrace_get_regs(fregs), start, NULL);
}

/*
 * The common case: the entry of one function of the kernel proper, so that ftrace calls for nothing
 * else.
 */
static notrace void function_entered_one(unsigned long ip, unsigned long parent,
					 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	enter_values(function_entries->probe, ftrace_get_regs(fregs), function_entries->ip, NULL);
}

/* The same for its return. */
static notrace void function_entered_back(unsigned long ip, unsigned long parent,
					  struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	return_hook(function_entries->back, rethook_regs(fregs));
}

static struct ftrace_ops function_ops = {
	.func	= function_entered,
	.flags	= FTRACE_OPS_FL_PERMANENT,
};

void function_kprobe_enter(const struct rt_probe *p, struct kprobe *kp, struct pt_regs *regs,
			   unsigned long ip)
{
	int breakpoint = enter_breakpoint(kp);

	__preempt_count_sub(breakpoint);
	enter_values(p, regs, ip, NULL);
	__preempt_count_add(breakpoint);
}
NOKPROBE_SYMBOL(function_kprobe_enter);

static int function_kprobe_hit(struct kprobe *kp, struct pt_regs *regs)
{
	const struct entry *e = container_of(kp, struct entry_kprobe, kprobe)->e;

	function_kprobe_enter(e->probe, kp, regs, e->ip);
	return 0;
}
NOKPROBE_SYMBOL(function_kprobe_hit);

void function_forget(const struct rt_probe *p)
{
	struct entry *e;

	for (e = function_entries; e < function_entries + function_nentries; e++)
		if (e->probe == p)
			WRITE_ONCE(e->gone, 1);
}

/* ---- arming -----------------------------------------------------------------------*/

static const struct refusal function_refusals[] = {
	{ -ENOENT,		RUN_FUNCTION_NONE },
	{ -EADDRNOTAVAIL,	RUN_FUNCTION_JUMPED },
	{ -EINVAL,		RUN_FUNCTION_FORBIDDEN },
	{ 0,			RUN_REGISTRATION },
};

/*
 * A function's entries come before its returns, so that a call's time does not contain the entry
 * handler's.
 */
static int function_by_ip(const void *a, const void *b)
{
	const struct entry *e = a, *f = b;

	if (e->by_kprobe != f->by_kprobe)
		return e->by_kprobe - f->by_kprobe;
	if (e->ip != f->ip)
		return e->ip < f->ip ? -1 : 1;
	if (!e->back != !f->back)
		return e->back ? 1 : -1;
	return (e->probe > f->probe) - (e->probe < f->probe);
}

/*
 * Functions of modules are also passed to function_deferred.c: a module may be loaded again, at
 * another address.
 */
static int function_take_late(const struct rt_function *row, u32 n)
{
	const u64 *addresses;
	u32 i, late = 0;
	int rc;

	for (i = 0; i < n; i++)
		late += row[i].module != NULL;
	rc = deferred_load(late);
	for (i = 0; i < n && !rc; i++)
		rc = deferred_take(&row[i]) || bind_addresses(function_slots + i, &addresses)
			     ? 0
			     : refuse_errno(row[i].probe, row[i].optional, -ENOENT, function_refusals);
	return rc;
}

/* Room for every address. */
static int function_allocate(const struct rt_function *row, u32 n)
{
	u32 i, found, entries = 0, backs = 0;
	const u64 *addresses;

	for (i = 0; i < n; i++) {
		found = bind_addresses(function_slots + i, &addresses);
		entries += found;
		backs += row[i].is_return ? found + !!row[i].module : 0;
	}
	function_entries = runtime_alloc((u64)entries * sizeof(*function_entries) + 1);
	return function_entries ? return_load(backs) : -ENOMEM;
}

/*
 * A probe inside a function needs a kprobe; so does a handler that uses arguments or registers
 * where ftrace cannot save them (arm64 since 6.2).
 */
static int function_wants_kprobe(const struct rt_function *row)
{
	return row->offset || (!IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS) &&
			       row->probe->capture & (RT_CAP_ARGS | RT_CAP_REGS));
}

/* Copies the bound addresses into the array, ftrace's first. */
static int function_collect(const struct rt_function *row, u32 n)
{
	const u64 *addresses = NULL;
	u32 i, k, found;
	int rc;

	for (i = 0; i < n; i++) {
		found = bind_addresses(function_slots + i, &addresses);
		for (k = 0; k < found; k++) {
			struct entry *e = &function_entries[function_nentries++];

			e->ip = addresses[k] + row[i].offset;
			e->probe = row[i].probe;
			e->row = &row[i];
			e->back = row[i].is_return ? return_add(&row[i], e->ip) : NULL;
			e->by_kprobe = !row[i].is_return && function_wants_kprobe(&row[i]);
		}
	}
	rc = return_prepare();
	for (i = 0; i < function_nentries; i++)
		if (function_entries[i].back && !return_is_hooked(function_entries[i].back))
			function_entries[i].by_kprobe = 1;
	sort(function_entries, function_nentries, sizeof(*function_entries), function_by_ip, NULL);
	while (function_ntraced < function_nentries &&
	       !function_entries[function_ntraced].by_kprobe)
		function_ntraced++;
	return rc;
}

/* Functions refused by ftrace are left to kprobes. */
static void function_refused(unsigned long ip)
{
	u32 low = 0, high = function_ntraced;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (function_entries[middle].ip < ip)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < function_ntraced && function_entries[low].ip == ip; low++)
		function_entries[low].by_kprobe = 1;
}

static int function_filter(void)
{
	unsigned long *ips = runtime_alloc((u64)function_ntraced * sizeof(*ips) + 1);
	u32 i, n = 0;

	if (!ips)
		return -ENOMEM;
	for (i = 0; i < function_ntraced; i++)
		if (!n || function_entries[i].ip != ips[n - 1])
			ips[n++] = function_entries[i].ip;
	function_alike = n == 1;
	function_ops.func = function_ntraced != 1 || deferred_any() ? function_entered :
			    function_entries->back ? function_entered_back : function_entered_one;
	return filter_load(ips, n, function_refused);
}

static int function_arm_kprobe(const struct entry *e)
{
	struct entry_kprobe *place;
	int rc;

	if (e->back)
		return return_arm(e->back);
	place = &function_places[function_nplaces++];
	place->e = e;
	place->kprobe.addr = (kprobe_opcode_t *)e->ip;
	place->kprobe.pre_handler = function_kprobe_hit;
	place->kprobe.post_handler = breakpoint_done;
	rc = fault_inject_error() ?: register_kprobe(&place->kprobe);
	if (!rc)
		function_kprobes[function_nkprobes++] = &place->kprobe;
	return rc;
}

static int function_start_kprobes(u32 n)
{
	u32 i;
	int rc = 0;

	function_places = runtime_alloc((u64)n * sizeof(*function_places) + 1);
	function_kprobes = runtime_alloc((u64)n * sizeof(*function_kprobes) + 1);
	if (!function_places || !function_kprobes)
		return -ENOMEM;
	for (i = 0; i < function_nentries && !rc; i++) {
		const struct entry *e = &function_entries[i];

		if (!e->by_kprobe)
			continue;
		rc = function_arm_kprobe(e);
		if (rc)
			rc = refuse_errno(e->row->probe, e->row->optional, rc, function_refusals);
		rc = rc ?: progress_add(&function_progress, 1);
	}
	return rc;
}

/* Arms all bound functions, by ftrace or by kprobes. */
static int function_arm(void)
{
	u32 i, kprobes = 0;
	int rc = function_filter();

	if (rc < 0)
		return rc;
	for (i = 0; i < function_nentries; i++)
		kprobes += function_entries[i].by_kprobe;
	progress_begin(&function_progress, (u32)rc + kprobes, 0);
	rc = filter_arm(&function_ops, &function_progress) ?: function_start_kprobes(kprobes);
	progress_end(&function_progress);
	return rc;
}

/*
 * Per probe: the kernel's counts of misses, and pending calls, saved before the probes are removed.
 */
static u64 *function_missed, *function_calls;

/*
 * The kernel waits until no thread can be in our callback; ftrace also waits until every thread has
 * slept once: 160 ms and more.
 */
static void function_disarm(struct work_struct *work)
{
	int told = function_progress.disarming;
	u32 n;

	return_release();
	filter_disarm(&function_progress);
	/* each call waits for one grace period */
	for (; function_nkprobes; function_nkprobes -= n) {
		n = min(function_nkprobes, FUNCTION_ROUND);
		unregister_kprobes(function_kprobes + function_nkprobes - n, (int)n);
		progress_add(&function_progress, n);
	}
	deferred_stop();
	return_stop();
	runtime_free(function_entries);
	runtime_free(function_places);
	runtime_free(function_kprobes);
	function_places = NULL;
	function_kprobes = NULL;
	function_entries = NULL;
	function_nentries = function_ntraced = function_nplaces = 0;
	if (told)
		progress_end(&function_progress);
}

static DECLARE_WORK(function_disarm_work, function_disarm);

/*
 * The gate is closed: no handler runs, and nothing is counted. So the end probes need not wait for
 * the kernel; function_unload() does.
 */
static void function_stop(const void *rows, u32 nrows)
{
	if (function_calls)
		return_in_flight(function_calls);
	if (function_missed)
		return_missed(function_missed);
	if (filter_armed() + function_nkprobes > FUNCTION_ROUND)
		progress_begin(&function_progress, filter_armed() + function_nkprobes, 1);
	queue_work(system_dfl_wq, &function_disarm_work);
}

static int function_start(const void *rows, u32 nrows)
{
	const struct rt_function *row = rows;
	int rc;

	function_missed = runtime_alloc((u64)rt_script.nprobes * sizeof(u64));
	function_calls = runtime_alloc((u64)rt_script.nprobes * sizeof(u64));
	if (!function_missed || !function_calls)
		return -ENOMEM;
	rc = function_allocate(row, nrows);
	if (!rc)
		rc = function_take_late(row, nrows);
	if (!rc)
		rc = function_collect(row, nrows);
	if (!rc && rt_script.capture & (RT_CAP_ARGS | RT_CAP_REGS | RT_CAP_STACK))
		function_ops.flags |=
			FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED;
	if (!rc)
		rc = function_arm();
	if (!rc)
		rc = deferred_start();
	if (rc)
		function_stop(rows, nrows);
	return rc;
}

void function_account(const struct rt_probe *p, struct wire_account *sum)
{
	if (function_missed)
		sum->missed_slots += function_missed[p - rt_script.probes];
	if (function_calls)
		sum->in_flight += function_calls[p - rt_script.probes];
}

void function_unload(void)
{
	flush_work(&function_disarm_work);
	runtime_free(function_missed);
	runtime_free(function_calls);
}

const struct rt_family rt_family_function = {
	.name	= "function",
	.on_ftrace = 1,
	.needs	= function_needs,
	.start	= function_start,
	.stop	= function_stop,
};
