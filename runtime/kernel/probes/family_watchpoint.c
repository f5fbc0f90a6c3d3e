// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family_watchpoint.c - process.data: writes to and accesses of a program's memory, by the
 * processor's debug registers.
 *
 * The kernel sets these per thread, and in process context only. So a thread that begins, and a
 * process that has exec'ed the program, asks for a task work, which sets them in its own context
 * before it first runs in user mode: nothing that the program does is missed. The one of an exec of
 * another program removes them. What runs when the script starts gets them then. Accesses by system
 * calls of the thread are hits, too; those by our handlers are not.
 *
 * A task work cannot be taken back, and the thread may not come to run it for long: each pending
 * one has a reference to the module.
 */
#include "runtime/kernel/probes/family_watchpoint.h"

#include <linux/atomic.h>
#include <linux/auxvec.h>
#include <linux/err.h>
#include <linux/hash.h>
#include <linux/hw_breakpoint.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/task_work.h>

#include "runtime/core/core.h"
#include "runtime/core/refuse.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/base/run_state.h"
#include "runtime/kernel/compat/compat_names.h"
#include "runtime/kernel/context/context.h"
#include "runtime/kernel/context/enter.h"
#include "runtime/kernel/context/target.h"
#include "runtime/kernel/probes/exe_file.h"
#include "runtime/kernel/probes/family.h"
#include "runtime/kernel/probes/life.h"

#define WATCH_REGISTERS	4
#define WATCH_BITS	12
#define WATCH_TASKS	(1 << WATCH_BITS)	/* named in RUN_WATCH_THREADS */
#define WATCH_REAPED	16			/* entries that a work looks at */

/*
 * Not all kernels export it. Volatile, so that its address is in data: arm64 cannot relocate code
 * that takes the address of a weak function.
 */
extern __typeof__(task_work_add) task_work_add __weak;
static __typeof__(task_work_add) *volatile watch_add_work = task_work_add;

/* A row. ->off is set under watch_lock, and read anywhere. */
struct watchpoint {
	const struct rt_watchpoint *row;
	struct inode	*inode;		/* NULL: any program */
	u8		off;		/* refused, which has been reported */
};

/* A thread with watchpoints; all of it under watch_lock. */
struct watched {
	struct hlist_node	link;	/* of its bucket, or of watch_free */
	struct task_struct	*task;	/* with a reference; NULL: unused */
	struct perf_event	*events[WATCH_REGISTERS];
	u32			nevents;
};

struct watch_work {
	struct callback_head	head;
	atomic_t		busy;	/* requested, and not done */
};

/* Constant between start and stop. */
static struct watchpoint *watchpoints;
static u32 nwatchpoints;

/* Serializes all changes of threads' watchpoints. Taken in process context only. */
static DEFINE_MUTEX(watch_lock);
static struct watched *watch_tasks;		/* [WATCH_TASKS] */
static struct hlist_head watch_buckets[WATCH_TASKS], watch_free;
static int watch_open;				/* threads get watchpoints */

static struct watch_work *watch_works;		/* [WATCH_TASKS]; from the first start to unloading */
static int watch_overflowed;			/* more were needed */

/* ---- hits -------------------------------------------------------------------------*/

/* mm: of t, and kept from being freed. Any context, interrupts off or task_lock() held. */
static notrace int watchpoint_wants(const struct watchpoint *w, const struct task_struct *t,
				    const struct mm_struct *mm)
{
	if (READ_ONCE(w->off) || (w->row->pid && t->tgid != w->row->pid))
		return 0;
	if (w->row->target && target_bits && !target_has(t))
		return 0;
	return !w->inode || exe_runs(mm, w->inode);
}

/*
 * While an exec replaces the program, the old one's registers are still set, and the kernel writes
 * to the new one's memory. Handlers run with interrupts off, so an access by the kernel during one
 * is the handler's.
 */
static notrace void watchpoint_hit(struct perf_event *event, struct perf_sample_data *sample,
				   struct pt_regs *regs)
{
	const struct watchpoint *w = event->overflow_handler_context;

	if (!current->mm || !watchpoint_wants(w, current, current->mm) ||
	    (!user_mode(regs) && (current->in_execve || context_active())))
		return;
	enter_debug_exception(w->row->probe, regs);
}

/* ---- a thread's watchpoints -----------------------------------------------------------*/

static const struct refusal watchpoint_refusals[] = {
	{ -ENOENT,	RUN_FILE_NONE },
	{ -ENOSPC,	RUN_DEBUG_REGISTERS },
	{ -EMFILE,	RUN_WATCH_THREADS },
	{ -EOPNOTSUPP,	RUN_WATCH_KERNEL },
	{ 0,		RUN_REGISTRATION },
};

/* Reports it, and leaves the row out from now on. 0 if it is optional, else rc. */
static int watchpoint_refuse(struct watchpoint *w, int rc)
{
	WRITE_ONCE(w->off, 1);
	return refuse_errno(w->row->probe, w->row->optional, rc, watchpoint_refusals);
}

/* What the loader added to the program's addresses. */
static u64 watchpoint_bias(const struct rt_watchpoint *row, const struct mm_struct *mm)
{
	u32 i;

	for (i = 0; row->entry && i + 1 < AT_VECTOR_SIZE && mm->saved_auxv[i] != AT_NULL; i += 2)
		if (mm->saved_auxv[i] == AT_ENTRY)
			return mm->saved_auxv[i + 1] - row->entry;
	return 0;
}

#define WATCH_NEVER (PF_EXITING | PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER)

/*
 * 1: the row wants the thread, with the watchpoint at *address. A process can say that its program
 * is where no program can be (prctl(PR_SET_MM)): it is left out.
 */
static int watchpoint_place(const struct watchpoint *w, struct task_struct *t, u64 *address)
{
	const struct mm_struct *mm;
	int wanted;

	task_lock(t);
	mm = t->flags & WATCH_NEVER ? NULL : t->mm;
	wanted = mm && watchpoint_wants(w, t, mm);
	*address = wanted ? w->row->address + watchpoint_bias(w->row, mm) : 0;
	task_unlock(t);
	return wanted && !(*address & (w->row->length - 1)) &&
	       *address <= TASK_SIZE - w->row->length;
}

static struct hlist_head *watched_bucket(const struct task_struct *t)
{
	return &watch_buckets[hash_ptr(t, WATCH_BITS)];
}

static struct watched *watched_find(const struct task_struct *t)
{
	struct watched *w;

	hlist_for_each_entry(w, watched_bucket(t), link)
		if (w->task == t)
			return w;
	return NULL;
}

static void watched_drop(struct watched *w)
{
	if (!w || !w->task)
		return;
	while (w->nevents)
		unregister_hw_breakpoint(w->events[--w->nevents]);
	put_task_struct(w->task);
	w->task = NULL;
	hlist_del(&w->link);
	hlist_add_head(&w->link, &watch_free);
}

/* Drops the entries of threads that have exited, among the next n. */
static void watched_reap(u32 n)
{
	static u32 next;

	for (; n; n--, next = (next + 1) % WATCH_TASKS)
		if (watch_tasks[next].task && READ_ONCE(watch_tasks[next].task->exit_state))
			watched_drop(&watch_tasks[next]);
}

/* The thread's entry, a new one if it has none; NULL: all are used. */
static struct watched *watched_get(struct task_struct *t)
{
	struct watched *w = watched_find(t);

	if (!w && hlist_empty(&watch_free))
		watched_reap(WATCH_TASKS);
	if (w || hlist_empty(&watch_free))
		return w;
	w = hlist_entry(watch_free.first, struct watched, link);
	hlist_del(&w->link);
	hlist_add_head(&w->link, watched_bucket(t));
	w->task = get_task_struct(t);
	return w;
}

/* A thread that is exiting needs no watchpoint. 0 or -errno. */
static int watched_add(struct watchpoint *w, struct watched *to, u64 address)
{
	struct perf_event_attr attr;
	struct perf_event *event;

	if (!to)
		return -EMFILE;
	if (to->nevents == WATCH_REGISTERS)
		return -ENOSPC;
	hw_breakpoint_init(&attr);
	attr.bp_addr = address;
	attr.bp_len = w->row->length;
	attr.bp_type = w->row->reads ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W;
	event = register_user_hw_breakpoint(&attr, watchpoint_hit, w, to->task);
	if (IS_ERR(event))
		return PTR_ERR(event) == -ESRCH ? 0 : (int)PTR_ERR(event);
	to->events[to->nevents++] = event;
	return 0;
}

/* Gives a thread without watchpoints those of all rows that want it. 0 or -errno, reported. */
static int watched_arm(struct task_struct *t)
{
	u64 address;
	u32 i;
	int rc = 0, refused = 0;

	for (i = 0; i < nwatchpoints && !refused; i++) {
		if (!watchpoint_place(&watchpoints[i], t, &address))
			continue;
		rc = watched_add(&watchpoints[i], watched_get(t), address);
		refused = rc ? watchpoint_refuse(&watchpoints[i], rc) : 0;
	}
	return refused;
}

/* ---- threads that begin or exec ----------------------------------------------------------*/

/* In the thread's own context, on its way to user mode. */
static void watch_review(struct callback_head *head)
{
	struct watch_work *work = container_of(head, struct watch_work, head);

	mutex_lock(&watch_lock);
	if (watch_open) {
		watched_reap(WATCH_REAPED);
		watched_drop(watched_find(current));
		if (watched_arm(current))
			run_fail();
	}
	mutex_unlock(&watch_lock);
	atomic_set_release(&work->busy, 0);
	module_put(THIS_MODULE);
}

static notrace void watch_request(void)
{
	u32 first = hash_ptr(current, WATCH_BITS), i;

	for (i = 0; i < WATCH_TASKS; i++) {
		struct watch_work *work = &watch_works[(first + i) % WATCH_TASKS];

		if (atomic_cmpxchg(&work->busy, 0, 1))
			continue;
		__module_get(THIS_MODULE);
		init_task_work(&work->head, watch_review);
		if (watch_add_work(current, &work->head, TWA_RESUME)) {	/* it has exited */
			atomic_set(&work->busy, 0);
			module_put(THIS_MODULE);
		}
		return;
	}
	WRITE_ONCE(watch_overflowed, 1);
	run_fail();
}

static notrace int watch_is_wanted(void)
{
	u32 i;

	if (!current->mm || current->flags & WATCH_NEVER)
		return 0;
	for (i = 0; i < nwatchpoints; i++)
		if (watchpoint_wants(&watchpoints[i], current, current->mm))
			return 1;
	return 0;
}

static notrace void watch_began(void)
{
	if (watch_is_wanted())
		watch_request();
}

/* The old program's watchpoints may be there. */
static notrace void watch_execed(void)
{
	if (watch_is_wanted() || !hlist_empty(watched_bucket(current)))
		watch_request();
}

/* True if a row wants the thread, which is not the current one. */
static int watch_wants(struct task_struct *t)
{
	u64 address;
	u32 i;

	for (i = 0; i < nwatchpoints; i++)
		if (watchpoint_place(&watchpoints[i], t, &address))
			return 1;
	return 0;
}

/* All rows want threads that cannot have watchpoints. 0 or -errno. */
static int watch_refuse_all(int rc)
{
	u32 i;
	int refused = 0;

	for (i = 0; i < nwatchpoints && !refused; i++)
		if (!watchpoints[i].off)
			refused = watchpoint_refuse(&watchpoints[i], rc);
	return refused;
}

/*
 * Threads that begin meanwhile ask by themselves, and wait for the lock. First a list, because
 * setting registers sleeps.
 */
static int watch_existing(void)
{
	struct task_struct *process, *t;
	u32 i;
	int rc = 0;

	mutex_lock(&watch_lock);
	watch_open = 1;
	rcu_read_lock();
	for_each_process_thread(process, t)
		if (watch_wants(t) && !watched_find(t) && !watched_get(t))
			rc = -EMFILE;
	rcu_read_unlock();
	if (rc)
		rc = watch_refuse_all(rc);
	for (i = 0; i < WATCH_TASKS && !rc; i++)
		if (watch_tasks[i].task && !watch_tasks[i].nevents)
			rc = fault_inject_error() ?: watched_arm(watch_tasks[i].task);
	mutex_unlock(&watch_lock);
	return rc;
}

/* ---- arming -----------------------------------------------------------------------*/

static const struct watch_turn {
	enum life_turn	turn;
	void		(*told)(void);
} watch_turns[] = {
	{ LIFE_NEW, watch_began },
	{ LIFE_EXEC, watch_execed },
};

static void watchpoint_stop(const void *rows, u32 n)
{
	u32 i;

	for (i = 0; nwatchpoints && i < ARRAY_SIZE(watch_turns); i++)
		life_forget(watch_turns[i].turn, watch_turns[i].told);
	mutex_lock(&watch_lock);
	watch_open = 0;
	for (i = 0; watch_tasks && i < WATCH_TASKS; i++)
		watched_drop(&watch_tasks[i]);
	mutex_unlock(&watch_lock);
	if (watch_overflowed)
		core_error(RUN_WATCH_THREADS, NULL);
	for (i = 0; watchpoints && i < n; i++)
		iput(watchpoints[i].inode);
	runtime_free(watchpoints);
	runtime_free(watch_tasks);
	watchpoints = NULL;
	watch_tasks = NULL;
	nwatchpoints = 0;
}

/* No work is pending. The last one may not have returned from the module's code. */
void watchpoint_unload(void)
{
	if (watch_works)
		synchronize_rcu_tasks();
	runtime_free(watch_works);
}

static int watchpoint_load(struct watchpoint *w, const struct rt_watchpoint *row)
{
	struct inode *inode;

	w->row = row;
	if (!watch_add_work)
		return watchpoint_refuse(w, -EOPNOTSUPP);
	if (!row->entry && row->address > TASK_SIZE - row->length)
		return watchpoint_refuse(w, -EINVAL);
	inode = row->path ? exe_inode(row->path) : NULL;
	w->inode = IS_ERR(inode) ? NULL : inode;
	return IS_ERR(inode) ? watchpoint_refuse(w, (int)PTR_ERR(inode)) : 0;
}

/* Rows beyond what the processor has registers for, if a process wants them all. */
static int watchpoint_limit(struct watchpoint *w)
{
	const struct watchpoint *other;
	u32 same = 0;

	for (other = watchpoints; other < w; other++)
		same += !other->off && other->inode == w->inode &&
			other->row->pid == w->row->pid;
	return !w->off && same >= WATCH_REGISTERS ? watchpoint_refuse(w, -ENOSPC) : 0;
}

static int watchpoint_prepare(const struct rt_watchpoint *row, u32 n)
{
	u32 i;
	int rc = 0;

	watchpoints = runtime_alloc((u64)n * sizeof(*watchpoints));
	watch_tasks = runtime_alloc((u64)WATCH_TASKS * sizeof(*watch_tasks));
	watch_works = watch_works ?: runtime_alloc((u64)WATCH_TASKS * sizeof(*watch_works));
	if (!watchpoints || !watch_tasks || !watch_works)
		return -ENOMEM;
	INIT_HLIST_HEAD(&watch_free);
	for (i = WATCH_TASKS; i-- > 0;)
		hlist_add_head(&watch_tasks[i].link, &watch_free);
	for (i = 0; i < n && !rc; i++)
		rc = watchpoint_load(&watchpoints[i], &row[i]) ?:
		     watchpoint_limit(&watchpoints[i]);
	return rc;
}

static int watchpoint_start(const void *rows, u32 n)
{
	u32 i;
	int rc = watchpoint_prepare(rows, n);

	if (!rc)
		nwatchpoints = n;
	for (i = 0; i < ARRAY_SIZE(watch_turns) && !rc; i++)
		rc = life_watch(watch_turns[i].turn, watch_turns[i].told);
	if (!rc)
		rc = watch_existing();
	if (rc)
		watchpoint_stop(rows, n);
	return rc;
}

const struct rt_family rt_family_watchpoint = {
	.name	= "watchpoint",
	.on_ftrace = 1,		/* life.h */
	.start	= watchpoint_start,
	.stop	= watchpoint_stop,
};
