// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * function_deferred.c - see function_deferred.h. Kprobes and kretprobes (function_return.c) by name, as no address is known before the
 * module is there.
 *
 * A module is told of before its init function runs, so that is probed too.
 */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/string.h>

#include "runtime/core/core.h"
#include "runtime/kernel/context/arg.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/probes/function_deferred.h"
#include "runtime/kernel/probes/function_return.h"

struct late {
	const struct rt_function *row;
	char			name[KSYM_NAME_LEN];	/* "module:function" */
	struct kprobe		kprobe;
	struct back		*back;		/* NULL: the entry is probed */
	int			armed;
};

static struct late *late_all;		/* constant between start and stop but for the probes, which the notifier's lock guards */
static u32 late_n;
static int late_watching;

int late_load(u32 n)
{
	late_all = runtime_alloc((u64)n * sizeof(*late_all) + 1);
	late_n = 0;
	return late_all ? 0 : -ENOMEM;
}

int late_take(const struct rt_function *row)
{
	struct late *l = &late_all[late_n];

	if (!row->module)
		return 0;
	l->row = row;
	l->back = row->is_return ? return_add(row, 0) : NULL;
	scnprintf(l->name, sizeof(l->name), "%s:%s", row->module, row->function);
	late_n++;
	return 1;
}

int late_any(void) { return late_n > 0; }

/* ---- hits -----------------------------------------------------------------------*/

static int late_hit(struct kprobe *kp, struct pt_regs *regs)
{
	const struct late *l = container_of(kp, struct late, kprobe);

	function_kprobe_enter(l->row->probe, kp, regs, (unsigned long)kp->addr);
	return 0;
}
NOKPROBE_SYMBOL(late_hit);

/* As function_kprobe_done. */
static void late_done(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
}
NOKPROBE_SYMBOL(late_done);

/* ---- arming -----------------------------------------------------------------------*/

static int late_arm_entry(struct late *l)
{
	memset(&l->kprobe, 0, sizeof(l->kprobe));
	l->kprobe.symbol_name = l->name;
	l->kprobe.offset = l->row->offset;
	l->kprobe.pre_handler = late_hit;
	l->kprobe.post_handler = late_done;
	return step_error() ?: register_kprobe(&l->kprobe);
}

static void late_arm(struct late *l)
{
	int rc = l->back ? return_arm_named(l->back, l->name) : late_arm_entry(l);
	char text[256];

	l->armed = !rc;
	if (!rc)
		return;
	scnprintf(text, sizeof(text), "probe %s registration error [man warning::pass5] (rc %d): module '%s' came without it, or it must not "
		  "be probed", l->row->probe->point, rc, l->row->module);
	runtime_message(WIRE_WARNING, 0, text, strlen(text) + 1);
}

static void late_disarm(struct late *l)
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
static int late_module(struct notifier_block *self, unsigned long event, void *data)
{
	const struct module *module = data;
	int returns;
	u32 i;

	for (returns = 0; returns < 2; returns++)
		for (i = 0; i < late_n; i++) {
			if ((late_all[i].back != NULL) != returns || strcmp(late_all[i].row->module, module->name))
				continue;
			if (event == MODULE_STATE_COMING)
				late_arm(&late_all[i]);
			else if (event == MODULE_STATE_GOING) {
				late_disarm(&late_all[i]);
				function_forget(late_all[i].row->probe);
			}
		}
	return NOTIFY_OK;
}

/* After ftrace has seen to the module's entries, which it does at the highest priority. */
static struct notifier_block late_notifier = {
	.notifier_call	= late_module,
	.priority	= -1,
};

int late_start(void)
{
	int rc = late_n ? step_error() ?: register_module_notifier(&late_notifier) : 0;

	late_watching = late_n && !rc;
	return rc;
}

void late_stop(void)
{
	u32 i;

	if (late_watching)
		unregister_module_notifier(&late_notifier);
	late_watching = 0;
	for (i = 0; i < late_n; i++)
		late_disarm(&late_all[i]);
	runtime_free(late_all);
	late_all = NULL;
	late_n = 0;
}
