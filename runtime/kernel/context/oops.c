// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * oops.c - a fault in a handler must not happen; if it does, the machine keeps running as long as
 * the module stays loaded.
 *
 * The kernel kills the faulting task in the middle of a handler: its context stays busy, and the
 * kernel's data of the probe may still point here, so that removing the module would bring the
 * machine down (tried). So hits are ignored from then on, the consumer gets an error message, and
 * the module keeps a reference to itself.
 */
#include "runtime/kernel/context/oops.h"

#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/kdebug.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/sched.h>

#include "runtime/core/core.h"
#include "runtime/core/refuse.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/base/run_state.h"
#include "runtime/kernel/context/context.h"

static atomic_t oops_count;

int oops_happened(void)
{
	return atomic_read(&oops_count);
}

static void oops_tell(struct irq_work *work)
{
	core_error(RUN_OOPS, NULL);
	run_fail();
}

/* Not sent from the notifier: the fault may have occurred while a message was being queued. */
static DEFINE_IRQ_WORK(oops_irq_work, oops_tell);

static int oops_notify(struct notifier_block *nb, unsigned long event, void *data)
{
	if (event != DIE_OOPS || !(context_active() || READ_ONCE(run_phase_task) == current) ||
	    atomic_xchg(&oops_count, 1))
		return NOTIFY_DONE;
	__module_get(THIS_MODULE);
	irq_work_queue(&oops_irq_work);
	return NOTIFY_DONE;
}

static struct notifier_block oops_block = { .notifier_call = oops_notify };

int oops_load(void)
{
	return fault_inject_error() ?: register_die_notifier(&oops_block);
}

void oops_unload(void)
{
	unregister_die_notifier(&oops_block);
	irq_work_sync(&oops_irq_work);
}
