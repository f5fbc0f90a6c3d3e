// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * uprobe_call.c - see uprobe_call.h. One pool for all probes; a thread's calls are in one of
 * several lists, each with a lock.
 */
#include "runtime/kernel/probes/uprobe_call.h"

#include <linux/hash.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "runtime/core/core.h"
#include "runtime/kernel/probes/life.h"

#define CALL_LISTS_BITS	8

struct uprobe_call {
	struct list_head	at;		/* a thread's list, newest first, or the free
						 * list */
	const struct task_struct *task;
	const void		*owner;
	unsigned long		stack;		/* pointer at the entry */
	u64			data[];
};

static struct call_list {
	raw_spinlock_t		lock;
	struct list_head	calls;
} call_lists[1 << CALL_LISTS_BITS], call_free;	/* lists are locked one at a time */
static void *call_memory;

static struct call_list *call_list_here(void)
{
	return &call_lists[hash_ptr(current, CALL_LISTS_BITS)];
}

static void call_list_init(struct call_list *l)
{
	raw_spin_lock_init(&l->lock);
	INIT_LIST_HEAD(&l->calls);
}

static void call_give_back(struct list_head *calls)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&call_free.lock, flags);
	list_splice(calls, &call_free.calls);
	raw_spin_unlock_irqrestore(&call_free.lock, flags);
}

/*
 * Removes the current thread's calls: all, or an owner's deeper than stack; *found is the one at
 * stack.
 */
static void call_remove_of(const void *owner, unsigned long stack, struct uprobe_call **found,
		      struct list_head *gone)
{
	struct call_list *l = call_list_here();
	struct uprobe_call *call, *next;
	unsigned long flags;

	raw_spin_lock_irqsave(&l->lock, flags);
	list_for_each_entry_safe(call, next, &l->calls, at) {
		if (call->task != current || (owner && call->owner != owner))
			continue;
		if (found && !*found && call->stack == stack) {
			list_del_init(&call->at);
			*found = call;
		} else if (!owner || call->stack < stack) {
			list_move(&call->at, gone);
		}
	}
	raw_spin_unlock_irqrestore(&l->lock, flags);
}

struct uprobe_call *call_new(const void *owner, unsigned long stack)
{
	struct uprobe_call *call;
	unsigned long flags;

	raw_spin_lock_irqsave(&call_free.lock, flags);
	call = list_first_entry_or_null(&call_free.calls, struct uprobe_call, at);
	if (call)
		list_del_init(&call->at);
	raw_spin_unlock_irqrestore(&call_free.lock, flags);
	if (call) {
		call->task = current;
		call->owner = owner;
		call->stack = stack;
	}
	return call;
}

u64 *call_data(struct uprobe_call *call)
{
	return call->data;
}

void call_begin(struct uprobe_call *call)
{
	struct call_list *l = call_list_here();
	unsigned long flags;

	raw_spin_lock_irqsave(&l->lock, flags);
	list_add(&call->at, &l->calls);
	raw_spin_unlock_irqrestore(&l->lock, flags);
}

void call_drop(struct uprobe_call *call)
{
	LIST_HEAD(one);

	list_add(&call->at, &one);
	call_give_back(&one);
}

struct uprobe_call *call_end(const void *owner, unsigned long stack)
{
	struct uprobe_call *found = NULL;
	LIST_HEAD(gone);

	call_remove_of(owner, stack, &found, &gone);
	if (!list_empty(&gone))
		call_give_back(&gone);
	return found;
}

u64 calls_under_way(const void *owner)
{
	const struct uprobe_call *call;
	unsigned long flags;
	u64 n = 0;
	u32 i;

	for (i = 0; call_memory && i < ARRAY_SIZE(call_lists); i++) {
		raw_spin_lock_irqsave(&call_lists[i].lock, flags);
		list_for_each_entry(call, &call_lists[i].calls, at)
			n += call->owner == owner;
		raw_spin_unlock_irqrestore(&call_lists[i].lock, flags);
	}
	return n;
}

/* A thread exits: its calls will not return. */
static void call_thread_ends(void)
{
	LIST_HEAD(gone);

	call_remove_of(NULL, 0, NULL, &gone);
	if (!list_empty(&gone))
		call_give_back(&gone);
}

int calls_load(u32 n, u32 bytes)
{
	u64 size = ALIGN(sizeof(struct uprobe_call) + bytes, sizeof(u64));
	u32 i;
	int rc;

	call_memory = runtime_alloc(n * size);
	if (!call_memory)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(call_lists); i++)
		call_list_init(&call_lists[i]);
	call_list_init(&call_free);
	for (i = 0; i < n; i++)
		list_add(&((struct uprobe_call *)((char *)call_memory + i * size))->at,
			 &call_free.calls);
	rc = life_watch(LIFE_EXIT, call_thread_ends);
	if (rc)
		calls_unload();
	return rc;
}

void calls_unload(void)
{
	if (!call_memory)
		return;
	life_forget(LIFE_EXIT, call_thread_ends);
	runtime_free(call_memory);
	call_memory = NULL;
}
