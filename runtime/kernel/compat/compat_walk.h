/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat_walk.h - one step of a stack walk, by architecture: the kernel's own unwinder on x86-64
 * (which has no frame pointers), a walk along the frame records on arm64 (five times cheaper than
 * the kernel's).
 *
 * Any context; reads only mapped memory.
 */
#ifndef LAPWING_KERNEL_COMPAT_WALK_H
#define LAPWING_KERNEL_COMPAT_WALK_H

#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "runtime/core/caller.h"
#include "runtime/kernel/compat/compat_return.h"
#include "runtime/wire.h"

/*
 * State of a kernel stack walk: walk_begin() or walk_begin_task(), then walk_next(), until one of
 * them returns 0.
 */
#ifdef CONFIG_ARM64

struct walk {
	struct task_struct *task;
	const struct returns *returns;
	unsigned long	link;		/* an address found but not returned yet */
	unsigned long	fp, low, high;	/* the next record lies in [low, high) */
};

/* Strips the signature from a return address: a kernel address has all high bits set. */
static inline unsigned long walk_strip(unsigned long ip)
{
	return ip ? ip | GENMASK_ULL(63, 48) : 0;
}

/*
 * A call with a pending kretprobe is identified by its caller's record, or before Linux 5.16 by the
 * end of its own frame.
 */
static inline unsigned long walk_real(const struct walk *w, unsigned long ip)
{
	unsigned long high = w->fp ?: w->high;

	return ip && ip == w->returns->trampoline
		       ? returns_find(w->returns, w->task, min(w->low, high), high)
		       : ip;
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

/* start: of the function that was just entered; it has no frame record yet. */
static inline unsigned long walk_begin(struct walk *w, struct pt_regs *regs, unsigned long start,
				       const struct returns *returns)
{
	unsigned long sp = regs ? regs->sp : current_stack_pointer;

	*w = (struct walk){ .task = current, .returns = returns, .low = sp, .high = ALIGN(sp + 1, THREAD_SIZE) };
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
 * For another task, which may be running: the result is then useless but harmless. Under
 * rcu_read_lock(), which keeps the stack.
 */
static inline unsigned long walk_begin_task(struct walk *w, struct task_struct *task,
					    const struct returns *returns)
{
	unsigned long page = (unsigned long)task_stack_page(task);

	*w = (struct walk){ .task = task, .returns = returns, .low = page, .high = page + THREAD_SIZE,
			    .fp = thread_saved_fp(task) };
	return walk_strip(thread_saved_pc(task));
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

/* By DWARF's numbers. */
static inline struct wire_regs walk_user_regs(const struct pt_regs *regs)
{
	struct wire_regs user = { .ip = regs->pc, .machine = WIRE_ARM64 };

	memcpy(user.reg, regs->regs, sizeof(regs->regs));
	user.reg[31] = regs->sp;
	return user;
}

#else

#include <asm/unwind.h>

struct walk {
	struct unwind_state	state;
	const struct returns	*returns;
};

/*
 * The kernel's unwinder stops at an unknown trampoline: continues at the original return address.
 */
static inline unsigned long walk_here(struct walk *w)
{
#ifdef CONFIG_UNWINDER_ORC
	unsigned long slot = w->state.sp - sizeof(long);	/* where the address was */

	if (!unwind_done(&w->state) && w->state.ip && w->state.ip == w->returns->trampoline)
		w->state.ip = returns_find(w->returns, w->state.task, slot, slot);
#endif
	return unwind_done(&w->state) ? 0 : unwind_get_return_address(&w->state);
}

static inline unsigned long walk_next(struct walk *w)
{
	unsigned long ip = walk_here(w);

	if (ip)
		unwind_next_frame(&w->state);
	return ip;
}

static inline unsigned long walk_begin(struct walk *w, struct pt_regs *regs, unsigned long start,
				       const struct returns *returns)
{
	w->returns = returns;
	unwind_start(&w->state, current, regs, NULL);
	/* with registers the kernel begins at their caller */
	return regs ? instruction_pointer(regs) : walk_next(w);
}

static inline unsigned long walk_begin_task(struct walk *w, struct task_struct *task,
					    const struct returns *returns)
{
	w->returns = returns;
	unwind_start(&w->state, task, NULL, NULL);
	return walk_next(w);
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
