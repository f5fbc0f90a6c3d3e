/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat_uprobe.h - uprobes: kernels have two ways to register them and two callback signatures.
 * Follows compat.h's pattern.
 *
 *	UPROBE_HIT(name, consumer, regs) { ... }
 *		a handler at the instruction; returns 0
 *	UPROBE_RETURN(name, consumer, function, regs) { ... }
 *		a handler at the return of the function that starts there; returns 0
 *	UPROBE_FILTER(name, consumer, mm) { ... }
 *		true if the instruction is to be probed in processes with that memory
 */
#ifndef LAPWING_KERNEL_COMPAT_UPROBE_H
#define LAPWING_KERNEL_COMPAT_UPROBE_H

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>

#ifdef HAS_UPROBE_DATA
#define UPROBE_HIT(name, consumer, regs) static int name(struct uprobe_consumer *consumer, struct pt_regs *regs, __u64 *data_)
#define UPROBE_RETURN(name, consumer, function, regs) \
	static int name(struct uprobe_consumer *consumer, unsigned long function, struct pt_regs *regs, __u64 *data_)
#else
#define UPROBE_HIT(name, consumer, regs) static int name(struct uprobe_consumer *consumer, struct pt_regs *regs)
#define UPROBE_RETURN(name, consumer, function, regs) \
	static int name(struct uprobe_consumer *consumer, unsigned long function, struct pt_regs *regs)
#endif

/*
 * uprobe_arm() registers; 0 or -errno. uprobe_disarm() undoes it; handlers may run until
 * uprobe_disarmed() has returned, which is called once for all.
 */
#ifdef HAS_UPROBE_HANDLE
#define UPROBE_FILTER(name, consumer, mm) static bool name(struct uprobe_consumer *consumer, struct mm_struct *mm)

static inline int uprobe_arm(struct uprobe **handle, struct inode *inode, u64 offset, u64 semaphore,
			     struct uprobe_consumer *consumer)
{
	*handle = uprobe_register(inode, (loff_t)offset, (loff_t)semaphore, consumer);
	return PTR_ERR_OR_ZERO(*handle);
}

static inline void uprobe_disarm(struct uprobe *handle, struct inode *inode, u64 offset,
				 struct uprobe_consumer *consumer)
{
	uprobe_unregister_nosync(handle, consumer);
}

static inline void uprobe_disarmed(void)
{
	uprobe_unregister_sync();
}
#else
#define UPROBE_FILTER(name, consumer, mm) \
	static bool name(struct uprobe_consumer *consumer, enum uprobe_filter_ctx why_, struct mm_struct *mm)

static inline int uprobe_arm(struct uprobe **handle, struct inode *inode, u64 offset, u64 semaphore,
			     struct uprobe_consumer *consumer)
{
	*handle = NULL;
	return semaphore
		       ? uprobe_register_refctr(inode, (loff_t)offset, (loff_t)semaphore, consumer)
		       : uprobe_register(inode, (loff_t)offset, consumer);
}

static inline void uprobe_disarm(struct uprobe *handle, struct inode *inode, u64 offset,
				 struct uprobe_consumer *consumer)
{
	uprobe_unregister(inode, (loff_t)offset, consumer);
}

static inline void uprobe_disarmed(void)
{
}
#endif

/*
 * The stack pointer at the entry of the returning function: on x86 the return has popped its
 * address.
 */
static inline unsigned long uprobe_entry_stack(const struct pt_regs *regs)
{
	return user_stack_pointer((struct pt_regs *)regs) -
	       (IS_ENABLED(CONFIG_X86) ? sizeof(long) : 0);
}

/* The register that points to Go's runtime data of the running goroutine. */
static inline unsigned long uprobe_goroutine(const struct pt_regs *regs)
{
#ifdef CONFIG_X86
	return regs->r14;
#else
	return regs->regs[28];
#endif
}

/*
 * The position of an instruction that returns. uprobe_leave() saves it and sets the registers as
 * they are after the return; uprobe_stay() restores it.
 */
struct uprobe_place {
	unsigned long ip, stack;
};

static inline struct uprobe_place uprobe_leave(struct pt_regs *regs)
{
	struct uprobe_place place = { instruction_pointer(regs), user_stack_pointer(regs) };
	unsigned long to = 0;		/* if it cannot be read */

#ifdef CONFIG_X86
	if (copy_from_user_nofault(&to, (void __user *)regs->sp, sizeof(to)))
		to = 0;
	regs->sp += sizeof(to);
#else
	to = regs->regs[30];
#endif
	instruction_pointer_set(regs, to);
	return place;
}

static inline void uprobe_stay(struct pt_regs *regs, struct uprobe_place place)
{
	instruction_pointer_set(regs, place.ip);
#ifdef CONFIG_X86
	regs->sp = place.stack;
#endif
}

/* True if the current task has the maximum number of pending returns. */
static inline int uprobe_is_deep(void)
{
	return current->utask && current->utask->depth >= MAX_URETPROBE_DEPTH;
}

/*
 * True if a return address in the current task's stack has been replaced by the kernel's
 * trampoline.
 */
static inline int uprobe_is_pending(void)
{
	return current->utask && current->utask->return_instances;
}

/* The original return address of a function whose frame lies in [low, high), or 0. */
static inline unsigned long uprobe_replaced(unsigned long low, unsigned long high)
{
	const struct return_instance *ri = current->utask ? current->utask->return_instances : NULL;
	u32 left = MAX_URETPROBE_DEPTH;

	for (; ri && left && ri->stack <= high; ri = ri->next, left--)
		if (ri->stack > low)
			return ri->orig_ret_vaddr;
	return 0;
}

/* The same for the function whose caller's stack pointer was `above` at the call. */
static inline unsigned long uprobe_replaced_below(unsigned long above)
{
	unsigned long entry = above - (IS_ENABLED(CONFIG_X86) ? sizeof(long) : 0);

	return uprobe_replaced(entry - 1, entry);
}

#endif
