// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * has_rethook_types.c - compiles where the kernel has a header for hooked returns (Linux 5.18), whether or not this machine can hook them.
 */
#include <linux/bug.h>
#include <linux/rethook.h>

extern const struct rethook_node has_rethook_types;
const struct rethook_node has_rethook_types;
