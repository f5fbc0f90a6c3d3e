// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stack.c - see stack.h. If two CPUs add the same stack at once, both write an entry, and one of
 * these is left unused.
 */
#include "runtime/core/stack.h"
#include "runtime/core/map.h"
#include "runtime/core/num.h"
#include "runtime/core/port.h"
#include "runtime/core/symbol.h"

#define STACK_MIX	0x9e3779b97f4a7c15ULL
#define STACK_PROBES	32	/* slots to probe: the table is at most half full */
#define STACK_FRAME	20	/* bytes of text for an address */

static u64 stack_bytes(u32 depth, u32 maxstring)
{
	u64 text = (u64)depth * STACK_FRAME;

	return sizeof(struct stack) + 8ULL * depth +
	       num_align8(text < maxstring ? text : maxstring);
}

static u32 stack_slots(u32 count)
{
	u32 n = 16;

	while (n < 2 * count && n < 1U << 30)
		n *= 2;
	return n;
}

u64 stacks_bytes(u32 count, u32 depth, u32 maxstring)
{
	return 4ULL * stack_slots(count) + count * stack_bytes(depth, maxstring);
}

void stacks_init(struct stacks *s, void *memory, u32 count, u32 depth, u32 maxstring)
{
	memset(s, 0, sizeof(*s));
	s->slot = memory;
	s->mask = stack_slots(count) - 1;
	s->pool = (u8 *)memory + 4ULL * (s->mask + 1);
	s->room = count * stack_bytes(depth, maxstring);
	s->maxstring = maxstring;
}

static inline u64 stack_hash(const u64 *ip, u32 n)
{
	u64 h = n;
	u32 i;

	for (i = 0; i < n; i++)
		h = (h ^ ip[i]) * STACK_MIX;
	return h ^ h >> 32;
}

static inline int stack_is(const struct stack *k, u64 hash, const u64 *ip, u32 n)
{
	u32 i;

	if (k->hash != hash || k->told.depth != n)
		return 0;
	for (i = 0; i < n; i++)
		if (k->told.ip[i] != ip[i])
			return 0;
	return 1;
}

/* An entry that is not published yet. */
static struct stack *stack_new(struct stacks *s, u64 hash, const u64 *ip, u32 n)
{
	struct sink text = { .size = s->maxstring - 1 };
	u64 bytes = stack_bytes(n, s->maxstring), at;
	struct stack *k;
	u32 i;

	at = __atomic_load_n(&s->used, __ATOMIC_RELAXED) + bytes > s->room
		     ? s->room
		     : __atomic_fetch_add(&s->used, bytes, __ATOMIC_RELAXED);
	if (at + bytes > s->room) {
		__atomic_fetch_add(&s->refused, 1, __ATOMIC_RELAXED);
		return 0;
	}
	k = (struct stack *)(s->pool + at);
	k->hash = hash;
	k->told.depth = (u16)n;
	k->told.number = (u32)(at / 8) + 1;
	memcpy(k->told.ip, ip, 8ULL * n);
	text.p = (char *)(k->told.ip + n);
	for (i = 0; i < n; i++)
		symbol_print(&text, 0, 0, ip[i], SYMBOL_HEX);
	k->len = text.used;
	k->text_hash = map_hash_text((struct rt_str){ text.p, (u16)k->len, 0 });
	return k;
}

static inline struct stack *stack_at(const struct stacks *s, u32 number)
{
	return (struct stack *)(s->pool + 8ULL * (number - 1));
}

/*
 * Finds or adds it at any position in the table. A separate function, so that the registers it
 * saves are not saved for a stack at the first position.
 */
static __attribute__((__noinline__)) struct stack *stacks_find_or_add(struct stacks *s, u64 hash,
								      const u64 *ip, u32 n)
{
	struct stack *fresh = 0;
	u32 i;

	for (i = 0; i < STACK_PROBES; i++) {
		u32 *slot = &s->slot[(hash + i) & s->mask],
		    number = __atomic_load_n(slot, __ATOMIC_ACQUIRE);

		if (!number) {
			if (!fresh)
				fresh = stack_new(s, hash, ip, n);
			if (!fresh)
				return 0;
			if (__atomic_compare_exchange_n(slot, &number, fresh->told.number, 0,
							__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
				return fresh;
		}
		if (stack_is(stack_at(s, number), hash, ip, n))
			return stack_at(s, number);
	}
	__atomic_fetch_add(&s->refused, 1, __ATOMIC_RELAXED);
	return 0;
}

struct stack *stacks_keep(struct stacks *s, const u64 *ip, u32 n)
{
	u64 hash = stack_hash(ip, n);
	u32 number = __atomic_load_n(&s->slot[hash & s->mask], __ATOMIC_ACQUIRE);

	if (__builtin_expect(number && stack_is(stack_at(s, number), hash, ip, n), 1))
		return stack_at(s, number);
	return stacks_find_or_add(s, hash, ip, n);
}
