/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.c - fuzz entry: the values of stp()'s records, whatever their row says that they are: each
 * stays inside its item. Input: the number of columns, their kinds, then the item's values. No
 * address has a name here.
 */
#include "runtime/run/trace.h"

#include "runtime/core/fmt.h"
#include "runtime/core/sink.h"
#include "runtime/run/stacks.h"
#include "runtime/run/symbol_tables.h"
#include "runtime/run/track.h"
#include "symbolize/process.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void stacks_count_name(int is_known) { }
void track_read(void) { }
void track_until(u64 time) { }
s32 process_that_maps(u64 addr) { return addr % 3 != 0; }

const struct wire_symtab *symbols_find(int user, pid_t pid, u64 addr, u64 *at)
{
	*at = addr;
	return NULL;
}

const struct wire_stack *stacks_find(const struct wire_stack *s, u32 len, u32 *n)
{
	u32 room = (len - (u32)sizeof(*s)) / 8;

	*n = s->depth < room ? s->depth : room;
	return s;
}

static void discard(struct sink *s) { s->used = 0; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char letters[] = "lsSarfdiFLp";
	char kinds[20] = "TP", text[64];
	struct sink to = { .p = text, .size = sizeof(text), .drain = discard };
	struct fmt_item_source source;
	struct wire_item *item;		/* so that a sanitizer knows its end */
	size_t columns = size ? data[0] % 16 : 0, bytes;

	if (size < columns + 1)
		return 0;
	for (size_t i = 0; i < columns; i++)
		kinds[2 + i] = letters[data[1 + i] % (sizeof(letters) - 1)];
	bytes = (size - columns - 1) & ~7UL;
	item = malloc(sizeof(*item) + bytes);
	if (!item)
		return 0;
	*item = (struct wire_item){ .len = (u32)(sizeof(*item) + bytes) };
	memcpy(item + 1, data + 1 + columns, bytes);
	fmt_item_source_init(&source, item);
	trace_want(kinds);
	trace_print(&to, kinds, &source, 0);
	free(item);
	return 0;
}
