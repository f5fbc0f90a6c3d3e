// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family_tracepoint.c - kernel.trace: the kernel's tracepoints, found by name.
 *
 * A handler is called with the row and, if the script uses them, the event's own values. A module's
 * tracepoints are armed when it is loaded, at once or later. rt_tracepoint.system is ignored: names
 * are unique.
 */
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "runtime/core/core.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/base/run_state.h"
#include "runtime/kernel/compat/compat.h"
#include "runtime/kernel/compat/compat_stub.h"
#include "runtime/kernel/context/arg.h"
#include "runtime/kernel/probes/family.h"
#include "runtime/kernel/probes/tracepoint.h"
#include "runtime/kernel/probes/tracepoint_stub.h"

/* Per row; NULL: an optional row that is not armed. Constant between start and stop. */
static struct tracepoint **points;

/*
 * Every tracepoint's callback starts with its data pointer, the probe; the arguments after it are
 * passed unchanged.
 */
static notrace void tracepoint_hit(void *data)
{
	enter_here(data, NULL, 0);
}

/*
 * With its arguments. If a tracepoint has fewer, the other registers contain garbage, which the
 * script cannot name.
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
	int rc;

	if (CALLS_ARE_TYPED)
		rc = stub_arm(tp, row->probe);
	else
		rc = fault_inject_error()
			     ?: tracepoint_probe_register(tp, tracepoint_handler(row),
							  (void *)row->probe);
	if (!rc)
		*armed = tp;
	return rc;
}

static void tracepoint_disarm(const struct rt_tracepoint *row, struct tracepoint **armed)
{
	if (*armed && CALLS_ARE_TYPED)
		stub_disarm(*armed, row->probe);
	else if (*armed)
		tracepoint_probe_unregister(*armed, tracepoint_handler(row), (void *)row->probe);
	*armed = NULL;
}

/* ---- what is not armed -------------------------------------------------------------*/

#define TRACEPOINT_FAILED "registration error [man warning::pass5]"

static const char *tracepoint_reason(int rc)
{
	switch (rc) {
	case -ENOENT:
		return ": this kernel has no such tracepoint";
	case -EOPNOTSUPP:
		return ": this kernel checks the type of what it calls (kCFI), and a module's handler does "
		       "not have the tracepoint's: use --runtime=user";
	default:
		return "";
	}
}

static void tracepoint_report(const struct rt_tracepoint *row, int rc, u32 kind, const char *what)
{
	char text[256];

	scnprintf(text, sizeof(text), "probe %s %s (rc %d)%s", row->probe->point, what, rc,
		  tracepoint_reason(rc));
	runtime_message(kind, 0, text, strlen(text) + 1);
}

/* ---- of modules ------------------------------------------------------------------*/

static const struct rt_tracepoint *tracepoint_rows;	/* while armed */
static u32 tracepoint_nrows;

static void tracepoint_module_loaded(const struct rt_tracepoint *row, const struct module *module,
				    struct tracepoint **armed)
{
	int rc = 0;
	u32 i;

	for (i = 0; i < module->num_tracepoints && !*armed && !rc; i++) {
		struct tracepoint *tp = tracepoint_ptr_deref(&module->tracepoints_ptrs[i]);

		if (!strcmp(tp->name, row->name))
			rc = tracepoint_arm(row, tp, armed) ?: stub_start();
	}
	if (rc)
		tracepoint_report(row, rc, WIRE_WARNING, TRACEPOINT_FAILED);
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
			tracepoint_module_loaded(row, module, &points[i]);
		else if (event == MODULE_STATE_GOING)
			tracepoint_disarm(row, &points[i]);
	}
	return NOTIFY_OK;
}

static struct notifier_block tracepoint_notifier = {
	.notifier_call = tracepoint_module,
};

/* Also reports the modules that are already loaded. */
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
	stub_stop();
	runtime_free(points);
	points = NULL;
}

static int tracepoint_refuse(const struct rt_tracepoint *row, int rc)
{
	if (!row->optional) {
		tracepoint_report(row, rc, WIRE_ERROR, TRACEPOINT_FAILED);
		return rc;
	}
	tracepoint_report(row, rc, WIRE_WARNING, "skipped");
	run_state.unarmed++;
	return 0;
}

/* Of the kernel proper; those of modules are armed when they are there. */
static int tracepoint_start_row(const struct rt_tracepoint *row, struct tracepoint **armed)
{
	struct tracepoint *tp;

	if (STUBS_ARE_MISSING)
		return -EOPNOTSUPP;
	if (row->module)
		return 0;
	tp = tracepoint_named(row->name);
	return tp ? tracepoint_arm(row, tp, armed) : -ENOENT;
}

static int tracepoint_start(const void *rows, u32 nrows)
{
	const struct rt_tracepoint *row = rows;
	u32 i;
	int rc;

	points = runtime_alloc((u64)nrows * sizeof(*points));
	if (!points)
		return -ENOMEM;
	rc = CALLS_ARE_TYPED ? stub_load() : 0;
	for (i = 0; i < nrows && !rc; i++) {
		rc = tracepoint_start_row(&row[i], &points[i]);
		rc = rc ? tracepoint_refuse(&row[i], rc) : 0;
	}
	rc = rc ?: stub_start() ?: tracepoint_start_modules(row, nrows);
	if (rc)
		tracepoint_stop(rows, nrows);
	return rc;
}

const struct rt_family rt_family_tracepoint = {
	.name	= "tracepoint",
	.start	= tracepoint_start,
	.stop	= tracepoint_stop,
};
