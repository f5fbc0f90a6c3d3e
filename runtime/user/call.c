/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call.c - see call.h.
 */
#include "runtime/user/call.h"
#include "runtime/user/loss.h"

#include <stdlib.h>

#define BUCKETS 1024

static struct call *calls[BUCKETS];	/* by thread; the latest first */

static struct call **bucket(s32 tid) { return &calls[(u32)tid % BUCKETS]; }

static struct call **find_link(const void *row, s32 tid, u64 stack)
{
	struct call **link = bucket(tid);

	while (*link && ((*link)->row != row || (*link)->tid != tid || (*link)->stack != stack))
		link = &(*link)->next;
	return link;
}

static void drop(struct call **link)
{
	struct call *c = *link;

	*link = c->next;
	free(c);
}

/* How many calls of a thread are around one with that stack pointer: their frames lie above. Of user code, as kernel stacks are apart. */
static u32 depth(s32 tid, u64 stack)
{
	s64 around = (s64)stack;
	u32 n = 0;

	for (const struct call *c = *bucket(tid); c; c = c->next)
		if (c->row && c->tid == tid && (s64)c->stack > around) {
			around = (s64)c->stack;
			n++;
		}
	return n;
}

/*
 * Of calls that are not proven the returns may be lost: those whose frames would lie below that of a call that begins are over. The halves
 * of the address space are a program's stacks and the kernel's.
 */
static void drop_returned(s32 tid, u64 stack)
{
	for (struct call **link = bucket(tid); *link; ) {
		const struct call *c = *link;

		if (c->tid == tid && c->state == CALL_UNPROVEN && c->stack <= stack && !((c->stack ^ stack) >> 63))
			drop(link);
		else
			link = &(*link)->next;
	}
}

/* A call begins. NULL: no memory. */
static struct call *begin(const void *row, const struct hit *hit, u64 stack, u32 nkept, int with_text)
{
	u64 text = with_text ? rt_script.maxstring : 0;
	struct call **link, *c;

	drop_returned(hit->tid, stack);
	link = find_link(row, hit->tid, stack);
	if (*link)				/* one that never returned */
		drop(link);
	c = calloc(1, sizeof(*c) + nkept * (sizeof(c->kept[0]) + text));
	if (!c)
		return NULL;
	c->row = row;
	c->tid = hit->tid;
	c->stack = stack;
	c->state = loss_holds(hit->time) ? CALL_UNPROVEN : session.paused ? CALL_OFF : CALL_FAILED;
	for (u32 i = 0; text && i < nkept; i++)
		c->kept[i].s = (struct rt_strvar){ .p = (char *)&c->kept[nkept] + i * text, .size = (u16)text };
	link = bucket(hit->tid);
	c->next = *link;
	*link = c;
	return c;
}

void call_enter(const struct call_row *r, struct hit *hit, u64 stack)
{
	struct call *c;

	drop_returned(hit->tid, stack);
	if (r->most && depth(hit->tid, stack) >= r->most) {
		enter_no_slot(r->probe);
		return;
	}
	c = begin(r->row, hit, stack, r->nkept, r->with_text);
	if (!c)
		return;
	hit->keeping.kept = c->kept;
	c->counts = (r->keeper->capture & RT_CAP_PMU) != 0;
	enter_probe(r->keeper, hit);
	if (hit->keeping.done && c->state == CALL_FAILED)
		c->state = CALL_KEPT;
}

void call_return(const struct call_row *r, struct hit *hit, u64 stack)
{
	struct call **link = find_link(r->row, hit->tid, stack), *c = *link;
	enum call_state state = c ? c->state : CALL_UNPROVEN;

	if (c)
		*link = c->next;
	switch (state) {
	case CALL_KEPT:
		hit->keeping.kept = c->kept;
		enter_probe(r->probe, hit);
		break;
	case CALL_FAILED:
		enter_failed(r->probe, hit);
		break;
	case CALL_OFF:
		enter_off(r->probe);
		break;
	case CALL_UNPROVEN:
		enter_unproven(r->probe, hit);
		break;
	case CALL_COPIED:
		break;
	}
	free(c);
}

/* A call that jumps to another function is one call: what the first one saw is the truth. */
void call_hides(const struct hit *hit, u64 stack, u64 to)
{
	struct call *c = to & 4095 ? begin(NULL, hit, stack, 1, 0) : NULL;

	if (c)
		c->kept[0].l = (s64)to;
}

u64 call_returns_to(s32 tid, u64 behind)
{
	const struct call *c = *find_link(NULL, tid, behind - regs_call_bytes());

	return c && c->state != CALL_UNPROVEN ? (u64)c->kept[0].l : 0;
}

void call_shows(s32 tid, u64 stack)
{
	struct call **link = find_link(NULL, tid, stack);

	if (*link)
		drop(link);
}

u64 call_count(const void *row)
{
	u64 n = 0;

	for (u32 i = 0; i < BUCKETS; i++)
		for (const struct call *c = calls[i]; c; c = c->next)
			n += c->row == row && c->state == CALL_KEPT;
	return n;
}

void call_doubt(void)
{
	for (u32 i = 0; i < BUCKETS; i++)
		for (struct call *c = calls[i]; c; c = c->next)
			c->state = CALL_UNPROVEN;
}

void call_doubt_counts(s32 tid)
{
	for (u32 i = 0; i < BUCKETS; i++)
		for (struct call *c = calls[i]; c; c = c->next)
			if (c->tid == tid && c->counts)
				c->state = CALL_UNPROVEN;
}

void call_copy(s32 from, s32 to)
{
	for (const struct call *c = *bucket(from); c; c = c->next) {
		struct call *copy = c->tid == from ? calloc(1, sizeof(*copy) + sizeof(copy->kept[0])) : NULL;

		if (!copy)
			continue;
		*copy = (struct call){ .next = *bucket(to), .row = c->row, .tid = to, .stack = c->stack,
				       .state = c->state == CALL_UNPROVEN ? CALL_UNPROVEN : CALL_COPIED };
		if (!c->row)
			copy->kept[0] = c->kept[0];
		*bucket(to) = copy;
	}
}

void call_forget(s32 tid)
{
	for (u32 i = tid ? (u32)tid % BUCKETS : 0; i < (tid ? (u32)tid % BUCKETS + 1 : BUCKETS); i++)
		for (struct call **link = &calls[i]; *link; )
			if (tid && (*link)->tid != tid)
				link = &(*link)->next;
			else
				drop(link);
}
