/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uprobe_call.h - memory for pending calls of user functions, from the entry to the return:
 * arguments and kept values.
 *
 * A call is identified by its thread, its probe and its stack pointer, so recursive calls are
 * distinguished, and calls that never return (longjmp) are dropped by the next one that does, or
 * when the thread ends. Where functions yield to other stacks, and continue in another thread, a
 * call is identified by its process, its probe and its stack pointer, and dropped by the next one
 * that begins there, or when the process ends.
 */
#ifndef LAPWING_KERNEL_UPROBE_CALL_H
#define LAPWING_KERNEL_UPROBE_CALL_H

#include <linux/atomic.h>

#include "runtime/rt.h"

struct uprobe_call;
struct usite;

/*
 * Identifies a call of the current thread, or of its process, by its probe and the stack pointer at
 * its entry.
 */
struct call_key {
	const struct usite *owner;
	/* struct task_struct, or any_thread: struct signal_struct */
	const void	*whose;
	unsigned long	stack;
	int		any_thread;
};
struct call_key call_of_thread(const struct usite *owner, unsigned long stack);
struct call_key call_of_process(const struct usite *owner, unsigned long stack);

/* Room for n calls with `bytes` of data each. 0 or -errno. Process context. */
int calls_load(u32 n, u32 bytes);
void calls_unload(void);
/* Allocates a call; NULL: no room. Then call_begin() makes it pending, or call_drop() frees it. */
struct uprobe_call *call_new(const struct call_key *key);
u64 *call_data(struct uprobe_call *call);
void call_begin(struct uprobe_call *call);
void call_drop(struct uprobe_call *call);
/* Number of pending calls of an owner. */
u64 calls_under_way(const struct usite *owner);
/* Takes out the call that returns; the caller must drop it. NULL: its entry was not seen. */
struct uprobe_call *call_end(const struct call_key *key);
/*
 * As call_end(), for a call of an owner that ends in this thread when it is not known which: takes
 * one that began here.
 */
struct uprobe_call *call_end_unknown(const struct usite *owner);
/* True if it began in this thread. */
int call_is_here(const struct uprobe_call *call);
/*
 * The call jumps to another function or, unless is_certain, may do so: *jumped is incremented if it
 * does not return.
 */
void call_jump(const struct call_key *key, atomic64_t *jumped, int is_certain);

#endif
