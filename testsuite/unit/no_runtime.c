/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * no_runtime.c - stubs for what the core calls in a runtime, and an empty script, for tests of the
 * core. All are weak: a test defines what it needs differently.
 */
#include "runtime/core/core.h"
#include "runtime/core/procfs.h"
#include "runtime/core/num.h"

#include <stdlib.h>
#include <string.h>

#define WEAK __attribute__((__weak__))

WEAK void *runtime_alloc(u64 bytes)
{
	void *p = aligned_alloc(RT_LINE, num_align_line(bytes));

	return p ? memset(p, 0, bytes) : NULL;
}
WEAK void runtime_free(void *p) { free(p); }
WEAK u32 runtime_parts(void) { return 1; }
WEAK void runtime_books(u32 probe, struct wire_account *sum) { *sum = (struct wire_account){ 0 }; }
WEAK u64 runtime_clock(void) { return 1; }
WEAK void runtime_wake(void) { }
WEAK void runtime_flush(struct rt_ctx *c, int more) { }
WEAK int runtime_message(u16 type, u32 id, const void *p, u32 len) { return 1; }
WEAK long runtime_copy(struct rt_ctx *c, void *to, u64 from, u32 n, int user) { return -14; }
WEAK s64 rt_thread(struct rt_ctx *c) { return 0; }
WEAK void runtime_comm(struct rt_ctx *c) { c->comm_len = 0; }
WEAK void runtime_exit_request(void) { }
WEAK int oops_happened(void) { return 0; }
WEAK int runtime_go_on(struct rt_ctx *c) { return 1; }
WEAK struct procfs_text **procfs_now(void) { static struct procfs_text *none; return &none; }
WEAK const struct rt_family { int none; } rt_family_procfs, rt_family_profile, rt_family_pmu;
WEAK const char *runtime_name(void) { return "none"; }
WEAK s64 rt_euid(struct rt_ctx *c) { return 0; }
WEAK int runtime_is_symbol(struct rt_ctx *c, s64 n, u64 addr) { return 0; }
WEAK u32 runtime_stack(struct rt_ctx *c, int user, u64 *ip, u32 max, u32 *flaws) { return 0; }
WEAK const struct wire_symtab *runtime_symbols(struct rt_ctx *c, int user, u64 addr, u64 *at)
{
	return NULL;
}
WEAK s64 rt_pid(struct rt_ctx *c) { return 0; }
WEAK void runtime_print_address(struct rt_ctx *c, u64 addr, u32 style) { }
WEAK u64 runtime_returned(struct rt_ctx *c) { return 0; }
WEAK void runtime_print_stack(struct rt_ctx *c, int user, u32 style) { }
WEAK s64 rt_arg(struct rt_ctx *c, s64 n, s64 kind) { return 0; }
WEAK s64 rt_returned(struct rt_ctx *c, s64 kind) { return 0; }
WEAK s64 rt_gettimeofday_ns(struct rt_ctx *c) { return 0; }

WEAK const struct rt_script rt_script = { .abi = RT_ABI, .maxstring = 512, .name = "none" };
