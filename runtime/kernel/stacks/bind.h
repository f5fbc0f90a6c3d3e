/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bind.h - addresses of kernel symbols, which the consumer looks up: requested at hello, available
 * at the start.
 */
#ifndef LAPWING_KERNEL_BIND_H
#define LAPWING_KERNEL_BIND_H

#include "runtime/rt.h"

/* Allocates `room` slots; before all others. 0 or -ENOMEM. */
int bind_load(u32 room);
void bind_unload(void);
/*
 * Requests addresses, by WIRE_NEED, WIRE_LIKE or those for data; module NULL: any. Returns the slot
 * they will be in. Process context.
 */
u32 bind_want(const char *name, const char *module, u16 how);
/* A slot for a known address. */
u32 bind_given(u64 address);
/* Requests rt_script.symbols. */
void bind_want_symbols(void);
/* WIRE_BIND: 0; -EINVAL: no such slot, or not the start of a function; or -ENOMEM. */
int bind_take(u32 slot, const u64 *addresses, u32 n);
/* Sets *addresses, and returns their number; 0: no such symbol. */
u32 bind_addresses(u32 slot, const u64 **addresses);

#endif
