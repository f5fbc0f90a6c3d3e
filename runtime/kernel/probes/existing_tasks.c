// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * existing_tasks.c - see existing_tasks.h. A task is met when it is switched out, enters a system
 * call or ends, whichever comes first; sleeping tasks are woken for that, which waits in the kernel
 * treat as a spurious wake-up.
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
#include "runtime/kernel/probes/family_tracepoint.h"
#include "runtime/kernel/base/run_state.h"

/* room for tasks that are created while the probes are armed */
#define NEWCOMERS_SPARE	1024
#define NEWCOMERS_ROUNDS 50		/* rounds of wake-ups, 20 ms apart */

/*
 * Hash table with open addressing: NULL ends a search, ERR_PTR(-ENOENT) replaces a task that was
 * met. References are dropped at the stop.
 */
static struct task_struct **newcomers, **existing_tasks_held;
static u32 existing_tasks_room;		/* a power of two */
static atomic_t existing_tasks_left;
static void (*existing_tasks_met)(void);
static struct tracepoint *existing_tasks_switch;
static u32 existing_tasks_rounds;

static notrace u32 existing_tasks_hash(const struct task_struct *t)
{
	return existing_tasks_room ? hash_ptr(t, ilog2(existing_tasks_room)) : 0;
}

/* Adds a task, once, with a reference. */
static notrace void existing_tasks_add(struct task_struct *t)
{
	u32 i = existing_tasks_hash(t), tries;

	for (tries = 0; tries < existing_tasks_room;
	     tries++, i = (i + 1) & (existing_tasks_room - 1)) {
		struct task_struct *there = cmpxchg(&newcomers[i], NULL, t);

		if (there == t)
			return;
		if (there)
			continue;
		get_task_struct(t);
		existing_tasks_held[i] = t;
		atomic_inc(&existing_tasks_left);
		return;
	}
}

/* 1: the current task was in the table, and has been removed. */
static notrace int existing_tasks_take(void)
{
	u32 i = existing_tasks_hash(current), tries;

	for (tries = 0; tries < existing_tasks_room && newcomers[i];
	     tries++, i = (i + 1) & (existing_tasks_room - 1))
		if (newcomers[i] == current) {
			newcomers[i] = ERR_PTR(-ENOENT);
			atomic_dec(&existing_tasks_left);
			return 1;
		}
	return 0;
}

static notrace int existing_tasks_can_run(void)
{
	return READ_ONCE(run_gate) >= 0;
}

notrace void existing_tasks_meet(void)
{
	if (likely(!atomic_read(&existing_tasks_left)) || !existing_tasks_can_run())
		return;
	if (existing_tasks_take())
		existing_tasks_met();
}

notrace int existing_tasks_new(void)
{
	if (existing_tasks_can_run()) {
		if (atomic_read(&existing_tasks_left))
			existing_tasks_take();
		return 1;
	}
	existing_tasks_add(current);
	return 0;
}

static notrace void SWITCHED(existing_tasks_switched)
{
	existing_tasks_meet();
}

static void existing_tasks_wake(struct work_struct *work);
static DECLARE_DELAYED_WORK(existing_tasks_work, existing_tasks_wake);

static void existing_tasks_wake(struct work_struct *work)
{
	u32 i;

	for (i = 0; existing_tasks_can_run() && i < existing_tasks_room; i++) {
		struct task_struct *t = READ_ONCE(newcomers[i]);
		wait_queue_entry_t entry = { .private = t };

		if (!IS_ERR_OR_NULL(t))
			default_wake_function(&entry, TASK_INTERRUPTIBLE, 0, NULL);
	}
	if (atomic_read(&existing_tasks_left) && existing_tasks_rounds++ < NEWCOMERS_ROUNDS)
		schedule_delayed_work(&existing_tasks_work, msecs_to_jiffies(20));
}

static u32 existing_tasks_count(void)
{
	struct task_struct *process, *t;
	u32 n = 0;

	rcu_read_lock();
	for_each_process_thread(process, t)
		n++;
	rcu_read_unlock();
	return n;
}

static int existing_tasks_load(void)
{
	struct task_struct *process, *t;

	u32 room = roundup_pow_of_two(2 * (existing_tasks_count() + NEWCOMERS_SPARE));

	newcomers = runtime_alloc((u64)room * sizeof(*newcomers));
	existing_tasks_held = runtime_alloc((u64)room * sizeof(*existing_tasks_held));
	if (!newcomers || !existing_tasks_held)
		return -ENOMEM;
	smp_store_release(&existing_tasks_room, room);
	rcu_read_lock();
	for_each_process_thread(process, t)
		if (t->mm && !(t->flags & (PF_KTHREAD | PF_EXITING)))
			existing_tasks_add(t);
	rcu_read_unlock();
	return 0;
}

int existing_tasks_start(void (*met)(void))
{
	struct tracepoint *tp = tracepoint_named("sched_switch");
	int rc = tp ? existing_tasks_load() : -ENOENT;

	existing_tasks_met = met;
	existing_tasks_rounds = 0;
	if (!rc)
		rc = fault_inject_error() ?:
		     tracepoint_probe_register(tp, (void *)existing_tasks_switched, NULL);
	if (rc) {
		existing_tasks_stop();
		return rc;
	}
	existing_tasks_switch = tp;
	schedule_delayed_work(&existing_tasks_work, 1);
	return 0;
}

void existing_tasks_stop(void)
{
	u32 i;

	if (existing_tasks_switch) {
		tracepoint_probe_unregister(existing_tasks_switch, (void *)existing_tasks_switched,
					    NULL);
		tracepoint_synchronize_unregister();
		cancel_delayed_work_sync(&existing_tasks_work);
		existing_tasks_switch = NULL;
	}
	atomic_set(&existing_tasks_left, 0);
	for (i = 0; existing_tasks_held && i < existing_tasks_room; i++)
		if (existing_tasks_held[i])
			put_task_struct(existing_tasks_held[i]);
	runtime_free(existing_tasks_held);
	runtime_free(newcomers);
	newcomers = existing_tasks_held = NULL;
	existing_tasks_room = 0;
}
