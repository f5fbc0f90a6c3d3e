// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracepoint_stub.c - see tracepoint_stub.h.
 */
#include "runtime/kernel/probes/tracepoint_stub.h"

#include <linux/ftrace.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>

#include "runtime/core/core.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/compat/compat_ftrace.h"
#include "runtime/kernel/compat/compat_stub.h"
#include "runtime/kernel/context/arg.h"
#include "runtime/kernel/stacks/stack.h"

static unsigned long *typed_stubs;	/* per probe, the address of its stub; 0: not armed */
static int stub_claimed;		/* the ftrace filter has a stub */
static int stub_started;

/* Enters the probe with the arguments of the stub, which follow its data pointer (ABI: arg.c). */
static noinline notrace void stub_enter_args(const struct rt_probe *p, struct ftrace_regs *fregs)
{
	const u32 registers = IS_ENABLED(CONFIG_ARM64) ? 7 : 5;
	const u64 *below = (void *)stub_stack(fregs);
	u64 args[RT_ARGS];
	u32 i;

	/* On x86-64 the return address is below them. */
	below += IS_ENABLED(CONFIG_ARM64) ? 0 : 1;
	for (i = 0; i < RT_ARGS; i++)
		if (i < registers)
			args[i] = stub_argument(fregs, i + 1);
		else if (get_kernel_nofault(args[i], below + i - registers))
			args[i] = 0;
	enter_args(p, NULL, 0, args);
}

/* Other tools may register the same stub with their own data: those calls are not our hits. */
static notrace void stub_entered(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				 struct ftrace_regs *fregs)
{
	const struct rt_probe *p = (const struct rt_probe *)stub_argument(fregs, 0);

	if (p < rt_script.probes || p >= rt_script.probes + rt_script.nprobes)
		return;
	if (p->capture & RT_CAP_ARGS)
		stub_enter_args(p, fregs);
	else
		enter_here(p, NULL, 0);
}

static struct ftrace_ops stub_ops = {
	.func	= stub_entered,
	.flags	= FTRACE_UNGUARDED,
};

int stub_load(void)
{
	typed_stubs = runtime_alloc((u64)rt_script.nprobes * sizeof(*typed_stubs) + 1);
	stack_begin_below(typed_stubs);
	return typed_stubs ? 0 : -ENOMEM;
}

/*
 * The stub of a module stays in the filter after the module is unloaded. A function that is loaded
 * at this address later is not called with one of our probes, so stub_entered() ignores it.
 */
static int stub_claim(unsigned long stub)
{
	int rc = fault_inject_error() ?: ftrace_set_filter_ip(&stub_ops, stub, 0, 0);

	stub_claimed |= !rc;
	return rc;
}

int stub_arm(struct tracepoint *tp, const struct rt_probe *p)
{
	unsigned long *stub = &typed_stubs[p - rt_script.probes];
	int rc;

	WRITE_ONCE(*stub, stub_address(tp));
	rc = stub_claim(*stub) ?: fault_inject_error() ?:
	     tracepoint_probe_register(tp, (void *)*stub, (void *)p);
	if (rc)
		WRITE_ONCE(*stub, 0);
	return rc;
}

/* Not without a stub: ftrace treats an empty filter as all functions. */
int stub_start(void)
{
	int rc = 0;

	if (stub_claimed && !stub_started)
		rc = fault_inject_error() ?: register_ftrace_function(&stub_ops);
	stub_started |= stub_claimed && !rc;
	return rc;
}

/* typed_stubs keeps its entry, because hits may still be running. */
void stub_disarm(struct tracepoint *tp, const struct rt_probe *p)
{
	tracepoint_probe_unregister(tp, (void *)stub_address(tp), (void *)p);
}

void stub_stop(void)
{
	if (stub_started)
		unregister_ftrace_function(&stub_ops);
	if (stub_claimed)
		/* Resetting the filter frees its memory. */
		ftrace_set_filter(&stub_ops, NULL, 0, 1);
	stub_started = stub_claimed = 0;
	stack_begin_below(NULL);
	runtime_free(typed_stubs);
	typed_stubs = NULL;
}
