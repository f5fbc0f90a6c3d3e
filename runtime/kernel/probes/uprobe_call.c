// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * uprobe_call.c - see uprobe_call.h. One pool for all probes; a thread's calls are in one of a
 * number of lists, each with a lock.
 */
#include "runtime/kernel/probes/uprobe_call.h"

#include <linux/hash.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>

#include "runtime/core/core.h"
#include "runtime/kernel/probes/life.h"

#define CALL_LISTS_BITS	8

struct uprobe_call {
	/* in a list of pending calls, newest first, or in the free list */
	struct list_head	at;
	struct call_key		key;
	const struct task_struct *task;		/* the task in which it began */
	/*
	 * the counter for a call that may have jumped to another function and does not return; or
	 * NULL
	 */
	atomic64_t		*jumped;
	u64			data[];
};

static struct call_list {
	raw_spinlock_t		lock;
	struct list_head	calls;
} call_lists[1 << CALL_LISTS_BITS], call_free;	/* lists are locked one at a time */
static void *call_memory;
static int call_any_thread;			/* some calls are identified by their process */

struct call_key call_of_thread(const struct usite *owner, unsigned long stack)
{
	return (struct call_key){ owner, current, stack, 0 };
}

struct call_key call_of_process(const struct usite *owner, unsigned long stack)
{
	WRITE_ONCE(call_any_thread, 1);
	return (struct call_key){ owner, current->signal, stack, 1 };
}

/*
 * A thread's calls are in one list; those of a process, which may have thousands of stacks, are
 * not.
 */
static struct call_list *call_list_of(const struct call_key *key)
{
	return &call_lists[hash_long((unsigned long)key->whose ^ (key->any_thread ? key->stack : 0),
				     CALL_LISTS_BITS)];
}

static void call_list_init(struct call_list *l)
{
	raw_spin_lock_init(&l->lock);
	INIT_LIST_HEAD(&l->calls);
}

static void call_give_back(struct list_head *calls)
{
	struct uprobe_call *call;
	unsigned long flags;

	if (list_empty(calls))
		return;
	list_for_each_entry(call, calls, at)
		if (call->jumped)
			atomic64_inc(call->jumped);
	raw_spin_lock_irqsave(&call_free.lock, flags);
	list_splice(calls, &call_free.calls);
	raw_spin_unlock_irqrestore(&call_free.lock, flags);
}

static int call_has(const struct uprobe_call *call, const struct call_key *key)
{
	return call->key.owner == key->owner && call->key.whose == key->whose &&
	       call->key.stack == key->stack;
}

/*
 * Takes the call out of its list, and moves the thread's deeper calls, which have been left, to
 * *gone.
 */
static struct uprobe_call *call_take(const struct call_key *key, struct list_head *gone)
{
	struct call_list *l = call_list_of(key);
	struct uprobe_call *call, *next, *found = NULL;
	unsigned long flags;

	raw_spin_lock_irqsave(&l->lock, flags);
	list_for_each_entry_safe(call, next, &l->calls, at) {
		if (!found && call_has(call, key)) {
			list_del_init(&call->at);
			found = call;
		} else if (!key->any_thread && call->key.owner == key->owner &&
			   call->key.whose == key->whose && call->key.stack < key->stack) {
			list_move(&call->at, gone);
		}
	}
	raw_spin_unlock_irqrestore(&l->lock, flags);
	return found;
}

struct uprobe_call *call_new(const struct call_key *key)
{
	struct uprobe_call *call;
	unsigned long flags;

	raw_spin_lock_irqsave(&call_free.lock, flags);
	call = list_first_entry_or_null(&call_free.calls, struct uprobe_call, at);
	if (call)
		list_del_init(&call->at);
	raw_spin_unlock_irqrestore(&call_free.lock, flags);
	if (call) {
		call->key = *key;
		call->task = current;
		call->jumped = NULL;
	}
	return call;
}

u64 *call_data(struct uprobe_call *call)
{
	return call->data;
}

/* Drops an earlier call with the same key: it has not returned and never will. */
static void call_replace(const struct call_key *key)
{
	LIST_HEAD(gone);
	struct uprobe_call *before = call_take(key, &gone);

	if (before)
		list_add(&before->at, &gone);
	call_give_back(&gone);
}

void call_begin(struct uprobe_call *call)
{
	struct call_list *l = call_list_of(&call->key);
	unsigned long flags;

	if (call->key.any_thread)
		call_replace(&call->key);
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

struct uprobe_call *call_end(const struct call_key *key)
{
	LIST_HEAD(gone);
	struct uprobe_call *found = call_take(key, &gone);

	if (found)
		found->jumped = NULL;
	call_give_back(&gone);
	return found;
}

int call_is_here(const struct uprobe_call *call)
{
	return call->task == current;
}

static struct uprobe_call *call_take_here(struct call_list *l, const struct usite *owner)
{
	struct uprobe_call *call, *found = NULL;
	unsigned long flags;

	raw_spin_lock_irqsave(&l->lock, flags);
	list_for_each_entry(call, &l->calls, at)
		if (call->key.owner == owner && call_is_here(call)) {
			list_del_init(&call->at);
			call->jumped = NULL;
			found = call;
			break;
		}
	raw_spin_unlock_irqrestore(&l->lock, flags);
	return found;
}

struct uprobe_call *call_end_unknown(const struct usite *owner)
{
	struct uprobe_call *found = NULL;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(call_lists) && !found; i++)
		found = call_take_here(&call_lists[i], owner);
	return found;
}

void call_jump(const struct call_key *key, atomic64_t *jumped, int is_certain)
{
	struct call_list *l = call_list_of(key);
	struct uprobe_call *call;
	unsigned long flags;
	LIST_HEAD(gone);

	raw_spin_lock_irqsave(&l->lock, flags);
	list_for_each_entry(call, &l->calls, at)
		if (call_has(call, key)) {
			call->jumped = jumped;
			if (is_certain)
				list_move(&call->at, &gone);
			break;
		}
	raw_spin_unlock_irqrestore(&l->lock, flags);
	call_give_back(&gone);
}

u64 calls_under_way(const struct usite *owner)
{
	const struct uprobe_call *call;
	unsigned long flags;
	u64 n = 0;
	u32 i;

	for (i = 0; call_memory && i < ARRAY_SIZE(call_lists); i++) {
		raw_spin_lock_irqsave(&call_lists[i].lock, flags);
		list_for_each_entry(call, &call_lists[i].calls, at)
			n += call->key.owner == owner;
		raw_spin_unlock_irqrestore(&call_lists[i].lock, flags);
	}
	return n;
}

/* Drops the calls of a thread or a process from a list: they are over. */
static void call_forget(struct call_list *l, const void *whose)
{
	struct uprobe_call *call, *next;
	unsigned long flags;
	LIST_HEAD(gone);

	raw_spin_lock_irqsave(&l->lock, flags);
	list_for_each_entry_safe(call, next, &l->calls, at)
		if (call->key.whose == whose)
			list_move(&call->at, &gone);
	raw_spin_unlock_irqrestore(&l->lock, flags);
	call_give_back(&gone);
}

/*
 * A thread ends: its calls will not return, nor will those of its process, if it is the last thread
 * or all threads end. signal->live still includes it.
 */
static void call_thread_ends(void)
{
	const struct call_key mine = call_of_thread(NULL, 0);
	u32 i;

	call_forget(call_list_of(&mine), current);
	if (!READ_ONCE(call_any_thread) || (atomic_read(&current->signal->live) > 1 &&
					    !(current->signal->flags & SIGNAL_GROUP_EXIT)))
		return;
	for (i = 0; i < ARRAY_SIZE(call_lists); i++)
		call_forget(&call_lists[i], current->signal);
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
	call_any_thread = 0;
}
