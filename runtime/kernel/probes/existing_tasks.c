// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * existing_tasks.c - see existing_tasks.h. A task is met when it is switched away from, enters a system call or ends, whatever comes first; tasks
 * that sleep are woken for that, which waits of the kernel take as a wake-up for nothing.
 */
#include "runtime/kernel/probes/existing_tasks.h"

#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/tracepoint.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "runtime/core/core.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/probes/tracepoint.h"
#include "runtime/kernel/session/session.h"

#define NEWCOMERS_SPARE	1024		/* tasks that come while the probes are armed */
#define NEWCOMERS_ROUNDS 50		/* of waking, 20 ms apart */

/* Open addresses by hash; NULL ends a search, `met` stays in a task's place. References are given back at the stop. */
static struct task_struct **newcomers, **newcomers_held;
static u32 newcomers_room;		/* a power of two */
static atomic_t newcomers_left;
static void (*newcomers_met)(void);
static struct tracepoint *newcomers_switch;
static u32 newcomers_rounds;

static notrace u32 newcomers_hash(const struct task_struct *t)
{
	return newcomers_room ? hash_ptr(t, ilog2(newcomers_room)) : 0;
}

/* Takes a reference, once. */
static notrace void newcomers_add(struct task_struct *t)
{
	u32 i = newcomers_hash(t), tries;

	for (tries = 0; tries < newcomers_room; tries++, i = (i + 1) & (newcomers_room - 1)) {
		struct task_struct *there = cmpxchg(&newcomers[i], NULL, t);

		if (there == t)
			return;
		if (there)
			continue;
		get_task_struct(t);
		newcomers_held[i] = t;
		atomic_inc(&newcomers_left);
		return;
	}
}

/* 1: the current task was in it, and is not any more. */
static notrace int newcomers_take(void)
{
	u32 i = newcomers_hash(current), tries;

	for (tries = 0; tries < newcomers_room && newcomers[i]; tries++, i = (i + 1) & (newcomers_room - 1))
		if (newcomers[i] == current) {
			newcomers[i] = ERR_PTR(-ENOENT);
			atomic_dec(&newcomers_left);
			return 1;
		}
	return 0;
}

static notrace int newcomers_can_run(void)
{
	return READ_ONCE(session_gate) >= 0;
}

notrace void newcomers_meet(void)
{
	if (likely(!atomic_read(&newcomers_left)) || !newcomers_can_run())
		return;
	if (newcomers_take())
		newcomers_met();
}

notrace int newcomers_new(void)
{
	if (newcomers_can_run()) {
		if (atomic_read(&newcomers_left))
			newcomers_take();
		return 1;
	}
	newcomers_add(current);
	return 0;
}

static notrace void newcomers_switched(void *data)
{
	newcomers_meet();
}

static void newcomers_wake(struct work_struct *work);
static DECLARE_DELAYED_WORK(newcomers_work, newcomers_wake);

static void newcomers_wake(struct work_struct *work)
{
	u32 i;

	for (i = 0; newcomers_can_run() && i < newcomers_room; i++) {
		struct task_struct *t = READ_ONCE(newcomers[i]);
		wait_queue_entry_t entry = { .private = t };

		if (!IS_ERR_OR_NULL(t))
			default_wake_function(&entry, TASK_INTERRUPTIBLE, 0, NULL);
	}
	if (atomic_read(&newcomers_left) && newcomers_rounds++ < NEWCOMERS_ROUNDS)
		schedule_delayed_work(&newcomers_work, msecs_to_jiffies(20));
}

static u32 newcomers_count(void)
{
	struct task_struct *process, *t;
	u32 n = 0;

	rcu_read_lock();
	for_each_process_thread(process, t)
		n++;
	rcu_read_unlock();
	return n;
}

static int newcomers_load(void)
{
	struct task_struct *process, *t;

	u32 room = roundup_pow_of_two(2 * (newcomers_count() + NEWCOMERS_SPARE));

	newcomers = runtime_alloc((u64)room * sizeof(*newcomers));
	newcomers_held = runtime_alloc((u64)room * sizeof(*newcomers_held));
	if (!newcomers || !newcomers_held)
		return -ENOMEM;
	smp_store_release(&newcomers_room, room);
	rcu_read_lock();
	for_each_process_thread(process, t)
		if (t->mm && !(t->flags & (PF_KTHREAD | PF_EXITING)))
			newcomers_add(t);
	rcu_read_unlock();
	return 0;
}

int newcomers_start(void (*met)(void))
{
	struct tracepoint *tp = tracepoint_named("sched_switch");
	int rc = tp ? newcomers_load() : -ENOENT;

	newcomers_met = met;
	newcomers_rounds = 0;
	if (!rc)
		rc = step_error() ?: tracepoint_probe_register(tp, (void *)newcomers_switched, NULL);
	if (rc) {
		newcomers_stop();
		return rc;
	}
	newcomers_switch = tp;
	schedule_delayed_work(&newcomers_work, 1);
	return 0;
}

void newcomers_stop(void)
{
	u32 i;

	if (newcomers_switch) {
		tracepoint_probe_unregister(newcomers_switch, (void *)newcomers_switched, NULL);
		tracepoint_synchronize_unregister();
		cancel_delayed_work_sync(&newcomers_work);
		newcomers_switch = NULL;
	}
	atomic_set(&newcomers_left, 0);
	for (i = 0; newcomers_held && i < newcomers_room; i++)
		if (newcomers_held[i])
			put_task_struct(newcomers_held[i]);
	runtime_free(newcomers_held);
	runtime_free(newcomers);
	newcomers = newcomers_held = NULL;
	newcomers_room = 0;
}
