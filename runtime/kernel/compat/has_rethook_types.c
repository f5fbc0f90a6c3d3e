// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * has_rethook_types.c - compiles if the kernel has a header for rethook (Linux 5.18), whether or
 * not this architecture supports it.
 */
#include <linux/bug.h>
#include <linux/rethook.h>

extern const struct rethook_node has_rethook_types;
const struct rethook_node has_rethook_types;
