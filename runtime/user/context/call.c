/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call.c - see call.h.
 */
#include "runtime/user/context/call.h"

#include "lib/procstat.h"
#include "runtime/user/context/enter.h"
#include "runtime/user/events/loss.h"
#include "runtime/user/context/regs.h"

#include <stdlib.h>

#define BUCKETS 1024

static struct call *calls[BUCKETS];	/* by thread, or by process and stack; latest first */

static int any_threads;			/* some are by process and stack */

/*
 * A process may use thousands of stacks, and the numbers of goroutines' calls (core/goroutine.h)
 * may differ only in their upper half: hashes all bits.
 */
static struct call **bucket(s32 whose, u64 stack)
{
	return &calls[(whose < 0 ? (u32)whose + (u32)(stack * 0x9e3779b97f4a7c15 >> 32)
				 : (u32)whose) %
		      BUCKETS];
}

static struct call **find_link(const void *row, s32 whose, u64 stack)
{
	struct call **link = bucket(whose, stack);

	while (*link && ((*link)->row != row || (*link)->whose != whose || (*link)->stack != stack))
		link = &(*link)->next;
	return link;
}

/* Removes a call that ended without a return that was seen. */
static void drop(struct call **link)
{
	struct call *c = *link;

	*link = c->next;
	if (c->jumped && c->state == CALL_KEPT)
		enter_jumped(c->jumped);
	free(c);
}

/*
 * Number of a thread's calls that enclose one with that stack pointer: their frames lie above. For
 * user code, as kernel stacks are separate.
 */
static u32 depth(s32 tid, u64 stack)
{
	s64 around = (s64)stack;
	u32 n = 0;

	for (const struct call *c = *bucket(tid, 0); c; c = c->next)
		if (c->row && c->whose == tid && (s64)c->stack > around) {
			around = (s64)c->stack;
			n++;
		}
	return n;
}

/*
 * The returns of unproven calls may have been lost: unproven calls whose frames would lie below
 * that of a call that begins are over. A program's stacks and the kernel's are in different halves
 * of the address space.
 */
static void drop_returned(s32 tid, u64 stack)
{
	for (struct call **link = bucket(tid, 0); *link; ) {
		const struct call *c = *link;

		if (c->whose == tid && c->state == CALL_UNPROVEN && c->stack <= stack &&
		    !((c->stack ^ stack) >> 63))
			drop(link);
		else
			link = &(*link)->next;
	}
}

/* Adds a call that begins. NULL: no memory. */
static struct call *begin(const void *row, const struct hit *hit, s32 whose, u64 stack, u32 nkept,
			  int with_text)
{
	u64 text = with_text ? rt_script.maxstring : 0;
	struct call **link, *c;

	if (whose > 0)
		drop_returned(whose, stack);
	link = find_link(row, whose, stack);
	if (*link)				/* one that never returned */
		drop(link);
	c = calloc(1, sizeof(*c) + nkept * (sizeof(c->kept[0]) + text));
	if (!c)
		return NULL;
	c->row = row;
	c->whose = whose;
	c->tid = hit->tid;
	c->stack = stack;
	c->state = loss_holds(hit->time) ? CALL_UNPROVEN : session.paused ? CALL_OFF : CALL_FAILED;
	for (u32 i = 0; text && i < nkept; i++)
		c->kept[i].s = (struct rt_strvar){ .p = (char *)&c->kept[nkept] + i * text,
						   .size = (u16)text };
	link = bucket(whose, stack);
	c->next = *link;
	*link = c;
	return c;
}

static s32 whose_call(const struct call_row *r, const struct hit *hit)
{
	any_threads |= r->any_thread;
	return r->any_thread ? -hit->pid : hit->tid;
}

void call_enter(const struct call_row *r, struct hit *hit, u64 stack)
{
	struct call *c;

	if (r->most) {
		drop_returned(hit->tid, stack);
		if (depth(hit->tid, stack) >= r->most) {
			enter_no_slot(r->probe);
			return;
		}
	}
	c = begin(r->row, hit, whose_call(r, hit), stack, r->nkept, r->with_text);
	if (!c && r->any_thread)
		enter_no_slot(r->probe);
	if (!c)
		return;
	hit->keeping.kept = c->kept;
	c->counts = r->keeper && r->keeper->capture & RT_CAP_PMU;
	if (r->keeper)
		enter_probe(r->keeper, hit);
	if (c->state == CALL_FAILED &&
	    (r->keeper ? hit->keeping.done : enter_wants(r->probe, hit) > 0))
		c->state = CALL_KEPT;
}

/* Of a system call, whose entry the script itself keeps, nothing is known. */
s64 rt_mixed(struct rt_ctx *c, s64 stopwatch)
{
	const struct hit *hit = c->hit;

	if (c->probe->stopwatch != stopwatch)
		return 0;
	return hit->keeping.kept ? hit->mixed : RT_MIXED_TIME | RT_MIXED_COUNTS;
}

/*
 * Counts of two threads cannot be compared; a stopwatch excludes them itself. An unknown call that
 * may end in another thread began before it was probed, unless records were lost.
 */
static enum call_state state_of(const struct call_row *r, const struct hit *hit,
				const struct call *c)
{
	if (!c)
		return r->any_thread && !loss_has_been() ? CALL_UNSEEN : CALL_UNPROVEN;
	return hit->mixed && c->counts && !r->probe->stopwatch && c->state == CALL_KEPT ? CALL_MIXED
											: c->state;
}

/* Ends a call that was taken off its list; c is NULL if its entry was not seen. */
static void end(const struct call_row *r, struct hit *hit, struct call *c, enum call_state state)
{
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
	case CALL_MIXED:
		enter_mixed(r->probe, hit);
		break;
	case CALL_COPIED:
	case CALL_UNSEEN:
		break;
	}
	free(c);
}

void call_return(const struct call_row *r, struct hit *hit, u64 stack)
{
	struct call **link = find_link(r->row, whose_call(r, hit), stack), *c = *link;

	hit->mixed = !c ? 0 : c->tid != hit->tid ? RT_MIXED_TIME | RT_MIXED_COUNTS : c->mixed;
	if (c)
		*link = c->next;
	end(r, hit, c, state_of(r, hit, c));
}

/*
 * Which call ends is unknown, and so are the values kept at its entry. Whether it is to be counted
 * is known.
 */
void call_end_unknown(const struct call_row *r, struct hit *hit)
{
	for (u32 i = 0; i < BUCKETS; i++)
		for (struct call **link = &calls[i], *c = *link; c; link = &c->next, c = *link)
			if (c->row == r->row && c->tid == hit->tid && c->whose == -hit->pid) {
				*link = c->next;
				end(r, hit, c, c->state == CALL_KEPT ? CALL_UNPROVEN : c->state);
				return;
			}
}

void call_jump(const struct call_row *r, struct hit *hit, u64 stack, int is_certain)
{
	struct call **link = find_link(r->row, whose_call(r, hit), stack);

	if (!*link || enter_wants(r->probe, hit) <= 0)
		return;
	(*link)->jumped = r->probe;
	if (is_certain)
		drop(link);
}

/*
 * A call that jumps to another function is one call: the first entry saw the true return address.
 */
void call_hides(const struct hit *hit, u64 stack, u64 to)
{
	struct call *c = to & 4095 ? begin(NULL, hit, hit->tid, stack, 1, 0) : NULL;

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

void call_mix_counts(s32 tid, u32 mixed)
{
	for (u32 i = 0; i < BUCKETS; i++)
		for (struct call *c = calls[i]; c; c = c->next)
			if (c->tid == tid && c->counts)
				c->mixed |= mixed;
}

/* The lists that may hold a thread's or a process's calls: from *first to before the result. */
static u32 lists_of(s32 whose, u32 *first)
{
	*first = whose > 0 ? (u32)whose % BUCKETS : 0;
	return whose > 0 ? *first + 1 : BUCKETS;
}

static void copy_call(const struct call *c, s32 to)
{
	struct call *copy = calloc(1, sizeof(*copy) + sizeof(copy->kept[0])),
		    **link = bucket(to, c->stack);

	if (!copy)
		return;
	*copy = (struct call){ .next = *link, .row = c->row, .whose = to, .stack = c->stack,
			       .state = c->state == CALL_UNPROVEN ? CALL_UNPROVEN : CALL_COPIED };
	if (!c->row)
		copy->kept[0] = c->kept[0];
	*link = copy;
}

/* Copies may be added to the list being walked, but belong to another thread or process. */
static void copy_calls(s32 from, s32 to)
{
	u32 i, end = lists_of(from, &i);

	for (; i < end; i++)
		for (const struct call *c = calls[i]; c; c = c->next)
			if (c->whose == from)
				copy_call(c, to);
}

static void forget_calls(s32 whose)
{
	u32 i, end = lists_of(whose, &i);

	for (; i < end; i++)
		for (struct call **link = &calls[i]; *link; )
			if ((*link)->whose != whose)
				link = &(*link)->next;
			else
				drop(link);
}

/* The process ID may be reused: the former process's last threads have exited since. */
void call_fork(s32 parent, s32 parent_tid, const struct hit *hit)
{
	copy_calls(parent_tid, hit->tid);
	if (!any_threads)
		return;
	forget_calls(-hit->pid);
	copy_calls(-parent, -hit->pid);
}

void call_thread_exit(const struct hit *hit)
{
	forget_calls(hit->tid);
	if (any_threads && hit->pid == hit->tid && procstat_is_over(hit->pid))
		forget_calls(-hit->pid);
}

void call_exec(const struct hit *hit)
{
	forget_calls(hit->tid);
	if (any_threads)
		forget_calls(-hit->pid);
}

void call_look_around(void)
{
	s32 looked = 0;
	int is_over = 0;

	for (u32 i = 0; any_threads && i < BUCKETS; i++)
		for (struct call **link = &calls[i]; *link; ) {
			if ((*link)->whose < 0 && (*link)->whose != looked) {
				looked = (*link)->whose;
				is_over = procstat_is_over(-looked);
			}
			if ((*link)->whose < 0 && is_over)
				drop(link);
			else
				link = &(*link)->next;
		}
}

void call_clear(void)
{
	for (u32 i = 0; i < BUCKETS; i++)
		while (calls[i]) {
			struct call *c = calls[i];

			calls[i] = c->next;
			free(c);
		}
	any_threads = 0;
}
