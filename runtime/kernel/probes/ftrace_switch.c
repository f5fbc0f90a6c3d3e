// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ftrace_switch.c - see ftrace_switch.h.
 */
#include "runtime/kernel/probes/ftrace_switch.h"

#include <linux/errno.h>
#include <linux/uaccess.h>

#include "runtime/core/refuse.h"
#include "runtime/kernel/stacks/bind.h"

static u32 ftrace_switch;		/* its slot, plus one */
static int ftrace_switch_told;

void ftrace_switch_want(void)
{
	if (!ftrace_switch)
		ftrace_switch = bind_want("ftrace_enabled", NULL, WIRE_LIKE_DATA) + 1;
}

int ftrace_switch_check(void)
{
	const u64 *addresses;
	int on = 1;

	if (!ftrace_switch || !bind_addresses(ftrace_switch - 1, &addresses) ||
	    copy_from_kernel_nofault(&on, (const void *)(unsigned long)*addresses, sizeof(on)) || on)
		return 0;
	if (!ftrace_switch_told)
		core_error(RUN_FTRACE_OFF, NULL);
	ftrace_switch_told = 1;
	return -EBUSY;
}
