// SPDX-License-Identifier: GPL-2.0-or-later
/* has_pde_data.c - compiles if a file's data in procfs is pde_data() (Linux 5.17). */
#include <linux/proc_fs.h>

void *has_pde_data(const struct inode *inode);
void *has_pde_data(const struct inode *inode)
{
	return pde_data(inode);
}
