/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat_walk.h - one step of a stack walk, per architecture: the kernel's own unwinder on x86-64
 * (whose kernel has no frame pointers), a walk along the frame records on arm64 (five times cheaper
 * than the kernel's).
 *
 * Any context; reads only memory that is surely mapped.
 */
#ifndef LAPWING_KERNEL_COMPAT_WALK_H
#define LAPWING_KERNEL_COMPAT_WALK_H

#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "runtime/core/caller.h"
#include "runtime/wire.h"

/*
 * The walk of one kernel stack: walk_begin() or walk_begin_task(), then walk_next(), until one of
 * them returns 0.
 */
#ifdef CONFIG_ARM64

/* the return address of a call that a kretprobe waits for */
#define WALK_TRAMPOLINE "__kretprobe_trampoline"

struct walk {
	struct task_struct *task;
	unsigned long	trampoline;	/* its address; 0: not known */
	unsigned long	link;		/* an address found but not returned yet */
	unsigned long	fp, low, high;	/* the next record lies in [low, high) */
};

/* Strips the signature from a return address: a kernel address has all high bits set. */
static inline unsigned long walk_strip(unsigned long ip)
{
	return ip ? ip | GENMASK_ULL(63, 48) : 0;
}

/*
 * The true return address of a call that a kretprobe waits for: the task's list of such calls has
 * it, by the frames of their callers.
 */
static inline unsigned long walk_real(const struct walk *w, unsigned long ip)
{
	struct llist_node *n = READ_ONCE(w->task->kretprobe_instances.first);
	u32 left = 4096;	/* the list may be changing: its task may be interrupted */

	for (; ip == w->trampoline && n && left; n = READ_ONCE(n->next), left--) {
		const struct kretprobe_instance *ri =
			llist_entry(n, struct kretprobe_instance, llist);

		if ((unsigned long)ri->fp == w->fp && (unsigned long)ri->ret_addr != ip)
			return (unsigned long)ri->ret_addr;
	}
	return ip;
}

static inline unsigned long walk_next(struct walk *w)
{
	unsigned long page = (unsigned long)task_stack_page(w->task), ip = w->link;

	if (ip) {
		w->link = 0;
		return ip;
	}
	/* Continues from an interrupt's stack in the task's stack, once. */
	if (w->fp < w->low || w->fp + 16 > w->high) {
		if (w->low >= page && w->low < page + THREAD_SIZE)
			return 0;
		w->low = page;
		w->high = page + THREAD_SIZE;
	}
	if (w->fp & 7 || w->fp < w->low || w->fp + 16 > w->high)
		return 0;
	ip = walk_strip(READ_ONCE_NOCHECK(((unsigned long *)w->fp)[1]));
	w->low = w->fp + 16;
	w->fp = READ_ONCE_NOCHECK(*(unsigned long *)w->fp);
	return walk_real(w, ip);
}

/*
 * start: the function whose first instruction was reached; it has no frame record of its own yet.
 */
static inline unsigned long walk_begin(struct walk *w, struct pt_regs *regs, unsigned long start,
				       unsigned long trampoline)
{
	unsigned long sp = regs ? regs->sp : current_stack_pointer;

	*w = (struct walk){ .task = current, .trampoline = trampoline, .low = sp, .high = ALIGN(sp + 1, THREAD_SIZE) };
	if (!regs) {
		w->fp = (unsigned long)__builtin_frame_address(0);
		return walk_next(w);
	}
	w->fp = regs->regs[29];
	if (start && regs->pc - start <= 16)
		w->link = walk_real(w, walk_strip(regs->regs[30]));
	return regs->pc;
}

/*
 * Walks another task, which may run meanwhile: the result is then useless but harmless. Under
 * rcu_read_lock(), which keeps the stack's memory.
 */
static inline unsigned long walk_begin_task(struct walk *w, struct task_struct *task,
					    unsigned long trampoline)
{
	unsigned long page = (unsigned long)task_stack_page(task);

	*w = (struct walk){ .task = task, .trampoline = trampoline, .low = page, .high = page + THREAD_SIZE,
			    .fp = thread_saved_fp(task) };
	return walk_strip(thread_saved_pc(task));
}

/*
 * The arm64 kernel has no table for this; code that is not called would not return by the address
 * in x30, so hooking it loses nothing.
 */
static inline bool walk_is_called(unsigned long ip)
{
	return true;
}

/* A user address without signature and tag. */
static inline unsigned long walk_user_address(unsigned long ip)
{
	return ip & GENMASK_ULL(47, 0);
}

static inline struct caller_frame walk_user_frame(const struct pt_regs *regs)
{
	return (struct caller_frame){ .ip = regs->pc,
				      .sp = regs->sp,
				      .fp = regs->regs[29],
				      .link = regs->regs[30],
				      .arm64 = 1,
				      .exact = 1 };
}

/* The registers by DWARF number. */
static inline struct wire_regs walk_user_regs(const struct pt_regs *regs)
{
	struct wire_regs user = { .ip = regs->pc, .machine = WIRE_ARM64 };

	memcpy(user.reg, regs->regs, sizeof(regs->regs));
	user.reg[31] = regs->sp;
	return user;
}

#else

#include <asm/unwind.h>

#define WALK_TRAMPOLINE NULL		/* the kernel's unwinder handles that */

struct walk {
	struct unwind_state	state;
};

static inline unsigned long walk_next(struct walk *w)
{
	unsigned long ip = unwind_done(&w->state) ? 0 : unwind_get_return_address(&w->state);

	if (ip)
		unwind_next_frame(&w->state);
	return ip;
}

static inline unsigned long walk_begin(struct walk *w, struct pt_regs *regs, unsigned long start,
				       unsigned long trampoline)
{
	unwind_start(&w->state, current, regs, NULL);
	/* with registers the kernel begins at their caller */
	return regs ? instruction_pointer(regs) : walk_next(w);
}

static inline unsigned long walk_begin_task(struct walk *w, struct task_struct *task,
					    unsigned long trampoline)
{
	unwind_start(&w->state, task, NULL, NULL);
	return walk_next(w);
}

/*
 * True if the return address is on top of the stack at ip: then the kernel's unwinder finds the
 * caller there, which here is an address of ours. True without ORC tables.
 */
static inline bool walk_is_called(unsigned long ip)
{
	unsigned long stack[2] = { _THIS_IP_, 0 };
	struct pt_regs regs = {
		.ip = ip, .sp = (unsigned long)stack, .cs = __KERNEL_CS, .ss = __KERNEL_DS
	};
	struct walk w;

	if (!IS_ENABLED(CONFIG_UNWINDER_ORC))
		return true;
	walk_begin(&w, &regs, 0, 0);
	return walk_next(&w) == stack[0];
}

static inline unsigned long walk_user_address(unsigned long ip)
{
	return ip;
}

static inline struct caller_frame walk_user_frame(const struct pt_regs *regs)
{
	return (struct caller_frame){ .ip = regs->ip, .sp = regs->sp, .fp = regs->bp, .exact = 1 };
}

static inline struct wire_regs walk_user_regs(const struct pt_regs *regs)
{
	return (struct wire_regs){ .ip = regs->ip,
				   .machine = WIRE_X86_64,
				   .reg = { regs->ax, regs->dx, regs->cx, regs->bx, regs->si,
					    regs->di, regs->bp, regs->sp, regs->r8, regs->r9,
					    regs->r10, regs->r11, regs->r12, regs->r13, regs->r14,
					    regs->r15 } };
}

#endif

#endif
