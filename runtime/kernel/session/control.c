// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * control.c - the module's device: messages out by read(), commands in by write(), rings by mmap().
 * One opener, once.
 */
#include "runtime/kernel/session/control.h"

#include <linux/atomic.h>
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "runtime/core/about.h"
#include "runtime/core/global.h"
#include "runtime/core/phase.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/context/enter.h"
#include "runtime/kernel/probes/calibration_stub.h"
#include "runtime/kernel/probes/family_procfs.h"
#include "runtime/kernel/session/session.h"
#include "runtime/kernel/stacks/bind.h"
#include "runtime/kernel/stacks/symbols.h"
#include "runtime/kernel/transport/message.h"
#include "runtime/kernel/transport/ring.h"

#define CONTROL_BUFFER 65536U

static DECLARE_WAIT_QUEUE_HEAD(control_queue);
static atomic_t control_opened;
static u8 *control_buffer;		/* for the only opener; under control_mutex */
static DEFINE_MUTEX(control_mutex);

static void control_wake_now(struct irq_work *work)
{
	wake_up_interruptible(&control_queue);
}

/* Waking takes scheduler locks that a probed function may hold: it is deferred to irq_work. */
static DEFINE_IRQ_WORK(control_irq_work, control_wake_now);

notrace void runtime_wake(void)
{
	irq_work_queue(&control_irq_work);
}

void control_wake_unload(void)
{
	irq_work_sync(&control_irq_work);
}

static int control_open(struct inode *inode, struct file *file)
{
	if (atomic_xchg(&control_opened, 1))
		return -EBUSY;
	session_hello();
	return nonseekable_open(inode, file);
}

static int control_release(struct inode *inode, struct file *file)
{
	session_abandon();
	return 0;
}

static ssize_t control_read(struct file *file, char __user *to, size_t size, loff_t *pos)
{
	ssize_t n;

	for (;;) {
		mutex_lock(&control_mutex);
		n = message_take(control_buffer, min_t(size_t, size, CONTROL_BUFFER));
		if (n && copy_to_user(to, control_buffer, n))
			n = -EFAULT;
		mutex_unlock(&control_mutex);
		if (n)
			return n;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (wait_event_interruptible(control_queue, message_pending()))
			return -ERESTARTSYS;
	}
}

static int control_command(const struct wire_msg *m, u32 len)
{
	switch (m->type) {
	case WIRE_BIND:
		return bind_take(m->id, (const u64 *)(m + 1), len / sizeof(u64));
	case WIRE_TARGET:
		if (len < sizeof(run_target))
			return -EINVAL;
		memcpy(&run_target, m + 1, sizeof(run_target));
		return 0;
	case WIRE_SYMBOLS:
		return symbols_take((const struct wire_symbols *)(m + 1), len);
	case WIRE_GLOBAL:
		return session_is_asked() ? -EBUSY
					  : core_assign((const struct wire_global *)(m + 1), len);
	case WIRE_INPUT:
		return m->id <= len ? procfs_input((const char *)(m + 1), m->id) : -EINVAL;
	case WIRE_NOTE:
		return phase_take((const struct wire_note *)(m + 1), len);
	case WIRE_ABOUT:
		return session_is_asked() ? -EBUSY : core_take_about(m + 1, len);
	case WIRE_SWITCH:
		run_switch(m->id);
		return 0;
	case WIRE_CALIBRATE:
		empty_calibrate();
		return 0;
	case WIRE_TIMING:
		return session_time();
	case WIRE_START:
		return session_start();
	case WIRE_STOP:
		return session_stop(len >= sizeof(struct wire_stop) &&
				    ((const struct wire_stop *)(m + 1))->partial);
	}
	return -EINVAL;
}

static ssize_t control_write(struct file *file, const char __user *from, size_t size, loff_t *pos)
{
	struct wire_msg *m;
	int rc;

	if (size < sizeof(*m) || size > 2 * WIRE_MSG_MAX)
		return -EINVAL;
	m = memdup_user(from, size);
	if (IS_ERR(m))
		return PTR_ERR(m);
	mutex_lock(&control_mutex);
	rc = m->len == size ? control_command(m, size - sizeof(*m)) : -EINVAL;
	mutex_unlock(&control_mutex);
	kfree(m);
	return rc ? rc : (ssize_t)size;
}

static __poll_t control_poll(struct file *file, poll_table *wait)
{
	poll_wait(file, &control_queue, wait);
	return message_pending() ? EPOLLIN | EPOLLRDNORM : 0;
}

static int control_mmap(struct file *file, struct vm_area_struct *vma)
{
	u64 at = (u64)vma->vm_pgoff << PAGE_SHIFT;

	if (at % ring_bytes())
		return -EINVAL;
	return ring_mmap((u32)(at / ring_bytes()), vma);
}

static const struct file_operations control_operations = {
	.owner		= THIS_MODULE,
	.open		= control_open,
	.release	= control_release,
	.read		= control_read,
	.write		= control_write,
	.poll		= control_poll,
	.mmap		= control_mmap,
};

static struct miscdevice control_device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.fops	= &control_operations,
	.mode	= 0600,
};

int control_load(void)
{
	int rc;

	control_buffer = runtime_alloc(CONTROL_BUFFER);
	if (!control_buffer)
		return -ENOMEM;
	control_device.name = THIS_MODULE->name;
	rc = fault_inject_error() ?: misc_register(&control_device);
	if (rc)
		runtime_free(control_buffer);
	return rc;
}

void control_unload(void)
{
	misc_deregister(&control_device);
	runtime_free(control_buffer);
}
