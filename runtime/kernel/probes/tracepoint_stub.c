// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracepoint_stub.c - see tracepoint_stub.h.
 */
#include "runtime/kernel/probes/tracepoint_stub.h"

#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/tracepoint.h>

#include "runtime/core/core.h"
#include "runtime/kernel/compat/compat_names.h"
#include "runtime/kernel/context/arg.h"

static u32 stub_armed;

/* The first argument of a callback is its data, the probe; others may use the stub, too. */
static notrace void stub_entered(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				 struct ftrace_regs *fregs)
{
	const struct rt_probe *p = (const void *)(unsigned long)ftrace_argument(fregs, 0);
	u64 args[RT_ARGS];
	u32 i;

	if (p < rt_script.probes || p >= rt_script.probes + rt_script.nprobes)
		return;
	for (i = 0; i < RT_ARGS && p->capture & RT_CAP_ARGS; i++)
		args[i] = ftrace_argument(fregs, i + 1);
	enter_values(p, NULL, p->capture & RT_CAP_STUB ? ip : 0, args);
}

static struct ftrace_ops stub_ops = {
	.func	= stub_entered,
	.flags	= FTRACE_OPS_FL_PERMANENT,
};

/* Takes a probe off; the last one takes the stubs off, and frees their filter. */
static void stub_release(void)
{
	if (--stub_armed)
		return;
	unregister_ftrace_function(&stub_ops);
	ftrace_set_filter(&stub_ops, NULL, 0, 1);
}

static int stub_register(void)
{
	int rc = stub_armed ? 0 : register_ftrace_function(&stub_ops);

	if (rc) {
		ftrace_set_filter(&stub_ops, NULL, 0, 1);
		return rc == -EBUSY ? -EPERM : rc;
	}
	stub_armed++;
	return 0;
}

int stub_arm(struct tracepoint *tp, const struct rt_probe *p)
{
	void *stub = TRACEPOINT_STUB(tp);
	int rc = stub ? ftrace_set_filter_ip(&stub_ops, (unsigned long)stub, 0, 0) : -EINVAL;

	if (rc)
		return rc == -EINVAL ? -EOPNOTSUPP : rc;
	rc = stub_register();
	if (rc)
		return rc;
	rc = tracepoint_probe_register(tp, stub, (void *)p);
	if (rc)
		stub_release();
	return rc;
}

void stub_disarm(struct tracepoint *tp, const struct rt_probe *p)
{
	tracepoint_probe_unregister(tp, TRACEPOINT_STUB(tp), (void *)p);
	stub_release();
}
