/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call.c - see call.h.
 */
#include "runtime/user/call.h"
#include "runtime/user/user.h"

#include <stdlib.h>

#define BUCKETS 1024

static struct call *calls[BUCKETS];	/* by thread; the latest first */

static struct call **find_link(const void *row, s32 tid, u64 stack)
{
	struct call **link = &calls[(u32)tid % BUCKETS];

	while (*link && ((*link)->row != row || (*link)->tid != tid || (*link)->stack != stack))
		link = &(*link)->next;
	return link;
}

struct call *call_end(const void *row, s32 tid, u64 stack)
{
	struct call **link = find_link(row, tid, stack), *c = *link;

	if (c)
		*link = c->next;
	return c;
}

u32 call_depth(s32 tid, u64 stack)
{
	s64 around = (s64)stack;
	u32 n = 0;

	for (const struct call *c = calls[(u32)tid % BUCKETS]; c; c = c->next)
		if (c->row && c->tid == tid && (s64)c->stack > around) {
			around = (s64)c->stack;
			n++;
		}
	return n;
}

struct call *call_begin(const void *row, s32 tid, u64 stack, u32 nkept, int with_text)
{
	u64 text = with_text ? rt_script.maxstring : 0;
	struct call *c = call_end(row, tid, stack);	/* one that never returned */

	free(c);
	c = calloc(1, sizeof(*c) + nkept * (sizeof(c->kept[0]) + text));
	if (!c)
		return NULL;
	c->row = row;
	c->tid = tid;
	c->stack = stack;
	for (u32 i = 0; text && i < nkept; i++)
		c->kept[i].s = (struct rt_strvar){ .p = (char *)&c->kept[nkept] + i * text, .size = (u16)text };
	c->next = calls[(u32)tid % BUCKETS];
	calls[(u32)tid % BUCKETS] = c;
	return c;
}

/* A call that jumps to another function is one call: what the first one saw is the truth. */
void call_hides(s32 tid, u64 stack, u64 to)
{
	struct call *c = to & 4095 ? call_begin(NULL, tid, stack, 1, 0) : NULL;

	if (c)
		c->kept[0].l = (s64)to;
}

u64 call_returns_to(s32 tid, u64 behind)
{
	const struct call *c = *find_link(NULL, tid, behind - regs_call_bytes());

	return c ? (u64)c->kept[0].l : 0;
}

u64 call_count(const void *row)
{
	u64 n = 0;

	for (u32 i = 0; i < BUCKETS; i++)
		for (const struct call *c = calls[i]; c; c = c->next)
			n += c->row == row && c->done;
	return n;
}

void call_forget(s32 tid)
{
	for (u32 i = tid ? (u32)tid % BUCKETS : 0; i < (tid ? (u32)tid % BUCKETS + 1 : BUCKETS); i++)
		for (struct call **link = &calls[i]; *link; ) {
			struct call *c = *link;

			if (tid && c->tid != tid) {
				link = &c->next;
				continue;
			}
			*link = c->next;
			free(c);
		}
}
