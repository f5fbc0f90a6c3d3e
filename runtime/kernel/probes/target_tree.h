/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target_tree.h - finds the target and its descendants for target.h, at any depth, whether or not
 * the processes in between still live.
 */
#ifndef LAPWING_KERNEL_TARGET_TREE_H
#define LAPWING_KERNEL_TARGET_TREE_H

/*
 * From now on they are known, if the session has a target and needs them. 0 or -errno. Before the
 * target runs, or while it does.
 */
int target_tree_start(void);
/* Stops following forks; the answers stay. Process context, as target_tree_start(). */
void target_tree_stop(void);
void target_tree_unload(void);

#endif
