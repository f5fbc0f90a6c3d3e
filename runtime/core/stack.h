/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stack.h - interned stacks: each distinct one is kept once, with the text that scripts see.
 *
 * A table by the hash of the addresses. Any number of CPUs may look up and add at once, without
 * locks: an entry never changes once its slot in the table is set, and none is ever removed. The
 * caller provides the memory (stacks_bytes()).
 */
#ifndef LAPWING_CORE_STACK_H
#define LAPWING_CORE_STACK_H

#include "runtime/rt.h"
#include "runtime/wire.h"

struct stack {
	u64	hash;		/* of the addresses */
	u32	text_hash;	/* as in rt_str; 0: none */
	u32	len;		/* bytes of text */
	u64	shipped;	/* not 0: sent to the reader */
	/*
	 * number, depth and addresses; the text follows them. number: its position in the pool,
	 * from 1
	 */
	struct wire_stack told;
};

struct stacks {
	u8	*pool;		/* constant, as are room, slot and mask */
	u64	room;
	u32	*slot;		/* offset of an entry in the pool, in words, + 1; 0: none */
	u32	mask;
	u32	maxstring;
	u64	used;		/* bytes used of pool; atomic */
	u64	refused;	/* stacks refused because it was full; atomic */
};

/* Bytes for `count` stacks of `depth` addresses, and a table in that memory, which is zeroed. */
u64 stacks_bytes(u32 count, u32 depth, u32 maxstring);
void stacks_init(struct stacks *s, void *memory, u32 count, u32 depth, u32 maxstring);
/*
 * The only entry for these addresses, created if it is new; NULL: no room for another. Any context.
 */
struct stack *stacks_keep(struct stacks *s, const u64 *ip, u32 n);

static inline const char *stack_text(const struct stack *k)
{
	return (const char *)(k->told.ip + k->told.depth);
}

#endif
