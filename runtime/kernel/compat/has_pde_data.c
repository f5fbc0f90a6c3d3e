// SPDX-License-Identifier: GPL-2.0-or-later
/* has_pde_data.c - compiles if pde_data() exists (Linux 5.17). */
#include <linux/proc_fs.h>

void *has_pde_data(const struct inode *inode);
void *has_pde_data(const struct inode *inode)
{
	return pde_data(inode);
}
