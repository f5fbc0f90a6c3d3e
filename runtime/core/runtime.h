/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runtime.h - what a runtime provides to the core: each of the two defines all of these. What the
 * core provides to a runtime is in core.h and in the headers of its files.
 */
#ifndef LAPWING_CORE_RUNTIME_H
#define LAPWING_CORE_RUNTIME_H

#include "runtime/rt.h"
#include "runtime/wire.h"

/*
 * Zeroed memory at load, aligned to RT_LINE; process context, may sleep; NULL: no memory, or
 * refused by policy.
 */
void *runtime_alloc(u64 bytes);
void runtime_free(void *p);
/*
 * Number of per-CPU parts of globals: possible CPUs (twice as many with RT_CAP_NMI), constant after
 * load. 1 in the user runtime, where handlers are serial.
 */
u32 runtime_parts(void);
/* A probe's books, including what is known only after it is disarmed. For end and error probes. */
void runtime_books(u32 probe, struct wire_account *sum);
/* The clock of stamps: ns, monotonic; any context. */
u64 runtime_clock(void);
/*
 * Sends c->out[0..out_used) as one WIRE_OUTPUT record if it was not written in the ring (c->ring)
 * itself; more: WIRE_MORE is set. If the ring is full, counts the loss, or waits for the reader
 * when c->may_wait.
 */
void runtime_flush(struct rt_ctx *c, int more);
/* Wakes the reader: it has much to read in a ring. */
void runtime_wake(void);
/*
 * Queues a message; any context but NMI. Truncated at WIRE_MSG_MAX; a full queue counts the loss
 * and reports it later. 1: it was queued.
 */
int runtime_message(u16 type, u32 id, const void *payload, u32 len);
/*
 * Copies n bytes from a kernel (user != 0: the current process's) address; 0 or -errno; never
 * faults.
 */
long runtime_copy(struct rt_ctx *c, void *to, u64 from, u32 n, int user);
/* The current task's name into c->comm, c->comm_len (at most 15 bytes). */
void runtime_comm(struct rt_ctx *c);
/* The module's name: kernel module, shared object without .so. */
const char *runtime_name(void);
/*
 * Called when a long handler needs its next portion of statements: lets others run; 0: its time is
 * used up. Only for ctx_begin_long().
 */
int runtime_go_on(struct rt_ctx *c);
/* rt_exit(): requests the end of the session, once. */
void runtime_exit_request(void);
/*
 * The hit's kernel or user stack, innermost first, at most max addresses; returns their number;
 * more than max: there were more. *flaws: enum stack_flaws.
 */
u32 runtime_stack(struct rt_ctx *c, int user, u64 *ip, u32 max, u32 *flaws);
/* True if a kernel address is rt_script.symbols[n] plus its offset. 0 also if that is not known. */
int runtime_is_symbol(struct rt_ctx *c, s64 n, u64 addr);
/*
 * The symbol table of the kernel's or the current process's image that contains an address, and the
 * position in it; NULL: not known (yet).
 */
const struct wire_symtab *runtime_symbols(struct rt_ctx *c, int user, u64 addr, u64 *at);
/* Prints the hit's stack, one line per frame in a style of symbol.h. */
void runtime_print_stack(struct rt_ctx *c, int user, u32 style);
/* The same for one kernel address. */
void runtime_print_address(struct rt_ctx *c, u64 addr, u32 style);
/* The kernel function that has returned at this hit; 0: none. */
u64 runtime_returned(struct rt_ctx *c);

#endif
