// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * exe_file.c - see exe_file.h. Files are compared by inode: in a container a path may name another
 * file.
 */
#include "runtime/kernel/probes/exe_file.h"

#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/namei.h>
#include <linux/rcupdate.h>

#include "runtime/kernel/compat/compat_names.h"

struct inode *exe_inode(const char *path)
{
	struct inode *inode;
	struct path at;
	int rc = -ENOENT;

	scoped_with_init_fs()
		rc = kern_path(path, LOOKUP_FOLLOW, &at);
	if (rc)
		return ERR_PTR(rc);
	inode = igrab(d_real_inode(at.dentry));
	path_put(&at);
	if (!inode)
		return ERR_PTR(-ENOENT);
	if (S_ISREG(inode->i_mode))
		return inode;
	iput(inode);
	return ERR_PTR(-EINVAL);
}

int exe_replaced(const char *path, const struct inode *inode)
{
	struct inode *now = exe_inode(path);
	int replaced = IS_ERR(now) || now != inode;

	if (!IS_ERR(now))
		iput(now);
	return replaced;
}

notrace int exe_runs(const struct mm_struct *mm, const struct inode *inode)
{
	const struct file *file;
	int runs;

	if (!mm)
		return 0;
	rcu_read_lock();
	file = rcu_dereference(mm->exe_file);
	runs = file && d_real_inode(file->f_path.dentry) == inode;
	rcu_read_unlock();
	return runs;
}
