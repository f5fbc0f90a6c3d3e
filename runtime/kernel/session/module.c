// SPDX-License-Identifier: GPL-2.0-or-later
/* module.c - the sequence of load steps and its reversal at unload, and nothing else. */
#include <linux/module.h>
#include <linux/moduleparam.h>

#include "runtime/core/global.h"
#include "runtime/kernel/base/time.h"
#include "runtime/kernel/context/context.h"
#include "runtime/kernel/context/locks.h"
#include "runtime/kernel/context/oops.h"
#include "runtime/kernel/probes/family_function.h"
#include "runtime/kernel/probes/family_uprobe.h"
#include "runtime/kernel/probes/family_watchpoint.h"
#include "runtime/kernel/session/control.h"
#include "runtime/kernel/session/session.h"
#include "runtime/kernel/stacks/bind.h"
#include "runtime/kernel/stacks/symbols.h"
#include "runtime/kernel/transport/message.h"
#include "runtime/kernel/transport/ring.h"
#include "runtime/kernel/values/act.h"

static uint ring_kb = 1024, percpu_mb = 64;
module_param(ring_kb, uint, 0400);
MODULE_PARM_DESC(ring_kb, "size of each CPU's output ring");
module_param(percpu_mb, uint, 0400);
MODULE_PARM_DESC(percpu_mb, "arrays have a part per CPU while all of these take no more than this");
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("a lapwing script");

static int __init module_up(void)
{
	const char *name = NULL;
	int rc;

	if (rt_script.abi != RT_ABI)
		return -EINVAL;
	core_percpu_budget = (u64)percpu_mb << 20;
	rc = core_load(&name);
	if (rc) {
		pr_err("%s: global variable '%s' allocation failed\n", THIS_MODULE->name, name);
		return rc;
	}
	symbols_load();
	rc = locks_load();
	if (rc)
		goto no_locks;
	rc = ring_load(ring_kb);
	if (rc)
		goto no_rings;
	rc = context_load();
	if (rc)
		goto no_contexts;
	rc = session_load();
	if (rc)
		goto no_session;
	rc = message_load();
	if (rc)
		goto no_messages;
	rc = oops_load();
	if (rc)
		goto no_oops;
	time_load();
	act_load();
	rc = control_load();
	if (rc)
		goto no_control;
	pr_debug("%s (%s): lapwing, probes: %u\n", THIS_MODULE->name, rt_script.name,
		 rt_script.nprobes);
	return 0;

no_control:
	time_unload();
	oops_unload();
no_oops:
	message_unload();
no_messages:
	session_unload();
no_session:
	context_unload();
no_contexts:
	ring_unload();
no_rings:
	locks_unload();
no_locks:
	core_unload();
	return rc;
}

static void __exit module_down(void)
{
	control_unload();
	session_unload();
	function_unload();		/* reports progress: before messages end */
	act_unload();
	oops_unload();
	control_wake_unload();
	time_unload();
	message_unload();
	symbols_unload();
	bind_unload();
	uprobe_unload();
	watchpoint_unload();
	context_unload();
	ring_unload();
	locks_unload();
	core_unload();
}

module_init(module_up);
module_exit(module_down);
