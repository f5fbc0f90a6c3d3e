// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family_uprobe.c - instructions of user programs, and returns of their functions, through the
 * kernel's uprobes.
 *
 * A probe belongs to a file's inode and an offset: the kernel puts breakpoints into every process
 * that maps it, now or later, and increments a mark's semaphore there. Hits are in the context of
 * the program, with interrupts on. uprobe_call.c stores what a return needs from its entry. If the
 * file is replaced during the run, processes that run the old one stay probed; the new one is not.
 */
#include "runtime/kernel/probes/family_uprobe.h"

#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "runtime/core/core.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/base/run_state.h"
#include "runtime/kernel/compat/compat_uprobe.h"
#include "runtime/kernel/context/arg.h"
#include "runtime/kernel/probes/exe_file.h"
#include "runtime/kernel/probes/family.h"
#include "runtime/kernel/probes/uprobe_call.h"

#define UPROBE_CALLS	64		/* pending calls of each probe that stores values; at
					 * least CALLS_MIN in all */
#define CALLS_MIN	4096
#define CALLS_MAX	16384

struct usite {
	struct uprobe_consumer	consumer;
	const struct rt_uprobe	*row;
	struct arg_save		keep;
	struct inode		*inode, *program;	/* program NULL: any */
	struct uprobe		*handle;
	int			armed;
};

/* constant between start and stop, as the next one */
static struct rt_uprobe *uprobe_rows;
static struct usite *usites;
static u64 *uprobe_missed;			/* per probe; added to by all CPUs, without
						 * locks: atomically */
static u64 *uprobe_in_flight;			/* per probe; valid after removal */

/* ---- hits -----------------------------------------------------------------------*/

static __always_inline int usite_is_wanted(const struct usite *s)
{
	return likely(!s->consumer.filter) ||
	       (s->row->pid ? current->tgid == s->row->pid
			    : exe_file_runs(current->mm, s->program));
}

static struct arg_hit usite_hit(const struct usite *s, unsigned long address)
{
	return (struct arg_hit){ .distance = address - s->row->address };
}

static void usite_miss(const struct usite *s)
{
	atomic64_inc((atomic64_t *)&uprobe_missed[s->row->probe - rt_script.probes]);
}

UPROBE_HIT(usite_hit_here, consumer, regs)
{
	const struct usite *s = container_of(consumer, struct usite, consumer);
	struct arg_hit hit;

	if (!usite_is_wanted(s))
		return 0;
	if (likely(!(s->row->probe->capture & ARG_CAPTURES))) {
		enter_here(s->row->probe, regs, 0);
		return 0;
	}
	hit = usite_hit(s, instruction_pointer(regs));
	enter_here(s->row->probe, regs, (unsigned long)&hit);
	return 0;
}

/* The entry of a function whose returns are probed. */
UPROBE_HIT(usite_called, consumer, regs)
{
	const struct usite *s = container_of(consumer, struct usite, consumer);
	struct uprobe_call *call;

	if (!usite_is_wanted(s))
		return 0;
	if (uprobe_is_deep()) {
		usite_miss(s);
		return 0;
	}
	if (!(s->row->probe->capture & ARG_CAPTURES))
		return 0;
	call = call_new(s, user_stack_pointer(regs));
	if (!call)
		usite_miss(s);
	else if (arg_save(&s->keep, regs, usite_hit(s, instruction_pointer(regs)), call_data(call)))
		call_begin(call);
	else
		call_drop(call);
	return 0;
}

UPROBE_RETURN(usite_returned, consumer, function, regs)
{
	const struct usite *s = container_of(consumer, struct usite, consumer);
	struct uprobe_call *call;

	if (!usite_is_wanted(s))
		return 0;
	if (!(s->row->probe->capture & ARG_CAPTURES)) {
		enter_here(s->row->probe, regs, 0);
		return 0;
	}
	call = call_end(s, uprobe_entry_stack(regs));
	if (!call)
		return 0;
	arg_return(&s->keep, regs, usite_hit(s, function), call_data(call));
	call_drop(call);
	return 0;
}

/* Only for rows of one process or program. */
UPROBE_FILTER(usite_filter, consumer, mm)
{
	const struct usite *s = container_of(consumer, struct usite, consumer);
	const struct task_struct *t;
	bool wanted;

	if (!s->row->pid)
		return exe_file_runs(mm, s->program);
	rcu_read_lock();
	t = pid_task(find_pid_ns(s->row->pid, &init_pid_ns), PIDTYPE_PID);
	wanted = t && READ_ONCE(t->mm) == mm;
	rcu_read_unlock();
	return wanted;
}

/* ---- arming -----------------------------------------------------------------------*/

static u32 uprobe_skipped;			/* optional ones that were refused; during start */
static int uprobe_skipped_rc;			/* the first one's error */
static const struct rt_uprobe *uprobe_first_skipped;

static const char *uprobe_reason(int rc)
{
	return rc == -ENOENT       ? ": no such file"
	       : rc == -EINVAL     ? ": no instruction can be probed there"
	       : rc == -EOPNOTSUPP ? ": the kernel cannot execute that instruction out of line"
	       : rc == -EIO        ? ": its file system does not allow uprobes"
				   : "";
}

static int usite_refuse_stuck(const struct rt_uprobe *row)
{
	char text[512];

	scnprintf(text, sizeof(text), "probe %s %s: " CORE_STUCK "%s", row->probe->point,
		  row->optional ? "skipped" : "registration error", core_uprobe_stuck(row));
	runtime_message(row->optional ? WIRE_WARNING : WIRE_ERROR, 0, text, strlen(text) + 1);
	run_state.unarmed += row->optional != 0;
	return row->optional ? 0 : -EOPNOTSUPP;
}

static int usite_refuse(const struct rt_uprobe *row, int rc)
{
	char text[256];

	if (row->optional == RT_OPTIONAL || (row->optional && rc != -ENOENT)) {
		if (!uprobe_skipped++) {
			uprobe_first_skipped = row;
			uprobe_skipped_rc = rc;
		}
		run_state.unarmed++;
		return 0;
	}
	scnprintf(text, sizeof(text), "probe %s registration error [man warning::pass5] (rc %d)%s",
		  row->probe->point, rc, uprobe_reason(rc));
	runtime_message(WIRE_ERROR, 0, text, strlen(text) + 1);
	return rc;
}

static int usite_arm(struct usite *s)
{
	const struct rt_uprobe *row = s->row;
	struct inode *inode = exe_file_inode(row->path),
		     *program = row->program ? exe_file_inode(row->program) : NULL;
	int rc;

	s->inode = IS_ERR(inode) ? NULL : inode;
	s->program = IS_ERR(program) ? NULL : program;
	if (IS_ERR(inode) || IS_ERR(program))
		return IS_ERR(inode) ? (int)PTR_ERR(inode) : (int)PTR_ERR(program);
	s->consumer.handler = row->is_return ? usite_called : usite_hit_here;
	s->consumer.ret_handler = row->is_return ? usite_returned : NULL;
	s->consumer.filter = row->pid || row->program ? usite_filter : NULL;
	rc = fault_inject_error()
		     ?: uprobe_arm(&s->handle, s->inode, row->offset, row->semaphore, &s->consumer);
	s->armed = !rc;
	return rc;
}

/* Memory for pending calls, if values are stored. */
static int uprobe_load_calls(const struct rt_uprobe *row, u32 n)
{
	u32 i, keeping = 0, bytes = 0;

	for (i = 0; i < n; i++) {
		usites[i].row = &row[i];
		usites[i].keep = (struct arg_save){ row[i].probe, row[i].keeper, row[i].nkept,
						    row[i].saves_text };
		if (!row[i].is_return || !(row[i].probe->capture & ARG_CAPTURES))
			continue;
		keeping++;
		bytes = max(bytes, arg_save_bytes(&usites[i].keep));
	}
	return keeping ? calls_load(clamp_t(u32, keeping * UPROBE_CALLS, CALLS_MIN, CALLS_MAX),
				    bytes)
		       : 0;
}

static void uprobe_report_replaced(const struct usite *s)
{
	char text[256];

	if (!s->armed || !exe_file_replaced(s->row->path, s->inode))
		return;
	scnprintf(
		text, sizeof(text),
		"%s was replaced or removed while it was probed: processes "
			"that run the new file are not probed",
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
		if (s->armed)
			uprobe_disarm(s->handle, s->inode, s->row->offset, &s->consumer);
	}
	uprobe_disarmed();
	for (i = 0; usites && i < n; i++) {
		if (usites[i].armed)
			uprobe_in_flight[usites[i].row->probe - rt_script.probes] +=
				calls_under_way(&usites[i]);
		iput(usites[i].inode);
		iput(usites[i].program);
	}
	calls_unload();
	runtime_free(usites);
	runtime_free(uprobe_rows);
	usites = NULL;
	uprobe_rows = NULL;
}

static int uprobe_start(const void *rows, u32 n)
{
	const struct rt_uprobe *row;
	char text[256];
	u32 i;
	int rc;

	row = uprobe_rows = core_uprobes(rows, n);
	usites = runtime_alloc((u64)n * sizeof(*usites));
	uprobe_missed = runtime_alloc((u64)rt_script.nprobes * sizeof(*uprobe_missed));
	uprobe_in_flight = runtime_alloc((u64)rt_script.nprobes * sizeof(*uprobe_in_flight));
	rc = row && usites && uprobe_missed && uprobe_in_flight ? uprobe_load_calls(row, n)
								: -ENOMEM;
	for (i = 0; i < n && !rc; i++) {
		if (core_uprobe_stuck(&row[i])) {
			rc = usite_refuse_stuck(&row[i]);
			continue;
		}
		rc = usite_arm(&usites[i]);
		if (rc)
			rc = usite_refuse(&row[i], rc);
	}
	if (uprobe_skipped) {
		scnprintf(
			text, sizeof(text),
			"%u probe%s of programs skipped: they cannot be armed, first: %s (rc %d)%s",
			uprobe_skipped, uprobe_skipped == 1 ? "" : "s",
			uprobe_first_skipped->probe->point, uprobe_skipped_rc,
			uprobe_reason(uprobe_skipped_rc));
		runtime_message(WIRE_WARNING, 0, text, strlen(text) + 1);
		uprobe_skipped = 0;
	}
	if (rc)
		uprobe_stop(rows, n);
	return rc;
}

void uprobe_account(const struct rt_probe *p, struct wire_account *sum)
{
	if (uprobe_missed)
		sum->missed_slots += uprobe_missed[p - rt_script.probes];
	if (uprobe_in_flight)
		sum->in_flight += uprobe_in_flight[p - rt_script.probes];
}

void uprobe_unload(void)
{
	runtime_free(uprobe_missed);
	runtime_free(uprobe_in_flight);
}

const struct rt_family rt_family_uprobe = {
	.name	= "uprobe",
	.start	= uprobe_start,
	.stop	= uprobe_stop,
};
