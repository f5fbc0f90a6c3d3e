/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat.h - one interface to what differs between kernels. compat/has_NAME.c compiles where a
 * kernel has NAME; module.mk tries each and defines HAS_NAME. No version checks.
 */
#ifndef LAPWING_KERNEL_COMPAT_H
#define LAPWING_KERNEL_COMPAT_H

#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/llist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

/* By the kernel's BTF. What walks its structures with the headers of another build brings it down. */
#ifdef LAPWING_TASK_BYTES
_Static_assert(sizeof(struct task_struct) == LAPWING_TASK_BYTES,
	       "these headers are of another build than the kernel: its structures differ");
#endif

/* True if the address is the start of that symbol by the kernel's own symbol table. */
static inline int symbol_starts_at(const char *name, const void *address)
{
	char text[KSYM_SYMBOL_LEN];
	size_t n = strlen(name);

	sprint_symbol(text, (unsigned long)address);
	return !strncmp(text, name, n) && !strncmp(text + n, "+0x0/", 5);
}

/*
 * Rethook keeps a list per task of return addresses that were replaced, and restores them;
 * kretprobes use it. It is not exported: these functions are NULL unless lapwing-run has bound them
 * (session_kernel.c), and are not called before rethook_is_bound() has returned true.
 * rethook_make() returns a pool of n nodes of `size` bytes each, which begin with a struct
 * rethook_node. NULL: no memory.
 */
#ifdef HAS_RETHOOK_TYPES
#include <linux/bug.h>
#include <linux/rethook.h>
#else
struct rethook;
struct rethook_node { int none; };
typedef void (*rethook_handler_t)(struct rethook_node *, void *, struct pt_regs *);
#endif

#ifdef HAS_RETHOOK_POOL
#define RETHOOK_HANDLER(name, node, regs) \
	static notrace void name(struct rethook_node *node, void *data_, unsigned long to_, struct pt_regs *regs)
#else
#define RETHOOK_HANDLER(name, node, regs) static notrace void name(struct rethook_node *node, void *data_, struct pt_regs *regs)
#endif

#ifdef CONFIG_RETHOOK
extern __typeof__(rethook_alloc) rethook_alloc __weak;
extern __typeof__(rethook_free) rethook_free __weak;
extern __typeof__(rethook_try_get) rethook_try_get __weak;
extern __typeof__(rethook_hook) rethook_hook __weak;
extern __typeof__(rethook_recycle) rethook_recycle __weak;

#define RETHOOK_BOUND(f) (f && symbol_starts_at(#f, f))
/*
 * Of these registers only the stack pointer and those that a call passes are sure to be saved; they
 * come first in x86's struct ftrace_regs.
 */
#define rethook_regs(fregs) ((struct pt_regs *)(fregs))

#ifdef HAS_RETHOOK_POOL
static inline int rethook_is_bound(void)
{
	return RETHOOK_BOUND(rethook_alloc) && RETHOOK_BOUND(rethook_free) &&
	       RETHOOK_BOUND(rethook_try_get) && RETHOOK_BOUND(rethook_hook) &&
	       RETHOOK_BOUND(rethook_recycle);
}

static inline struct rethook *rethook_make(rethook_handler_t handler, u32 size, u32 n)
{
	struct rethook *pool = rethook_alloc(NULL, handler, (int)size, (int)n);

	return IS_ERR(pool) ? NULL : pool;
}
#else
extern __typeof__(rethook_add_node) rethook_add_node __weak;

static inline int rethook_is_bound(void)
{
	return RETHOOK_BOUND(rethook_alloc) && RETHOOK_BOUND(rethook_free) &&
	       RETHOOK_BOUND(rethook_try_get) && RETHOOK_BOUND(rethook_hook) &&
	       RETHOOK_BOUND(rethook_recycle) && RETHOOK_BOUND(rethook_add_node);
}

/* The kernel frees each node with kfree(). */
static inline struct rethook *rethook_make(rethook_handler_t handler, u32 size, u32 n)
{
	struct rethook *pool = rethook_alloc(NULL, handler);
	struct rethook_node *node;

	for (; pool && n; n--) {
		node = kzalloc(size, GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN);
		if (!node) {
			rethook_free(pool);
			return NULL;
		}
		rethook_add_node(pool, node);
	}
	return pool;
}
#endif

/*
 * A task's calls with a hooked return, newest first, and what hooked each: one of the handler's
 * pools (then its node), or a kretprobe. Under rcu_read_lock(), which keeps the memory; the task
 * may keep running.
 */
static inline struct llist_node *hooked_calls(const struct task_struct *t)
{
	return READ_ONCE(t->rethooks.first);
}

static inline struct rethook_node *hooked_node(struct llist_node *n, rethook_handler_t handler)
{
	struct rethook_node *node = llist_entry(n, struct rethook_node, llist);
	const struct rethook *pool = READ_ONCE(node->rethook);

	return pool && rcu_access_pointer(pool->handler) == handler ? node : NULL;
}

static inline const void *hooked_kretprobe(struct llist_node *n)
{
	const struct rethook *pool = READ_ONCE(llist_entry(n, struct rethook_node, llist)->rethook);

	return pool ? pool->data : NULL;
}

#else
#define hooked_node(n, handler) ((void)(handler), (struct rethook_node *)NULL)

#ifdef HAS_GET_KRETPROBE
static inline struct llist_node *hooked_calls(const struct task_struct *t)
{
	return READ_ONCE(t->kretprobe_instances.first);
}

static inline const void *hooked_kretprobe(struct llist_node *n)
{
	return get_kretprobe(llist_entry(n, struct kretprobe_instance, llist));
}
#else
#define get_kretprobe(call) ((call)->rp)
static inline struct llist_node *hooked_calls(const struct task_struct *t) { return NULL; }
static inline const void *hooked_kretprobe(struct llist_node *n) { return NULL; }
#endif

#define rethook_regs(fregs) ((struct pt_regs *)NULL)
#define rethook_free(pool) ((void)(pool))
#define rethook_try_get(pool) ((struct rethook_node *)NULL)
#define rethook_hook(node, regs, mcount) ((void)(node))
#define rethook_recycle(node) ((void)(node))
static inline int rethook_is_bound(void) { return 0; }
static inline struct rethook *rethook_make(rethook_handler_t handler, u32 size, u32 n)
{
	return NULL;
}
#endif

/*
 * The handler of a kretprobe sees where the call returns to, as of a rethook: 5.10 has the trampoline
 * there. Returns what was there.
 */
static inline unsigned long kretprobe_return_to(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	unsigned long was = instruction_pointer(regs);

#ifndef CONFIG_KRETPROBE_ON_RETHOOK
	instruction_pointer_set(regs, (unsigned long)ri->ret_addr);
#endif
	return was;
}

/*
 * The pending calls of a kretprobe, whose maxactive is 0 unless it is registered, on kernels that
 * have no list of them by task: those in use of its instances. 0 where hooked_calls() has them.
 */
static inline u32 kretprobe_pending(struct kretprobe *rp)
{
	u32 n = 0;
#if !defined(CONFIG_RETHOOK) && !defined(HAS_GET_KRETPROBE)
	struct hlist_node *at;
	unsigned long flags;

	raw_spin_lock_irqsave(&rp->lock, flags);
	n = (u32)rp->maxactive;
	hlist_for_each(at, &rp->free_instances)
		n--;
	raw_spin_unlock_irqrestore(&rp->lock, flags);
#endif
	return n;
}

/*
 * The kernel's parameters of time: nanoseconds are base + ((counter - cycles) * mult + fraction >>
 * shift). clock_follow() makes the kernel call told() now and at each change (64 to 1,000 times a
 * second, with interrupts off), until clock_unfollow(); never if unavailable.
 */
struct clock_recipe {
	u64	cycles, fraction, base;
	s64	real;			/* wall clock less monotonic clock */
	u64	mult;			/* 0: time is not derived from the counter */
	u32	shift;
};

#ifdef HAS_TIMEKEEPER
#include <linux/clocksource.h>
#include <linux/pvclock_gtod.h>
#include <linux/timekeeper_internal.h>
#include <asm/msr.h>

#define clock_counter() rdtsc_ordered()
#define CLOCK_FOLLOWER(told) \
	static int told ## _raw(struct notifier_block *n, unsigned long set, void *timekeeper) \
	{ \
		const struct timekeeper *t = timekeeper; \
		int counted = t->tkr_mono.clock->vdso_clock_mode == VDSO_CLOCKMODE_TSC; \
		struct clock_recipe r = { t->tkr_mono.cycle_last, t->tkr_mono.xtime_nsec, (u64)t->tkr_mono.base, t->offs_real, \
					  counted ? t->tkr_mono.mult : 0, t->tkr_mono.shift }; \
		told(&r); \
		return 0; \
	} \
	static struct notifier_block told ## _follower = { .notifier_call = told ## _raw }
#define clock_follow(told) ((void)pvclock_gtod_register_notifier(&told ## _follower))
#define clock_unfollow(told) pvclock_gtod_unregister_notifier(&told ## _follower)
#else
#define clock_counter() 0ULL
#define CLOCK_FOLLOWER(told) static void (*const told ## _follower)(const struct clock_recipe *) __maybe_unused = told
#define clock_follow(told) ((void)0)
#define clock_unfollow(told) ((void)0)
#endif

#endif
