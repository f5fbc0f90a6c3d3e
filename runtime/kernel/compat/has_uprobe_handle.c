// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * has_uprobe_handle.c - compiles if uprobe_register() returns a struct uprobe for unregistration
 * (Linux 6.12), and filters only get the process's memory.
 */
#include <linux/fs.h>
#include <linux/uprobes.h>

static bool wanted(struct uprobe_consumer *consumer, struct mm_struct *mm)
{
	return mm;
}

struct uprobe *has_uprobe_handle(struct inode *inode, struct uprobe_consumer *consumer);
struct uprobe *has_uprobe_handle(struct inode *inode, struct uprobe_consumer *consumer)
{
	consumer->filter = wanted;
	return uprobe_register(inode, 0, 0, consumer);
}
