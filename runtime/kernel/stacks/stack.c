// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stack.c - the stacks of a hit: the kernel's, from the registers of the probe or interrupt, and
 * user mode's, by the rows of callers of its images.
 *
 * Addresses only; symbols.c and the reader find their names.
 */
#include "runtime/kernel/stacks/stack.h"

#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>

#include "runtime/core/backtrace.h"
#include "runtime/core/core.h"
#include "runtime/core/output.h"
#include "runtime/core/symbol.h"
#include "runtime/kernel/compat/compat_uprobe.h"
#include "runtime/kernel/compat/compat_walk.h"
#include "runtime/kernel/context/arg.h"
#include "runtime/kernel/stacks/bind.h"
#include "runtime/kernel/stacks/symbols.h"
#include "runtime/kernel/values/pmu.h"

/* slots of addresses, plus 1; 0: none */
static u32 stack_trampolines[2], stack_table;

void stack_want(void)
{
	static const char *const names[] = WALK_TRAMPOLINES;
	u32 i;

	for (i = 0; i < 2 && names[i] && rt_script.capture & RT_CAP_STACK; i++)
		stack_trampolines[i] = bind_want(names[i], NULL, WIRE_LIKE) + 1;
	if (WALK_CALLS && rt_script.capture & RT_CAP_STACK)
		stack_table = bind_want(WALK_CALLS, NULL, WIRE_LIKE_DATA) + 1;
}

static struct walk_calls stack_calls;

static unsigned long stack_address(u32 slot)
{
	const u64 *addresses;

	return slot && bind_addresses(slot - 1, &addresses) ? addresses[0] : 0;
}

void stack_start(void)
{
	stack_calls.trampoline = stack_address(stack_trampolines[0]) ?:
					 stack_address(stack_trampolines[1]);
	stack_calls.table = (const struct hlist_head *)stack_address(stack_table);
}

/*
 * True if a walk that begins in this code is still in the probe: in this module, or, at a
 * function's entry (function: its address), anywhere above that function, as in ftrace's code.
 */
static bool stack_is_probe(unsigned long at, unsigned long function)
{
	return function ? at - function > WALK_ENTRY_SPAN : within_module(at, THIS_MODULE);
}

/*
 * From the registers, or from here if regs is NULL. function: the one whose first instruction was
 * reached, where the stack begins, or 0; stub: the one where it was reached, but which is left out.
 */
static u32 stack_walk_from(struct pt_regs *regs, unsigned long function, unsigned long stub, u64 *ip,
			   u32 max)
{
	struct walk w;
	unsigned long at = walk_begin(&w, regs, function ?: stub, stack_calls);
	u32 n = 0;

	if (!regs) {
		while (at && stack_is_probe(at, function ?: stub))
			at = walk_next(&w);
		at = at && function ? function : at && stub ? walk_next(&w) : at;
	}
	for (; at; at = walk_next(&w)) {
		if (n == max)
			return max + 1;
		ip[n++] = at;
	}
	return n;
}

u32 stack_walk(struct pt_regs *regs, u64 *ip, u32 max)
{
	return stack_walk_from(regs, 0, 0, ip, max);
}

static u32 stack_kernel(struct rt_ctx *c, u64 *ip, u32 max)
{
	const struct pmu_copy *copy = pmu_copy_of(c);

	if (arg_user_mode(c))
		return 0;
	if (likely(!copy || !copy->depth))
		return stack_walk_from(c->regs, arg_function(c), arg_stub(c), ip, max);
	memcpy(ip, copy->frame, min(copy->depth, max) * sizeof(*ip));
	return copy->depth;
}

/* The kernel stack of another task, after a check that t is a task. */
static u32 stack_of_task(struct task_struct *t, u64 *ip, u32 max)
{
	struct walk w;
	unsigned long at;
	pid_t pid;
	u32 n = 0;

	if (copy_from_kernel_nofault(&pid, &t->pid, sizeof(pid)))
		return 0;
	rcu_read_lock();
	if (pid_task(find_pid_ns(pid, &init_pid_ns), PIDTYPE_PID) == t && READ_ONCE(t->stack))
		for (at = walk_begin_task(&w, t, stack_calls); n < max && at;
		     at = walk_next(&w))
			ip[n++] = at;
	rcu_read_unlock();
	return n;
}

struct rt_str rt_task_backtrace(struct rt_ctx *c, s64 task)
{
	struct task_struct *t = (struct task_struct *)(unsigned long)task;
	u32 n;

	if (t == current)
		return rt_backtrace(c);
	/* the buffer is borrowed: the hit's own stack is walked again when needed */
	c->taken &= ~RT_TOOK_STACK;
	n = stack_of_task(t, c->frames[0], rt_script.limits.maxbacktrace);
	return backtrace_hex(c, c->frames[0], n);
}

/* The registers of user mode, or NULL. */
static struct pt_regs *stack_user_regs(const struct rt_ctx *c)
{
	if (arg_user_mode(c))
		return c->regs;
	return !current->mm || current->flags & PF_KTHREAD ? NULL : task_pt_regs(current);
}

static int stack_load(u64 at, u64 *value)
{
	return copy_from_user_nofault(value, (const void __user *)(unsigned long)at,
				      sizeof(*value));
}

/*
 * The original return address if the kernel has replaced the one found in this step, else that one.
 * how: NULL: along a frame pointer.
 */
static u64 stack_true_address(const struct caller_frame *from, const struct caller_frame *to,
			      const struct wire_caller *how)
{
	unsigned long replaced;

	if (from->exact && to->exact)
		return to->ip;
	replaced = how ? uprobe_replaced_below(to->sp)
		       : uprobe_replaced(from->fp, to->fp > from->fp ? to->fp : ULONG_MAX);
	return replaced ? replaced : walk_user_address(to->ip);
}

/*
 * Tries one rule for the caller; *back: the row for the frame after it. 0, or -1: it does not lead
 * to code.
 */
static int stack_step(struct caller_frame *f, const struct wire_caller *how,
		      struct symbols_rows *rows, const struct wire_caller **back)
{
	struct caller_frame next = *f;
	int rc = caller_find(&next, how, stack_load);

	f->ends = next.ends;
	if (rc)
		return -1;
	next.ip = stack_true_address(f, &next, how);
	if (symbols_rows_find(rows, next.ip - !next.exact, back))
		return -1;
	*f = next;
	return 0;
}

/* Uses the images' rows; frame pointers in code without rows, or where the row fails. */
static u32 stack_user(struct rt_ctx *c, u64 *ip, u32 max, u32 *flaws)
{
	struct pt_regs *regs = stack_user_regs(c);
	const struct wire_caller *how = NULL;
	struct symbols_rows rows;
	struct wire_caller entry;
	struct caller_frame f;
	u32 n = 0;

	if (!regs)
		return 0;
	f = walk_user_frame(regs);
	ip[n++] = f.ip;
	symbols_rows_begin(&rows);
	symbols_rows_find(&rows, f.ip, &how);
	if (!how && c->probe->capture & RT_CAP_CALLER) {
		entry = caller_at_entry(f.arm64);
		how = &entry;
	}
	*flaws = how ? 0 : STACK_UNCERTAIN;
	for (;;) {
		const struct wire_caller *back = NULL;
		int lost = stack_step(&f, how, &rows, &back);

		if (lost && (f.ends || !how || stack_step(&f, NULL, &rows, &back)))
			break;
		if (lost && n < max) {
			ip[n++] = STACK_GAP;
			*flaws |= STACK_SKIPS;
		}
		if (n == max) {
			n++;
			break;
		}
		ip[n++] = f.ip;
		how = back;
	}
	symbols_rows_end(&rows);
	*flaws |= f.ends && n <= max ? 0 : STACK_CUT;
	return n;
}

u32 runtime_stack(struct rt_ctx *c, int user, u64 *ip, u32 max, u32 *flaws)
{
	*flaws = 0;
	return user ? stack_user(c, ip, max, flaws) : stack_kernel(c, ip, max);
}

/*
 * Outputs the registers and the top of the stack, for the reader to unwind; copied a page at a
 * time, as the stack may end anywhere.
 */
static void stack_ship_user(struct rt_ctx *c, u32 style)
{
	struct pt_regs *regs = stack_user_regs(c);
	u32 want = rt_script.limits.user_stack, have = 0, n;
	unsigned long sp = regs ? user_stack_pointer(regs) : 0;
	struct wire_user_stack *s =
		regs ? output_item(c, WIRE_ITEM_USER_STACK, sizeof(*s) + want) : NULL;

	if (!s)
		return;
	for (; have < want; have += n) {
		n = min_t(u32, want - have, PAGE_SIZE - ((sp + have) & ~PAGE_MASK));
		if (copy_from_user_nofault((u8 *)(s + 1) + have, (const void __user *)(sp + have),
					   n))
			break;
	}
	*s = (struct wire_user_stack){ .pid = current->tgid, .style = style, .max = rt_script.limits.maxbacktrace, .bytes = have,
				       .regs = walk_user_regs(regs) };
}

static void stack_print_walked(struct rt_ctx *c, int user, u32 style)
{
	u32 n = backtrace_take(c, user);
	const struct stack *known = backtrace_ship(c, user);
	struct wire_stack *s;

	if (!n)
		return;
	s = output_item(c, WIRE_ITEM_STACK, sizeof(*s) + (known ? 0 : 8 * n));
	if (!s)
		return;
	*s = (struct wire_stack){ .number = known ? known->told.number : 0, .depth = known ? 0 : (u16)n, .style = (u8)style, .user = (u8)user,
				  .pid = user ? current->tgid : 0 };
	if (!known)
		memcpy(s->ip, c->frames[user], 8ULL * n);
}

void runtime_print_address(struct rt_ctx *c, u64 addr, u32 style)
{
	struct wire_stack *s = output_item(c, WIRE_ITEM_STACK, sizeof(*s) + sizeof(u64));

	if (!s)
		return;
	*s = (struct wire_stack){ .depth = 1, .style = (u8)style };
	s->ip[0] = addr;
}

/*
 * The instruction pointer is in a function's first bytes at its entry, and in the caller at its
 * return.
 */
u64 runtime_returned(struct rt_ctx *c)
{
	struct pt_regs *regs = c->regs;
	unsigned long start = arg_function(c);

	return regs && start && instruction_pointer(regs) - start > WALK_ENTRY_SPAN ? start : 0;
}

void runtime_print_stack(struct rt_ctx *c, int user, u32 style)
{
	/* The reader cannot know a return address that the kernel has replaced. */
	if (user && rt_script.limits.user_stack && !uprobe_is_pending())
		stack_ship_user(c, style);
	else
		stack_print_walked(c, user, style);
}
