/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spot.c - see spot.h.
 */
#include "runtime/run/spot.h"

#include "runtime/core/caller.h"
#include "runtime/core/fmt.h"
#include "runtime/core/symbol.h"
#include "runtime/run/stacks.h"
#include "runtime/run/symbol_tables.h"
#include "symbolize/process.h"

#include <unistd.h>

struct spot spot_of(s32 pid, u64 addr, int is_return)
{
	struct spot spot = { .addr = addr };
	int user = (s64)addr >= 0;

	if (user && (!pid || pid == getpid()))
		pid = process_that_maps(addr);
	spot.pid = user ? pid : 0;
	spot.table = symbols_find(user, pid, addr, &spot.at);
	if (spot.table)
		spot.sym = is_return ? symtab_find_return(spot.table, spot.at)
				     : symtab_find(spot.table, spot.at);
	if (addr)
		stacks_count_name(spot.sym != NULL);
	return spot;
}

const struct wire_stack *spot_stack(struct fmt_item_source *values, u32 *len)
{
	const struct wire_stack *s = (const struct wire_stack *)values->at;
	u64 left = (u64)(values->end - values->at), bytes;

	if (left < sizeof(*s))
		return NULL;
	bytes = sizeof(*s) + (s->number ? 0 : 8ULL * s->depth);
	*len = (u32)(bytes < left ? bytes : left & ~7ULL);
	values->at += *len;
	return s;
}

/*
 * All frames but those that were interrupted made a call, and have its return address: which ones is
 * known from the inside out.
 */
u32 spots_of_stack(const struct wire_stack *s, u32 len, struct spot *frame, u32 max)
{
	u32 n, i;
	int interrupted = 1;
	const struct wire_stack *from = stacks_find(s, len, &n);

	if (n > max)
		n = max;
	for (i = 0; i < n; i++) {
		frame[i] = from->ip[i] == STACK_GAP ? (struct spot){ 0 }
						    : spot_of(s->pid, from->ip[i], !interrupted);
		interrupted = frame[i].table && symtab_interrupts(frame[i].table, frame[i].at);
	}
	return n;
}
