// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * breakpoint.c - see breakpoint.h.
 */
#include "runtime/kernel/probes/breakpoint.h"

#include <linux/kernel.h>
#include <linux/kprobes.h>

#include "runtime/kernel/base/fault_inject.h"

void breakpoint_done(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
}
NOKPROBE_SYMBOL(breakpoint_done);

int breakpoint_register(struct kprobe *kp)
{
	const struct kprobe place = *kp;
	int rc = fault_inject_error() ?: register_kprobe(kp);

	if (rc || kprobe_ftrace(kp) || !IS_ENABLED(CONFIG_OPTPROBES))
		return rc;
	unregister_kprobe(kp);
	*kp = place;
	kp->post_handler = breakpoint_done;
	return register_kprobe(kp);
}
