/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.c - names of addresses: the kernel's from the consumer's table, those of user images from
 * their files.
 */
#include "runtime/user/stacks/symbols.h"

#include "runtime/core/symbol.h"
#include "runtime/user/user.h"
#include "symbolize/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct wire_symtab *kernel;	/* complete when kernel_have is its size */
static u64 kernel_have, kernel_total;

int symbols_take(const struct wire_symbols *chunk, u64 len)
{
	u64 bytes = len - sizeof(*chunk);

	if (len < sizeof(*chunk) || chunk->ino || chunk->offset != kernel_have ||
	    chunk->total > 1ULL << 30)
		return -EINVAL;
	if (!chunk->offset) {
		free(kernel);
		kernel = malloc(chunk->total);
		kernel_total = chunk->total;
	}
	if (!kernel || chunk->total != kernel_total || bytes > kernel_total - kernel_have)
		return -EINVAL;
	memcpy((u8 *)kernel + kernel_have, chunk + 1, bytes);
	kernel_have += bytes;
	return kernel_have == kernel_total ? symtab_check(kernel, kernel_total) : 0;
}

static const struct wire_symtab *kernel_table(void)
{
	return kernel && kernel_have == kernel_total ? kernel : NULL;
}

int runtime_is_symbol(struct rt_ctx *c, s64 n, u64 addr)
{
	const struct rt_symbol *s = &rt_script.symbols[n];
	const struct wire_symtab *t = kernel_table();
	const struct wire_symbol *in = t ? symtab_find(t, addr - 1) : NULL;

	return in && addr - in->start == (u64)s->offset &&
	       !strcmp(symtab_text(t, in->name), s->name) &&
	       (!s->module || !strcmp(symtab_text(t, in->module), s->module));
}

const struct wire_symtab *runtime_symbols(struct rt_ctx *c, int user, u64 addr, u64 *at)
{
	s32 pid = ((const struct hit *)c->hit)->pid;

	*at = addr;
	if (!user)
		return kernel_table();
	if (!pid || pid == getpid())		/* a timer, or an end probe: the address comes
						 * from elsewhere */
		pid = process_that_maps(addr);
	return pid ? process_symbols(pid, addr, at) : NULL;
}

void symbols_clear(void)
{
	process_clear();
	free(kernel);
	kernel = NULL;
	kernel_have = kernel_total = 0;
}
