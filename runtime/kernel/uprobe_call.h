/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uprobe_call.h - memory for calls of user functions that are under way, from the entry to the return: arguments and kept values.
 *
 * A call is known by its thread, its probe and its stack pointer, so recursion is told apart, and calls that never return (longjmp) are
 * dropped by the next one that does, or when the thread ends.
 */
#ifndef LAPWING_KERNEL_UPROBE_CALL_H
#define LAPWING_KERNEL_UPROBE_CALL_H

#include "runtime/rt.h"

struct uprobe_call;

/* Room for n calls with so many bytes of data each. 0 or -errno. Process context. */
int calls_load(u32 n, u32 bytes);
void calls_unload(void);
/* A call of the current thread; NULL: there is no room. It is under way after call_begin(), or given back by call_drop(). */
struct uprobe_call *call_new(const void *owner, unsigned long stack);
u64 *call_data(struct uprobe_call *call);
void call_begin(struct uprobe_call *call);
void call_drop(struct uprobe_call *call);
/* How many calls of an owner are under way. */
u64 calls_under_way(const void *owner);
/* The call that returns: it is the caller's to drop. NULL: its entry was not seen. */
struct uprobe_call *call_end(const void *owner, unsigned long stack);

#endif
