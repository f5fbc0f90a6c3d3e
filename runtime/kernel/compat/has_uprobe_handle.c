// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * has_uprobe_handle.c - compiles where uprobe_register() gives a struct uprobe, by which it is unregistered (Linux 6.12), and filters are
 * told the process's memory only.
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
