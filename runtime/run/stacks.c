/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks.c - stacks from a module: each is sent once, then referred to by number; symbolized here.
 * Nothing in a record is trusted.
 */
#include "runtime/run/stacks.h"

#include "runtime/core/caller.h"
#include "runtime/core/symbol.h"
#include "runtime/run/run.h"
#include "runtime/run/symbol_tables.h"
#include "runtime/run/track.h"
#include "symbolize/unwind.h"

#include <stdlib.h>
#include <string.h>

#define STACKS_MAX (1U << 20)	/* more than any module keeps */

static struct wire_stack **known;	/* by number; NULL holes */
static u32 nknown;
static struct stacks_books books;
static void (*read_messages)(void);

void stacks_open(void (*read)(void))
{
	read_messages = read;
}

struct stacks_books stacks_account(void)
{
	return books;
}

/* The number of addresses that are really present. */
static u32 depth_of(const struct wire_stack *s, u32 len)
{
	u32 room = (len - (u32)sizeof(*s)) / 8;

	return s->depth < room ? s->depth : room;
}

void stacks_keep(const struct wire_stack *s, u32 len)
{
	if (len < sizeof(*s) || !s->number || s->number >= STACKS_MAX)
		return;
	if (s->number >= nknown) {
		struct wire_stack **more = realloc(known, 2 * (s->number + 1UL) * sizeof(*more));

		if (!more)
			return;
		memset(more + nknown, 0, (2 * (s->number + 1UL) - nknown) * sizeof(*more));
		known = more;
		nknown = 2 * (s->number + 1);
	}
	free(known[s->number]);
	known[s->number] = malloc(len);
	if (!known[s->number])
		return;
	memcpy(known[s->number], s, len);
	known[s->number]->depth = (u16)depth_of(s, len);
}

void stacks_count_name(int is_known)
{
	books.names++;
	books.unknown += !is_known;
}

/* 1: the caller's frame was interrupted. */
static int print_address(struct sink *out, int user, s32 pid, u64 ip, u32 style)
{
	/* names and paths come from untrusted files */
	char text[2048];
	struct sink named = { .p = text, .size = sizeof(text) };
	u64 at;
	const struct wire_symtab *t = symbols_find(user, pid, ip, &at);

	if (ip != STACK_GAP)
		stacks_count_name(t && (style & SYMBOL_RETURN ? symtab_find_return(t, at)
							      : symtab_find(t, at)));
	symbol_print(&named, t, at, ip, style);
	sink_value(out, text, named.used);
	return t && symtab_interrupts(t, at);
}

static void print_stack(struct sink *out, int user, s32 pid, const u64 *ip, u32 n, u32 told)
{
	u32 style = told <= SYMBOL_HEX ? told : (u32)SYMBOL_LINE;
	int interrupted = 1;

	for (u32 i = 0; i < n; i++)
		interrupted = print_address(out, user, pid, ip[i],
					    interrupted ? style : style | SYMBOL_RETURN);
}

const struct wire_stack *stacks_find(const struct wire_stack *s, u32 len, u32 *n)
{
	const struct wire_stack *from = s;

	/* it was sent before this was written, but perhaps not read yet */
	if (s->number && (s->number >= nknown || !known[s->number]))
		read_messages();
	if (s->number && s->number < nknown && known[s->number])
		from = known[s->number];
	*n = from == s ? depth_of(s, len) : from->depth;
	return from;
}

void stacks_print(struct sink *out, const struct wire_stack *s, u32 len, u64 time)
{
	const struct wire_stack *from;
	u32 n;

	if (len < sizeof(*s))
		return;
	from = stacks_find(s, len, &n);
	if (s->user) {
		track_read();
		track_until(time);
	}
	print_stack(out, s->user, s->pid, from->ip, n, s->style);
}

void stacks_unwind(struct sink *out, const struct wire_user_stack *s, u32 len, u64 time)
{
	const struct unwind_from from = {
		s->pid, 0, &s->regs, (const u8 *)(s + 1), s->bytes, NULL
	};
	u64 ip[256];
	int cut = 0;
	u32 n;

	if (len < sizeof(*s) || s->bytes > len - sizeof(*s))
		return;
	track_read();
	track_until(time);
	n = unwind_user(&from, ip, s->max < 256 ? s->max : 256, &cut);
	books.stacks++;
	books.cut += !!(cut & UNWIND_DEEPER);
	books.cut_off += (cut & (UNWIND_DEEPER | UNWIND_LOST)) == UNWIND_LOST;
	books.uncertain += !!(cut & UNWIND_UNCERTAIN);
	print_stack(out, 1, s->pid, ip, n, s->style);
}

void stacks_free(void)
{
	while (nknown)
		free(known[--nknown]);
	free(known);
}
