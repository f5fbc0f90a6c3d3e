/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uprobe_call.h - memory for pending calls of user functions, from the entry to the return:
 * arguments and saved values.
 *
 * A call is identified by its thread, its probe and its stack pointer, which covers recursion;
 * calls that never return (longjmp) are dropped by the next one that does, or when the thread
 * exits.
 */
#ifndef LAPWING_KERNEL_UPROBE_CALL_H
#define LAPWING_KERNEL_UPROBE_CALL_H

#include "runtime/rt.h"

struct uprobe_call;

/* Room for n calls with `bytes` of data each. 0 or -errno. Process context. */
int calls_load(u32 n, u32 bytes);
void calls_unload(void);
/*
 * A call of the current thread; NULL: no room. It becomes pending by call_begin(), or is released
 * by call_drop().
 */
struct uprobe_call *call_new(const void *owner, unsigned long stack);
u64 *call_data(struct uprobe_call *call);
void call_begin(struct uprobe_call *call);
void call_drop(struct uprobe_call *call);
/* Number of an owner's pending calls. */
u64 calls_under_way(const void *owner);
/* The returning call: the caller must drop it. NULL: its entry was not seen. */
struct uprobe_call *call_end(const void *owner, unsigned long stack);

#endif
