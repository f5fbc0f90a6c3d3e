/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exe_file.h - executable files by inode, and which processes run them.
 */
#ifndef LAPWING_KERNEL_EXE_FILE_H
#define LAPWING_KERNEL_EXE_FILE_H

#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/sched.h>

#include "runtime/rt.h"

/*
 * The file's inode, which the caller must iput(), with links followed; or ERR_PTR. Process context.
 */
struct inode *exe_inode(const char *path);
/* True if the path no longer names that file. Process context. */
int exe_replaced(const char *path, const struct inode *inode);
/* True if processes with that memory run the file. Any context. */
int exe_runs(const struct mm_struct *mm, const struct inode *inode);

#endif
