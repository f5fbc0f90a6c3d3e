/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uprobe_call.h - memory for calls of user functions that are under way, from the entry to the
 * return: arguments and kept values.
 *
 * A call is known by its thread, its probe and its stack pointer, so recursion is told apart, and
 * calls that never return (longjmp) are dropped by the next one that does, or when the thread ends.
 * Where functions yield to other stacks, and go on in another thread, it is known by its process,
 * its probe and its stack pointer, and dropped by the next one that begins there, or when the
 * process ends.
 */
#ifndef LAPWING_KERNEL_UPROBE_CALL_H
#define LAPWING_KERNEL_UPROBE_CALL_H

#include <linux/atomic.h>

#include "runtime/rt.h"

struct uprobe_call;
struct usite;

/* The current thread's call, or its process's, of a probe with that stack pointer at its entry. */
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
/*
 * A call; NULL: there is no room. It is under way after call_begin(), or given back by call_drop().
 */
struct uprobe_call *call_new(const struct call_key *key);
u64 *call_data(struct uprobe_call *call);
void call_begin(struct uprobe_call *call);
void call_drop(struct uprobe_call *call);
/* How many calls of an owner are under way. */
u64 calls_under_way(const struct usite *owner);
/* The call that returns: it is the caller's to drop. NULL: its entry was not seen. */
struct uprobe_call *call_end(const struct call_key *key);
/*
 * A call of an owner ends in this thread, and it is not known which: one that began here, as
 * call_end().
 */
struct uprobe_call *call_end_unknown(const struct usite *owner);
/* It began in this thread. */
int call_is_here(const struct uprobe_call *call);
/*
 * It jumps to another function, or, unless is_certain, may do so: *jumped is increased if it does
 * not return.
 */
void call_jump(const struct call_key *key, atomic64_t *jumped, int is_certain);

#endif
