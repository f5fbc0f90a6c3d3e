// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family_uprobe.c - instructions of user programs, and returns of their functions, through the
 * kernel's uprobes.
 *
 * A probe belongs to a file's inode and an offset: the kernel puts breakpoints into every process
 * that maps it, now or later, and increments a mark's semaphore there. Hits are in the context of
 * the program, with interrupts on. uprobe_call.c keeps the data that a return needs from its entry.
 * Where the kernel must not replace return addresses, the instructions that return are probed. If a
 * file is replaced meanwhile, processes that run the old one stay probed; the new one is not
 * probed.
 */
#include "runtime/kernel/probes/family_uprobe.h"

#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "runtime/core/core.h"
#include "runtime/core/floor.h"
#include "runtime/core/goroutine.h"
#include "runtime/core/refuse.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/compat/compat_uprobe.h"
#include "runtime/kernel/context/arg.h"
#include "runtime/kernel/probes/exe_file.h"
#include "runtime/kernel/probes/family.h"
#include "runtime/kernel/probes/uprobe_call.h"

/* pending calls per probe that keeps data of them; at least CALLS_MIN in all */
#define UPROBE_CALLS	64
#define CALLS_MIN	4096
#define CALLS_MAX	16384

struct usite {
	struct uprobe_consumer	consumer;
	const struct rt_uprobe	*row;
	struct arg_keep		keep;
	struct inode		*inode, *program;	/* program NULL: any program */
	struct uprobe		*handle;
	struct usite_exit	*exits;			/* row->nexits of them */
	int			armed;
};

/* An instruction at which calls end. */
struct usite_exit {
	struct uprobe_consumer	consumer;
	const struct usite	*site;
	const struct rt_exit	*row;
	struct uprobe		*handle;
	int			armed;
};

/* The counts of a probe. All CPUs add to them, without a lock; in_flight is set after disarming. */
struct uprobe_books {
	atomic64_t		missed, jumped, mixed, unproven;
	u64			in_flight;
};

/* constant between start and stop, as the next two */
static struct rt_uprobe *uprobe_rows;
static struct usite *usites;
static struct usite_exit *usite_exits;
static struct uprobe_books *uprobe_books;

/* ---- hits -----------------------------------------------------------------------*/

static __always_inline int usite_wants(const struct usite *s)
{
	return likely(!s->consumer.filter) ||
	       (s->row->pid ? current->tgid == s->row->pid : exe_runs(current->mm, s->program));
}

static struct arg_hit usite_hit(const struct usite *s, unsigned long address)
{
	return (struct arg_hit){ .distance = address - s->row->address };
}

static struct uprobe_books *usite_books(const struct usite *s)
{
	return &uprobe_books[s->row->probe - rt_script.probes];
}

static void usite_miss(const struct usite *s)
{
	atomic64_inc(&usite_books(s)->missed);
}

UPROBE_HIT(usite_hit_here, consumer, regs)
{
	const struct usite *s = container_of(consumer, struct usite, consumer);
	struct arg_hit hit;

	if (!usite_wants(s))
		return 0;
	if (likely(!(s->row->probe->capture & ARG_CAPTURES))) {
		enter_here(s->row->probe, regs, 0);
		return 0;
	}
	hit = usite_hit(s, instruction_pointer(regs));
	enter_here(s->row->probe, regs, (unsigned long)&hit);
	return 0;
}

static void usite_begin(const struct usite *s, const struct call_key *key, struct pt_regs *regs)
{
	struct uprobe_call *call = call_new(key);

	if (!call)
		usite_miss(s);
	else if (arg_keep(&s->keep, regs, usite_hit(s, instruction_pointer(regs)), call_data(call)))
		call_begin(call);
	else
		call_drop(call);
}

/* The entry of a function whose returns are probed. */
UPROBE_HIT(usite_called, consumer, regs)
{
	const struct usite *s = container_of(consumer, struct usite, consumer);
	struct call_key key;

	if (!usite_wants(s))
		return 0;
	if (uprobe_is_deep()) {
		usite_miss(s);
		return 0;
	}
	if (!(s->row->probe->capture & ARG_CAPTURES))
		return 0;
	key = call_of_thread(s, user_stack_pointer(regs));
	usite_begin(s, &key, regs);
	return 0;
}

/* The key of a call whose end is probed by instructions. */
static struct call_key usite_call(const struct usite *s, const struct pt_regs *regs)
{
	unsigned long sp = user_stack_pointer((struct pt_regs *)regs), g;
	u64 end;

	if (!s->row->goroutine)
		return call_of_process(s, sp);
	g = uprobe_goroutine(regs);
	if (copy_from_user_nofault(&end, (const void __user *)(g + sizeof(u64)), sizeof(end)))
		end = 0;
	return call_of_process(s, goroutine_call(g, end, sp));
}

/* The entry of a function whose returning instructions are probed. */
UPROBE_HIT(usite_entered, consumer, regs)
{
	const struct usite *s = container_of(consumer, struct usite, consumer);
	struct call_key key;

	if (!usite_wants(s))
		return 0;
	key = usite_call(s, regs);
	if (key.stack)
		usite_begin(s, &key, regs);
	else
		usite_miss(s);
	return 0;
}

UPROBE_RETURN(usite_returned, consumer, function, regs)
{
	const struct usite *s = container_of(consumer, struct usite, consumer);
	struct uprobe_call *call;
	struct call_key key;

	if (!usite_wants(s))
		return 0;
	if (!(s->row->probe->capture & ARG_CAPTURES)) {
		enter_here(s->row->probe, regs, 0);
		return 0;
	}
	key = call_of_thread(s, uprobe_entry_stack(regs));
	call = call_end(&key);
	if (!call)
		return 0;
	arg_return(&s->keep, regs, usite_hit(s, function), call_data(call));
	call_drop(call);
	return 0;
}

/* Runs the handler with the registers as they are after the return. */
static void usite_return(const struct usite_exit *x, struct uprobe_call *call, struct pt_regs *regs)
{
	const struct usite *s = x->site;
	struct arg_hit hit =
		usite_hit(s, instruction_pointer(regs) - (x->row->offset - s->row->offset));
	struct uprobe_place place = uprobe_leave(regs);

	hit.mixed = !call_is_here(call);
	if (s->row->probe->capture & ARG_CAPTURES)
		arg_return(&s->keep, regs, hit, call_data(call));
	else
		enter_here(s->row->probe, regs, 0);
	uprobe_stay(regs, place);
}

/* One thread's counts cannot be compared with another's; a stopwatch takes care of that itself. */
static int usite_may_join(const struct usite *s, const struct uprobe_call *call)
{
	return !s->row->keeper || !(s->row->keeper->capture & RT_CAP_PMU) ||
	       s->row->probe->stopwatch || call_is_here(call);
}

static void usite_left_unknown(const struct usite *s)
{
	struct uprobe_call *call = call_end_unknown(s);

	if (!call)
		return;
	atomic64_inc(&usite_books(s)->unproven);
	call_drop(call);
}

UPROBE_HIT(usite_left, consumer, regs)
{
	const struct usite_exit *x = container_of(consumer, struct usite_exit, consumer);
	const struct usite *s = x->site;
	struct uprobe_call *call;
	struct call_key key;

	if (!usite_wants(s))
		return 0;
	key = usite_call(s, regs);
	if (!key.stack) {
		if (x->row->how != RT_EXIT_MAY_JUMP)
			usite_left_unknown(s);
		return 0;
	}
	if (x->row->how != RT_EXIT_RETURN) {
		call_jump(&key, &usite_books(s)->jumped, x->row->how == RT_EXIT_JUMP);
		return 0;
	}
	call = call_end(&key);
	if (!call)
		return 0;
	if (usite_may_join(s, call))
		usite_return(x, call, regs);
	else
		atomic64_inc(&usite_books(s)->mixed);
	call_drop(call);
	return 0;
}

/* Only for rows of one process or program. */
static bool usite_filters(const struct usite *s, const struct mm_struct *mm)
{
	const struct task_struct *t;
	bool wanted;

	if (!s->row->pid)
		return exe_runs(mm, s->program);
	rcu_read_lock();
	t = pid_task(find_pid_ns(s->row->pid, &init_pid_ns), PIDTYPE_PID);
	wanted = t && READ_ONCE(t->mm) == mm;
	rcu_read_unlock();
	return wanted;
}

UPROBE_FILTER(usite_filter, consumer, mm)
{
	return usite_filters(container_of(consumer, struct usite, consumer), mm);
}

UPROBE_FILTER(usite_exit_filter, consumer, mm)
{
	return usite_filters(container_of(consumer, struct usite_exit, consumer)->site, mm);
}

/* ---- arming -----------------------------------------------------------------------*/

static const struct refusal usite_refusals[] = {
	{ -ENOENT,	RUN_FILE_NONE },
	{ -EINVAL,	RUN_INSTRUCTION },
	{ -EOPNOTSUPP,	RUN_INSTRUCTION_KIND },
	{ -EIO,		RUN_FILE_SYSTEM },
	{ 0,		RUN_REGISTRATION },
};

/*
 * A call may end at any exit: either all are armed, or the row is not. The caller's cleanup disarms
 * those that were armed.
 */
static int usite_arm_exits(struct usite *s)
{
	const struct rt_uprobe *row = s->row;
	u32 i;
	int rc = 0;

	for (i = 0; i < row->nexits && !rc; i++) {
		struct usite_exit *x = &s->exits[i];

		x->site = s;
		x->row = &row->exits[i];
		x->consumer.handler = usite_left;
		x->consumer.filter = row->pid || row->program ? usite_exit_filter : NULL;
		rc = uprobe_arm(&x->handle, s->inode, x->row->offset, 0, &x->consumer);
		x->armed = !rc;
	}
	return rc;
}

/*
 * A call's exits are armed before its entry, so that no call begins whose end is not seen. Without
 * exits, the kernel itself pairs entry and return.
 */
static int usite_arm(struct usite *s)
{
	const struct rt_uprobe *row = s->row;
	struct inode *inode = exe_inode(row->path),
		     *program = row->program ? exe_inode(row->program) : NULL;
	int rc;

	s->inode = IS_ERR(inode) ? NULL : inode;
	s->program = IS_ERR(program) ? NULL : program;
	if (IS_ERR(inode) || IS_ERR(program))
		return IS_ERR(inode) ? (int)PTR_ERR(inode) : (int)PTR_ERR(program);
	s->consumer.handler = row->exits ? usite_entered
			      : row->is_return ? usite_called
			      : usite_hit_here;
	s->consumer.ret_handler = row->is_return && !row->exits ? usite_returned : NULL;
	s->consumer.filter = row->pid || row->program ? usite_filter : NULL;
	rc = fault_inject_error() ?: row->exits ? usite_arm_exits(s) : 0;
	if (!rc)
		rc = uprobe_arm(&s->handle, s->inode, row->offset, row->semaphore, &s->consumer);
	s->armed = !rc;
	return rc;
}

static void usite_disarm(struct usite *s)
{
	u32 i;

	if (s->armed)
		uprobe_disarm(s->handle, s->inode, s->row->offset, &s->consumer);
	for (i = 0; i < s->row->nexits; i++)
		if (s->exits[i].armed)
			uprobe_disarm(s->exits[i].handle, s->inode, s->exits[i].row->offset,
				      &s->exits[i].consumer);
}

/* Allocates memory for pending calls, if data of them is kept or they must be identified. */
static int uprobe_load_calls(const struct rt_uprobe *row, u32 n)
{
	u32 i, keeping = 0, bytes = 0, exits = 0;

	for (i = 0; i < n; i++)
		exits += row[i].nexits;
	usite_exits = runtime_alloc((u64)exits * sizeof(*usite_exits) + 1);
	if (!usite_exits)
		return -ENOMEM;
	for (i = 0, exits = 0; i < n; exits += row[i++].nexits) {
		usites[i].row = &row[i];
		usites[i].exits = &usite_exits[exits];
		usites[i].keep = (struct arg_keep){ row[i].probe, row[i].keeper, row[i].nkept,
						    row[i].keeps_text };
		if (!row[i].exits && (!row[i].is_return || !(row[i].probe->capture & ARG_CAPTURES)))
			continue;
		keeping += row[i].exits ? CALLS_MAX : 1;
		bytes = max(bytes, arg_keep_bytes(&usites[i].keep));
	}
	return keeping ? calls_load(clamp_t(u64, (u64)keeping * UPROBE_CALLS, CALLS_MIN, CALLS_MAX),
				    bytes)
		       : 0;
}

static void uprobe_report_replaced(const struct usite *s)
{
	char text[256];

	if (!s->armed || !exe_replaced(s->row->path, s->inode))
		return;
	scnprintf(
		text, sizeof(text),
		"%s was replaced or removed while it was probed: what ran the new file was not seen",
		s->row->path);
	runtime_message(WIRE_WARNING, 0, text, strlen(text) + 1);
}

static void uprobe_stop(const void *rows, u32 n)
{
	u32 i;

	for (i = 0; usites && i < n; i++) {
		struct usite *s = &usites[i];

		if (!i || s->inode != usites[i - 1].inode)
			uprobe_report_replaced(s);
		if (s->row)
			usite_disarm(s);
	}
	uprobe_disarmed();
	for (i = 0; usites && i < n; i++) {
		if (usites[i].armed)
			usite_books(&usites[i])->in_flight += calls_under_way(&usites[i]);
		iput(usites[i].inode);
		iput(usites[i].program);
	}
	calls_unload();
	runtime_free(usites);
	runtime_free(usite_exits);
	runtime_free(uprobe_rows);
	usites = NULL;
	usite_exits = NULL;
	uprobe_rows = NULL;
}

static int uprobe_start(const void *rows, u32 n)
{
	const struct rt_uprobe *row;
	u32 i;
	int rc;

	row = uprobe_rows = core_uprobes(rows, n);
	usites = runtime_alloc((u64)n * sizeof(*usites));
	uprobe_books = runtime_alloc((u64)rt_script.nprobes * sizeof(*uprobe_books));
	rc = row && usites && uprobe_books ? uprobe_load_calls(row, n) : -ENOMEM;
	for (i = 0; i < n && !rc; i++) {
		if (core_uprobe_stuck(&row[i])) {
			rc = refuse_probe(row[i].probe, row[i].optional, -EOPNOTSUPP, RUN_NOP_CALL,
					  core_uprobe_stuck(&row[i]));
			continue;
		}
		rc = usite_arm(&usites[i]);
		if (rc)
			rc = refuse_errno(row[i].probe, row[i].optional, rc, usite_refusals);
	}
	if (rc)
		uprobe_stop(rows, n);
	return rc;
}

void uprobe_account(const struct rt_probe *p, struct wire_account *sum)
{
	struct uprobe_books *books = uprobe_books ? &uprobe_books[p - rt_script.probes] : NULL;

	if (!books)
		return;
	sum->missed_slots += (u64)atomic64_read(&books->missed);
	sum->missed_jumped += (u64)atomic64_read(&books->jumped);
	sum->missed_unproven += (u64)atomic64_read(&books->unproven);
	sum->missed_mixed += (u64)atomic64_read(&books->mixed);
	sum->in_flight += books->in_flight;
}

void uprobe_unload(void)
{
	runtime_free(uprobe_books);
}

const struct rt_family rt_family_uprobe = {
	.name	= "uprobe",
	.start	= uprobe_start,
	.stop	= uprobe_stop,
};
