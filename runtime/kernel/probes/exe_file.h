/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exe_file.h - which processes a row is about: those that run a file, one by its number, or the
 * target's tree.
 */
#ifndef LAPWING_KERNEL_EXE_FILE_H
#define LAPWING_KERNEL_EXE_FILE_H

#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/sched.h>

#include "runtime/rt.h"

/*
 * The file's inode, with a reference of its own (iput), links followed; or ERR_PTR. Process
 * context.
 */
struct inode *exe_inode(const char *path);
/* Has the file of that path been replaced by another one? Process context. */
int exe_replaced(const char *path, const struct inode *inode);
/* Do processes with that memory run the file? Any context. */
int exe_runs(const struct mm_struct *mm, const struct inode *inode);

#endif
