// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * function_return.c - returns of probed functions.
 *
 * Rethook costs about 240 instructions per call and arms thousands of functions at once, by the
 * ftrace filter of their entries; a kretprobe costs 390, and 10 ms per function to arm. Memory for
 * a pending call comes from a pool: one for all probes, and a separate one for each function with
 * .maxactive(N).
 */
#include "runtime/kernel/probes/function_return.h"

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/sched/signal.h>
#include <linux/rcupdate.h>

#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/compat/compat.h"
#include "runtime/kernel/compat/compat_walk.h"
#include "runtime/kernel/context/arg.h"
#include "runtime/kernel/base/run_state.h"

/* maximum number of pending calls that have memory, if functions are few */
#define RETURN_NODES 16384
/* the same for one function, in which thousands of threads may sleep */
#define RETURN_EACH 4096
/* maximum bytes for these, above what functions that do not sleep need */
#define RETURN_MEMORY (4U << 20)

#define RETURN_ROUND 2048U	/* kretprobes removed per call */

struct back {
	const struct rt_probe	*probe;
	unsigned long		ip;
	struct rethook		*pool;		/* NULL: it has a kretprobe */
	const struct rt_function *row;
	struct arg_keep		keep;
	atomic64_t		missed;		/* calls for which the pool had no memory */
	struct kretprobe	kretprobe;
};

/* A pending call. */
struct return_node {
	struct rethook_node	node;		/* must be first: the kernel frees it */
	const struct back	*back;
	u64			data[];		/* see arg_keep_bytes() */
};

static struct back *return_backs;		/* constant between start and stop */
static u32 return_n;
static struct rethook *return_pool;
static struct kretprobe **return_kretprobes;	/* the registered ones; work only */
static u32 return_nkretprobes;
static unsigned long return_released;		/* the grace period after which no handler of the
						 * pools runs; used by the work only */

int return_load(u32 n)
{
	return_backs = runtime_alloc((u64)n * sizeof(*return_backs) + 1);
	return_kretprobes = runtime_alloc((u64)n * sizeof(*return_kretprobes) + 1);
	return return_backs && return_kretprobes ? 0 : -ENOMEM;
}

struct back *return_add(const struct rt_function *row, unsigned long ip)
{
	struct back *b = &return_backs[return_n++];

	b->probe = row->probe;
	b->ip = ip;
	b->row = row;
	b->keep = (struct arg_keep){ row->probe, row->keeper, row->nkept, row->keeps_text };
	return b;
}

int return_is_hooked(const struct back *b)
{
	return b->pool != NULL;
}

/*
 * The number of pending calls of one function, of `bytes` bytes each, to have room for; at least
 * what functions that do not sleep need.
 */
static u32 return_active(u32 bytes)
{
	u32 least = max_t(u32, 15, 6 * num_possible_cpus()),
	    most = RETURN_NODES / max(return_n, 1U);

	most = min3(most, (u32)RETURN_EACH, RETURN_MEMORY / bytes);
	return rt_script.limits.kretactive ? rt_script.limits.kretactive : max(least, most);
}

/* ---- hits -----------------------------------------------------------------------*/

static __always_inline void return_enter(const struct back *b, struct pt_regs *regs,
					 const u64 *data)
{
	if (b->probe->capture & ARG_CAPTURES)
		arg_return(&b->keep, regs, (struct arg_hit){ .ip = b->ip }, data);
	else
		enter_here(b->probe, regs, b->ip);
}

/* ---- rethook -------------------------------------------------------------------*/

RETHOOK_HANDLER(return_seen, node, regs)
{
	struct return_node *call = container_of(node, struct return_node, node);

	return_enter(call->back, regs, call->data);
}

notrace void return_hook(struct back *b, struct pt_regs *regs)
{
	struct return_node *call;
	struct rethook_node *node;

	preempt_disable_notrace();
	/*
	 * checked with preemption off: the pools are freed a grace period after the gate is closed
	 */
	if (READ_ONCE(run_gate) < 0) {
		preempt_enable_notrace();
		return;
	}
	node = rethook_try_get(b->pool);
	if (likely(node)) {
		call = container_of(node, struct return_node, node);
		call->back = b;
		if (likely(!(b->probe->capture & ARG_CAPTURES) ||
			   arg_keep(&b->keep, regs, (struct arg_hit){ .ip = b->ip }, call->data)))
			rethook_hook(node, regs, true);
		else
			rethook_recycle(node);
	} else {
		atomic64_inc(&b->missed);
	}
	preempt_enable_notrace();
}

/* Hooking rethook's own functions would recurse endlessly. */
static int return_is_own(const struct back *b)
{
	char text[KSYM_SYMBOL_LEN];

	sprint_symbol(text, b->ip);
	return strstr(text, "rethook") != NULL;
}

int return_prepare(void)
{
	u32 size = 0, active, i;
	u64 nodes;

	if (!return_n || !rethook_is_bound())
		return 0;
	for (i = 0; i < return_n; i++)
		size = max(size, arg_keep_bytes(&return_backs[i].keep));
	size += sizeof(struct return_node);
	active = return_active(size);
	nodes = min_t(u64, (u64)active * return_n, max_t(u64, active, RETURN_NODES));
	return_pool = fault_inject_error() ? NULL : rethook_make(return_seen, size, (u32)nodes);
	if (!return_pool)
		return -ENOMEM;
	for (i = 0; i < return_n; i++) {
		struct back *b = &return_backs[i];

		cond_resched();
		if (return_is_own(b) || (b->probe->calibrates && b->probe->way & RT_WAY_SLOW))
			continue;
		b->pool = !b->row->maxactive ? return_pool
			  : fault_inject_error() ? NULL
			  : rethook_make(return_seen,
								sizeof(struct return_node) +
									arg_keep_bytes(&b->keep),
								b->row->maxactive);
		if (!b->pool)
			return -ENOMEM;
	}
	return 0;
}

static void return_free_pools(void)
{
	u32 i;

	for (i = 0; i < return_n; i++)
		if (return_backs[i].pool && return_backs[i].pool != return_pool)
			rethook_free(return_backs[i].pool);
	if (return_pool)
		rethook_free(return_pool);
	return_pool = NULL;
}

/* ---- kretprobes ------------------------------------------------------------------*/

/* Not 0: this call's return is not to be probed. */
static int return_called(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);
	int breakpoint = rp ? enter_breakpoint(&rp->kp) : 0, kept;
	const struct back *b = container_of(rp, struct back, kretprobe);

	__preempt_count_sub(breakpoint);
	kept = rp && arg_keep(&b->keep, regs, (struct arg_hit){ .ip = b->ip }, (u64 *)ri->data);
	__preempt_count_add(breakpoint);
	return !kept;
}
NOKPROBE_SYMBOL(return_called);

static int return_came(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);
	unsigned long came;
	struct back *b;

	if (!rp)
		return 0;
	b = container_of(rp, struct back, kretprobe);
	came = kretprobe_return_to(ri, regs);
	return_enter(b, regs, (u64 *)ri->data);
	instruction_pointer_set(regs, came);
	return 0;
}
NOKPROBE_SYMBOL(return_came);

static int return_register(struct back *b)
{
	struct kretprobe *rp = &b->kretprobe;
	int rc;

	rp->handler = return_came;
	rp->maxactive = (int)(b->row->maxactive ? b->row->maxactive
						: return_active(sizeof(struct kretprobe_instance) +
								arg_keep_bytes(&b->keep)));
	if (b->probe->capture & ARG_CAPTURES) {
		rp->entry_handler = return_called;
		rp->data_size = arg_keep_bytes(&b->keep);
	}
	rc = fault_inject_error() ?: register_kretprobe(rp);
	if (rc)
		rp->maxactive = 0;
	return rc;
}

/* Code that is jumped to has something else on the stack where the kretprobe puts its address. */
static int return_error(const struct back *b)
{
	return b->probe->calibrates || walk_is_called(b->ip) ? 0 : -EADDRNOTAVAIL;
}

int return_arm(struct back *b)
{
	int rc;

	b->kretprobe.kp.addr = (kprobe_opcode_t *)b->ip;
	rc = return_error(b) ?: return_register(b);
	if (!rc)
		return_kretprobes[return_nkretprobes++] = &b->kretprobe;
	return rc;
}

int return_arm_named(struct back *b, const char *name)
{
	int rc;

	memset(&b->kretprobe, 0, sizeof(b->kretprobe));
	b->kretprobe.kp.symbol_name = name;
	/* disabled, because its address is known only after registration */
	b->kretprobe.kp.flags = KPROBE_FLAG_DISABLED;
	rc = return_register(b);
	b->ip = (unsigned long)b->kretprobe.kp.addr;
	if (rc)
		return rc;
	rc = return_error(b) ?: enable_kretprobe(&b->kretprobe);
	if (rc)
		return_disarm_named(b);
	return rc;
}

void return_disarm_named(struct back *b)
{
	unregister_kretprobe(&b->kretprobe);
	b->kretprobe.maxactive = 0;
	atomic64_add(b->kretprobe.nmissed, &b->missed);
	b->kretprobe.nmissed = 0;
}

/* ---- pending calls -----------------------------------------------------------------*/

/* maximum number of hooked calls to visit per task: its list may change meanwhile */
#define RETURN_DEEPEST 4096

/* The probe of a hooked call; NULL: not one of ours. */
static const struct rt_probe *return_of_call(struct llist_node *n)
{
	struct rethook_node *node = hooked_node(n, return_seen);
	const struct kretprobe *rp = hooked_kretprobe(n);
	const struct back *b = node ? container_of(node, struct return_node, node)->back :
			       rp ? container_of(rp, struct back, kretprobe) : NULL;

	return b >= return_backs && b < return_backs + return_n ? b->probe : NULL;
}

void return_in_flight(u64 *calls)
{
	struct task_struct *process, *t;
	const struct rt_probe *p;
	struct llist_node *n;
	u32 left, i;

	rcu_read_lock();
	for_each_process_thread(process, t)
		for (n = hooked_calls(t), left = RETURN_DEEPEST; n && left;
		     n = READ_ONCE(n->next), left--) {
			p = return_of_call(n);
			if (p)
				calls[p - rt_script.probes]++;
		}
	rcu_read_unlock();
	for (i = 0; i < return_n; i++)
		calls[return_backs[i].probe - rt_script.probes] +=
			kretprobe_pending(&return_backs[i].kretprobe);
}

/* ---- the end ---------------------------------------------------------------------*/

void return_missed(u64 *missed)
{
	u32 i;

	for (i = 0; i < return_n; i++)
		missed[return_backs[i].probe - rt_script.probes] +=
			return_backs[i].kretprobe.nmissed + atomic64_read(&return_backs[i].missed);
}

void return_release(void)
{
	return_free_pools();
	return_released = get_state_synchronize_rcu();
}

void return_stop(void)
{
	u32 n;

	/* each call waits for a grace period */
	for (; return_nkretprobes; return_nkretprobes -= n) {
		n = min(return_nkretprobes, RETURN_ROUND);
		unregister_kretprobes(return_kretprobes + return_nkretprobes - n, (int)n);
		cond_resched();
	}
	if (return_n)
		cond_synchronize_rcu(return_released);
	runtime_free(return_backs);
	runtime_free(return_kretprobes);
	return_backs = NULL;
	return_kretprobes = NULL;
	return_n = 0;
}
