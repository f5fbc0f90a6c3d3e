/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat_return.h - returns of kernel functions: rethook, kretprobes, and their pending calls. The
 * scheme is that of compat.h.
 */
#ifndef LAPWING_KERNEL_COMPAT_RETURN_H
#define LAPWING_KERNEL_COMPAT_RETURN_H

#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/uaccess.h>

/* True if this address is the start of that symbol, by the kernel's own table. */
static inline int symbol_starts_at(const char *name, const void *address)
{
	char text[KSYM_SYMBOL_LEN];
	size_t n = strlen(name);

	sprint_symbol(text, (unsigned long)address);
	return !strncmp(text, name, n) && !strncmp(text + n, "+0x0/", 5);
}

/*
 * Rethook keeps a list of replaced return addresses per task, and restores them; kretprobes use it.
 * It is not exported: these functions are NULL unless lapwing-run has bound them
 * (session_kernel.c), and must not be called before rethook_is_bound() returned true.
 * rethook_make() makes a pool of n nodes of `size` bytes each, which begin with a struct
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
	static notrace void name(struct rethook_node *node, void *data_, unsigned long to_, \
				 struct pt_regs *regs)
#else
#define RETHOOK_HANDLER(name, node, regs) \
	static notrace void name(struct rethook_node *node, void *data_, struct pt_regs *regs)
#endif

#ifdef CONFIG_RETHOOK
extern __typeof__(rethook_alloc) rethook_alloc __weak;
extern __typeof__(rethook_free) rethook_free __weak;
extern __typeof__(rethook_try_get) rethook_try_get __weak;
extern __typeof__(rethook_hook) rethook_hook __weak;
extern __typeof__(rethook_recycle) rethook_recycle __weak;

#define RETHOOK_BOUND(f) (f && symbol_starts_at(#f, f))
/*
 * Only the stack pointer and the argument registers are guaranteed; they come first in x86's struct
 * ftrace_regs.
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
 * A task's calls with a hooked return, newest first, and the hook: handler's pools (its node then),
 * or a kretprobe. Under rcu_read_lock(), which keeps the memory; the task may keep running.
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
#ifdef HAS_KRETPROBE_CALLS
static inline struct llist_node *hooked_calls(const struct task_struct *t)
{
	return READ_ONCE(t->kretprobe_instances.first);
}

static inline const void *hooked_kretprobe(struct llist_node *n)
{
	return get_kretprobe(llist_entry(n, struct kretprobe_instance, llist));
}
#else
static inline struct llist_node *hooked_calls(const struct task_struct *t) { return NULL; }
static inline const void *hooked_kretprobe(struct llist_node *n) { return NULL; }
#define get_kretprobe(ri) ((ri)->rp)
#endif

#define hooked_node(n, handler) ((void)(handler), (struct rethook_node *)NULL)
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
 * The return address of a call, for its handler. Before Linux 5.11 the registers have the
 * trampoline, so no stack can be walked from them; nobody reads that after the handlers.
 */
#if defined(CONFIG_RETHOOK) || defined(HAS_KRETPROBE_CALLS)
#define kretprobe_returns(ri, regs) ((void)0)
#else
#define kretprobe_returns(ri, regs) instruction_pointer_set(regs, (unsigned long)(ri)->ret_addr)
#endif

/*
 * Pending calls of a registered kretprobe on kernels without per-task lists (before Linux 5.11):
 * the instances made by register_kretprobe(), minus the free ones. 0 elsewhere: hooked_calls() has
 * them.
 */
static inline u32 kretprobe_calls(struct kretprobe *rp)
{
#if defined(CONFIG_RETHOOK) || defined(HAS_KRETPROBE_CALLS)
	return 0;
#else
	const struct hlist_node *n;
	unsigned long flags;
	u32 idle = 0;

	raw_spin_lock_irqsave(&rp->lock, flags);
	hlist_for_each(n, &rp->free_instances)
		idle++;
	raw_spin_unlock_irqrestore(&rp->lock, flags);
	return (u32)rp->maxactive - idle;
#endif
}

/*
 * Kretprobes replace return addresses by their trampoline. With rethook the kernel's unwinder
 * undoes that. Otherwise returns_find() does; it needs the addresses of returns_symbols[], in this
 * order.
 */
struct returns {
	unsigned long			trampoline;	/* 0: unknown */
	const struct hlist_head		*table;		/* of pending calls, by task
							 * (returns_learn); NULL: none */
};

#define RETURNS_DEEPEST 4096	/* limit of visited calls: the list may change concurrently */

#ifdef CONFIG_RETHOOK
static const char *const returns_symbols[] = { NULL };

static inline void returns_learn(struct returns *r, const unsigned long *address) { }

static inline unsigned long returns_find(const struct returns *r, const struct task_struct *t,
					 unsigned long low, unsigned long high)
{
	return r->trampoline;
}
#else
/* Two names: the first is used since Linux 5.16. */
#define RETURNS_TRAMPOLINE "__kretprobe_trampoline", "kretprobe_trampoline"

/*
 * The frame of the call ends in [low, high); of several kretprobes on it only the first has the
 * original return address.
 */
static inline int returns_is(const struct returns *r, const struct kretprobe_instance *ri,
			     unsigned long low, unsigned long high)
{
	unsigned long fp = (unsigned long)ri->fp;

	return fp >= low && fp <= high && (unsigned long)ri->ret_addr != r->trampoline;
}

#ifdef HAS_KRETPROBE_CALLS
static const char *const returns_symbols[] = { RETURNS_TRAMPOLINE, NULL };

static inline void returns_learn(struct returns *r, const unsigned long *address)
{
	r->trampoline = address[0] ?: address[1];
}

/*
 * The original return address of that call of task t, or the trampoline. Any context; for another
 * task, under rcu_read_lock().
 */
static inline unsigned long returns_find(const struct returns *r, const struct task_struct *t,
					 unsigned long low, unsigned long high)
{
	const struct llist_node *n = READ_ONCE(t->kretprobe_instances.first);
	u32 left = RETURNS_DEEPEST;

	for (; n && left; n = READ_ONCE(n->next), left--)
		if (returns_is(r, llist_entry(n, struct kretprobe_instance, llist), low, high))
			return (unsigned long)llist_entry(n, struct kretprobe_instance, llist)
				->ret_addr;
	return r->trampoline;
}
#else
/*
 * Before Linux 5.11 the calls of all tasks are in one table; only internal functions know the locks
 * of its buckets.
 */
static const char *const returns_symbols[] = { RETURNS_TRAMPOLINE, "kretprobe_hash_lock",
					       "kretprobe_hash_unlock", NULL };

#define RETURNS_BITS 6		/* of the hash by task */
#define RETURNS_TRIES 8		/* retries, if the list changed */

static inline const struct hlist_head *returns_table(const unsigned long *address,
						     struct task_struct *t)
{
	void (*lock)(struct task_struct * t, struct hlist_head * *head, unsigned long *flags) =
		(void *)address[2];
	void (*unlock)(struct task_struct *t, unsigned long *flags) = (void *)address[3];
	struct hlist_head *head = NULL;
	unsigned long flags = 0;

	lock(t, &head, &flags);
	unlock(t, &flags);
	return head - hash_ptr(t, RETURNS_BITS);
}

/* Process context. */
static inline void returns_learn(struct returns *r, const unsigned long *address)
{
	const struct hlist_head *table =
		address[2] && address[3] ? returns_table(address, current) : NULL;

	r->trampoline = address[0] ?: address[1];
	r->table = table && table == returns_table(address, &init_task) ? table : NULL;
}

/*
 * As above. The kernel's lock must not be taken here, because a return handler holds it: an entry
 * may move to another list at any time. So each entry is trusted only if it is still in its place
 * after it was read.
 */
static inline unsigned long returns_find(const struct returns *r, const struct task_struct *t,
					 unsigned long low, unsigned long high)
{
	u32 tries, left = RETURNS_DEEPEST;

	for (tries = 0; r->table && tries < RETURNS_TRIES; tries++) {
		struct hlist_node *const *link = &r->table[hash_ptr(t, RETURNS_BITS)].first;
		struct hlist_node *n = READ_ONCE(*link), **found_by;
		struct kretprobe_instance ri;

		for (; n && left; n = ri.hlist.next, left--) {
			const struct kretprobe_instance *at =
				hlist_entry(n, struct kretprobe_instance, hlist);

			if (copy_from_kernel_nofault(&ri, at, sizeof(ri)))
				break;
			smp_rmb();
			if (get_kernel_nofault(found_by, &n->pprev) || found_by != link)
				break;
			if (ri.task == t && returns_is(r, &ri, low, high))
				return (unsigned long)ri.ret_addr;
			link = &n->next;
		}
		if (!n || !left)
			break;
	}
	return r->trampoline;
}
#endif
#endif

#endif
