// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fault_inject.c - see fault_inject.h. The kernel log names the step that fails: a run without that
 * line had fewer steps.
 */
#include "runtime/kernel/base/fault_inject.h"

#include <linux/errno.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

static uint fail_step;
module_param(fail_step, uint, 0400);
MODULE_PARM_DESC(fail_step, "for tests: which step of load and start fails; 0: none");

/* steps so far; load and start run in one thread at a time */
static uint step_count;

int fault_inject_error(void)
{
	if (likely(!fail_step) || ++step_count != fail_step)
		return 0;
	pr_info("%s: step %u fails: %pS\n", THIS_MODULE->name, step_count,
		__builtin_return_address(0));
	return -EBUSY;
}
