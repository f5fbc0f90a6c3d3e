// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * function_deferred.c - see function_deferred.h. Arms kprobes and kretprobes (function_return.c) by
 * name, because no address is known before the module is loaded.
 *
 * The notifier is called before a module's init function runs, so that function is probed too.
 */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/string.h>

#include "runtime/kernel/probes/function_deferred.h"

#include "runtime/core/core.h"
#include "runtime/kernel/context/arg.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/probes/breakpoint.h"
#include "runtime/kernel/probes/family_function.h"
#include "runtime/kernel/probes/function_return.h"

struct late {
	const struct rt_function *row;
	char			name[KSYM_NAME_LEN];	/* "module:function" */
	struct kprobe		kprobe;
	struct back		*back;		/* NULL: the entry is probed */
	int			armed;
};

/* constant between start and stop, except for the probes, which the notifier's lock protects */
static struct late *deferred_all;
static u32 deferred_n;
static int deferred_watching;

int deferred_load(u32 n)
{
	deferred_all = runtime_alloc((u64)n * sizeof(*deferred_all) + 1);
	deferred_n = 0;
	return deferred_all ? 0 : -ENOMEM;
}

int deferred_take(const struct rt_function *row)
{
	struct late *l = &deferred_all[deferred_n];

	if (!row->module)
		return 0;
	l->row = row;
	l->back = row->is_return ? return_add(row, 0) : NULL;
	scnprintf(l->name, sizeof(l->name), "%s:%s", row->module, row->function);
	deferred_n++;
	return 1;
}

int deferred_any(void) { return deferred_n > 0; }

/* ---- hits -----------------------------------------------------------------------*/

static int deferred_hit(struct kprobe *kp, struct pt_regs *regs)
{
	const struct late *l = container_of(kp, struct late, kprobe);

	function_kprobe_enter(l->row->probe, kp, regs, (unsigned long)kp->addr);
	return 0;
}
NOKPROBE_SYMBOL(deferred_hit);

/* ---- arming -----------------------------------------------------------------------*/

static int deferred_arm_entry(struct late *l)
{
	l->kprobe = (struct kprobe){ .symbol_name = l->name,
				     .offset = l->row->offset,
				     .pre_handler = deferred_hit };
	return breakpoint_register(&l->kprobe);
}

void deferred_refused(const struct rt_probe *p, const char *module, int rc)
{
	char text[256];

	scnprintf(
		text, sizeof(text),
		"probe %s registration error [man warning::pass5] (rc %d): module '%s' came without it, or it must not "
		"be probed",
		p->point, rc, module);
	runtime_message(WIRE_WARNING, 0, text, strlen(text) + 1);
}

static void deferred_arm(struct late *l)
{
	int rc = l->back ? return_arm_named(l->back, l->name) : deferred_arm_entry(l);

	l->armed = !rc;
	if (rc)
		deferred_refused(l->row->probe, l->row->module, rc);
}

static void deferred_disarm(struct late *l)
{
	if (!l->armed)
		return;
	if (l->back)
		return_disarm_named(l->back);
	else
		unregister_kprobe(&l->kprobe);
	l->armed = 0;
}

/* Entries first: see function_by_ip(). */
static int deferred_module(struct notifier_block *self, unsigned long event, void *data)
{
	const struct module *module = data;
	int returns;
	u32 i;

	for (returns = 0; returns < 2; returns++)
		for (i = 0; i < deferred_n; i++) {
			if ((deferred_all[i].back != NULL) != returns ||
			    strcmp(deferred_all[i].row->module, module->name))
				continue;
			if (event == MODULE_STATE_COMING)
				deferred_arm(&deferred_all[i]);
			else if (event == MODULE_STATE_GOING) {
				deferred_disarm(&deferred_all[i]);
				function_forget(deferred_all[i].row->probe);
			}
		}
	return NOTIFY_OK;
}

/* Runs after ftrace has handled the module's entries, which it does at the highest priority. */
static struct notifier_block deferred_notifier = {
	.notifier_call	= deferred_module,
	.priority	= -1,
};

int deferred_start(void)
{
	int rc = deferred_n ? fault_inject_error() ?: register_module_notifier(&deferred_notifier)
			    : 0;

	deferred_watching = deferred_n && !rc;
	return rc;
}

void deferred_stop(void)
{
	u32 i;

	if (deferred_watching)
		unregister_module_notifier(&deferred_notifier);
	deferred_watching = 0;
	for (i = 0; i < deferred_n; i++)
		deferred_disarm(&deferred_all[i]);
	runtime_free(deferred_all);
	deferred_all = NULL;
	deferred_n = 0;
}
