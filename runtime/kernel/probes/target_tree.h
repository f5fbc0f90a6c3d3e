/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target_tree.h - finds which processes are the target or come from it, however many are in
 * between, and whether those still live, for target.h.
 */
#ifndef LAPWING_KERNEL_TARGET_TREE_H
#define LAPWING_KERNEL_TARGET_TREE_H

/*
 * From now on they are known, if the session has a target and asks for them. 0 or -errno. Before
 * the target runs, or while it does.
 */
int target_tree_start(void);
/* The answers stay. Process context, as target_tree_start(). */
void target_tree_stop(void);
void target_tree_unload(void);

#endif
