// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family_tracepoint.c - kernel.trace: the kernel's tracepoints, found by name.
 *
 * The callback gets the probe and, if the script uses them, the event's own arguments. A module's
 * tracepoints are armed when the module is loaded, before the start or later. rt_tracepoint.system
 * is ignored: names are unique.
 */
#include "runtime/kernel/probes/family_tracepoint.h"

#include <linux/errno.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "runtime/core/core.h"
#include "runtime/core/refuse.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/compat/compat_names.h"
#include "runtime/kernel/context/arg.h"
#include "runtime/kernel/probes/family.h"
#include "runtime/kernel/probes/function_deferred.h"
#include "runtime/kernel/probes/tracepoint_stub.h"

/*
 * Per row; NULL: not armed: the row is optional, or its module is not loaded. The array is constant
 * between start and stop.
 */
static struct tracepoint **points;

struct search {
	const char		*name;
	struct tracepoint	*found;
};

static void compare(struct tracepoint *tp, void *data)
{
	struct search *s = data;

	if (!s->found && !strcmp(tp->name, s->name))
		s->found = tp;
}

struct tracepoint *tracepoint_named(const char *name)
{
	struct search s = { .name = name };

	for_each_kernel_tracepoint(compare, &s);
	return s.found;
}

/*
 * Every tracepoint's callback starts with its data pointer, the probe; the arguments after it are
 * passed unchanged.
 */
static notrace void tracepoint_hit(void *data)
{
	enter_here(data, NULL, 0);
}

/*
 * The same with the arguments. If a tracepoint has fewer, the other registers contain garbage,
 * which the script cannot name.
 */
static notrace void tracepoint_hit_args(void *data, u64 a0, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
					u64 a6, u64 a7, u64 a8, u64 a9, u64 a10, u64 a11)
{
	const u64 args[RT_ARGS] = { a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11 };

	enter_values(data, NULL, 0, args);
}

static void *tracepoint_handler(const struct rt_tracepoint *row)
{
	return row->probe->capture & RT_CAP_ARGS ? (void *)tracepoint_hit_args
						 : (void *)tracepoint_hit;
}

static int tracepoint_arm(const struct rt_tracepoint *row, struct tracepoint *tp,
			  struct tracepoint **armed)
{
	int rc = fault_inject_error()
			 ?: KERNEL_CHECKS_CALLS
			 ? stub_arm(tp, row->probe)
			 : tracepoint_probe_register(tp, tracepoint_handler(row),
						     (void *)row->probe);

	if (!rc)
		*armed = tp;
	return rc;
}

static void tracepoint_disarm(const struct rt_tracepoint *row, struct tracepoint **armed)
{
	if (*armed && KERNEL_CHECKS_CALLS)
		stub_disarm(*armed, row->probe);
	else if (*armed)
		tracepoint_probe_unregister(*armed, tracepoint_handler(row), (void *)row->probe);
	*armed = NULL;
}

/* ---- tracepoints of modules ------------------------------------------------------*/

static const struct rt_tracepoint *tracepoint_rows;	/* while armed */
static u32 tracepoint_nrows;

static void tracepoint_module_comes(const struct rt_tracepoint *row, const struct module *module,
				    struct tracepoint **armed)
{
	u32 i;
	int rc = -ENOENT;

	for (i = 0; i < module->num_tracepoints && !*armed; i++) {
		struct tracepoint *tp = tracepoint_ptr_deref(&module->tracepoints_ptrs[i]);

		if (!strcmp(tp->name, row->name))
			rc = tracepoint_arm(row, tp, armed);
	}
	if (rc && !*armed)
		deferred_refused(row->probe, row->module, rc);
}

static int tracepoint_module(struct notifier_block *self, unsigned long event, void *data)
{
	const struct module *module = ((const struct tp_module *)data)->mod;
	u32 i;

	for (i = 0; i < tracepoint_nrows; i++) {
		const struct rt_tracepoint *row = &tracepoint_rows[i];

		if (!row->module || strcmp(row->module, module->name))
			continue;
		if (event == MODULE_STATE_COMING)
			tracepoint_module_comes(row, module, &points[i]);
		else if (event == MODULE_STATE_GOING)
			tracepoint_disarm(row, &points[i]);
	}
	return NOTIFY_OK;
}

static struct notifier_block tracepoint_notifier = {
	.notifier_call = tracepoint_module,
};

/* The notifier is also called for the modules that are already loaded. */
static int tracepoint_start_modules(const struct rt_tracepoint *row, u32 nrows)
{
	u32 i;
	int rc;

	for (i = 0; i < nrows && !row[i].module; i++)
		;
	if (i == nrows)
		return 0;
	tracepoint_rows = row;
	tracepoint_nrows = nrows;
	rc = fault_inject_error() ?: register_tracepoint_module_notifier(&tracepoint_notifier);
	if (rc)
		tracepoint_nrows = 0;
	return rc;
}

/* ---- all -------------------------------------------------------------------------*/

static void tracepoint_stop(const void *rows, u32 nrows)
{
	const struct rt_tracepoint *row = rows;
	u32 i;

	if (tracepoint_nrows)
		unregister_tracepoint_module_notifier(&tracepoint_notifier);
	tracepoint_nrows = 0;
	for (i = 0; i < nrows; i++)
		tracepoint_disarm(&row[i], &points[i]);
	tracepoint_synchronize_unregister();
	runtime_free(points);
	points = NULL;
}

static const struct refusal tracepoint_refusals[] = {
	{ -ENOENT,	RUN_TRACEPOINT_NONE },
	{ -EOPNOTSUPP,	RUN_TRACEPOINT_TYPE },
	{ -EPERM,	RUN_FTRACE_OFF },
	{ 0,		RUN_REGISTRATION },
};

static int tracepoint_start(const void *rows, u32 nrows)
{
	const struct rt_tracepoint *row = rows;
	u32 i;
	int rc = 0;

	points = runtime_alloc((u64)nrows * sizeof(*points));
	if (!points)
		return -ENOMEM;
	for (i = 0; i < nrows && !rc; i++) {
		struct tracepoint *tp = row[i].module ? NULL : tracepoint_named(row[i].name);

		if (row[i].module)
			continue;
		rc = tp ? tracepoint_arm(&row[i], tp, &points[i]) : -ENOENT;
		if (rc)
			rc = refuse_errno(row[i].probe, row[i].optional, rc, tracepoint_refusals);
	}
	if (!rc)
		rc = tracepoint_start_modules(row, nrows);
	if (rc)
		tracepoint_stop(rows, nrows);
	return rc;
}

const struct rt_family rt_family_tracepoint = {
	.name	= "tracepoint",
	.on_ftrace = KERNEL_CHECKS_CALLS,
	.start	= tracepoint_start,
	.stop	= tracepoint_stop,
};
