/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * no_runtime.c - the core's seam with nothing behind it, and an empty script, for tests that use only parts of the core.
 */
#include "runtime/core/core.h"
#include "runtime/core/procfs.h"
#include "runtime/core/num.h"

#include <stdlib.h>
#include <string.h>

void *runtime_alloc(u64 bytes)
{
	void *p = aligned_alloc(RT_LINE, num_align_line(bytes));

	return p ? memset(p, 0, bytes) : NULL;
}
void runtime_free(void *p) { free(p); }
u32 runtime_parts(void) { return 1; }
u64 runtime_clock(void) { return 1; }
void runtime_open(struct rt_ctx *c) { ctx_stage(c); }
void runtime_flush(struct rt_ctx *c, int more) { c->out_used = 0; }
int runtime_message(u16 type, u16 id, const void *p, u32 len) { return 1; }
long runtime_copy(struct rt_ctx *c, void *to, u64 from, u32 n, int user) { return -14; }
void runtime_comm(struct rt_ctx *c) { c->comm_len = 0; }
void runtime_exit_request(void) { }
int runtime_go_on(struct rt_ctx *c) { return 1; }
struct procfs_text **procfs_now(void) { static struct procfs_text *none; return &none; }
const struct rt_family { int none; } rt_family_procfs;
const char *runtime_name(void) { return "none"; }
s64 rt_euid(struct rt_ctx *c) { return 0; }
u32 runtime_stack(struct rt_ctx *c, int user, u64 *ip, u32 max, int *cut) { return 0; }
const struct wire_symtab *runtime_symbols(struct rt_ctx *c, int user, u64 addr, u64 *at) { return NULL; }
void runtime_print_stack(struct rt_ctx *c, int user, u32 style) { }
s64 rt_arg(struct rt_ctx *c, s64 n, s64 kind) { return 0; }
s64 rt_returned(struct rt_ctx *c, s64 kind) { return 0; }
s64 rt_gettimeofday_ns(struct rt_ctx *c) { return 0; }

const struct rt_script rt_script = { .abi = RT_ABI, .maxstring = 512, .name = "none" };
