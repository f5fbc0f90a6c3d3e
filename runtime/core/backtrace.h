/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * backtrace.h - a hit's stacks, for the runtimes.
 */
#ifndef LAPWING_CORE_BACKTRACE_H
#define LAPWING_CORE_BACKTRACE_H

#include "runtime/core/stack.h"
#include "runtime/wire.h"

/* Allocates memory for interned stacks, if the script uses stacks: 0 or -ENOMEM. At load. */
int backtrace_load(void);
void backtrace_unload(void);
/* Statistics of stacks. Any context. */
void backtrace_account(struct wire_summary *sum);
/* Adds the statistics of a context's symbol lookups. */
static inline void backtrace_names(const struct rt_ctx *c, struct wire_summary *sum)
{
	sum->names += c->names;
	sum->names_unknown += c->names_unknown;
}

/* "0x1 0x2 " in the string memory of the hit. */
struct rt_str backtrace_hex(struct rt_ctx *c, const u64 *ip, u32 n);
/*
 * Walks the hit's stack if that was not done yet; returns the number of addresses in
 * c->frames[user].
 */
u32 backtrace_take(struct rt_ctx *c, int user);
/* The interned copy of that stack, shared by all hits; NULL: it is empty, or there is no room. */
struct stack *backtrace_keep(struct rt_ctx *c, int user);
/*
 * The same after it was sent to the reader, once, on the channel that output cannot displace; NULL
 * also if that is full, or in an NMI for a stack that is new: the addresses go with the output.
 */
struct stack *backtrace_ship(struct rt_ctx *c, int user);
/*
 * Writes the hit's stack as a value of a record (struct wire_stack) before `end`, and returns the
 * value's end. If it does not fit: NULL, or what fits if `anyway`, which counts as a stack that was cut.
 */
u8 *backtrace_value(struct rt_ctx *c, int user, u8 *at, const u8 *end, int anyway);

#endif
