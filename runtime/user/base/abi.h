/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * abi.h - calls of functions by the ABI of the machine that this runs on.
 */
#ifndef LAPWING_USER_ABI_H
#define LAPWING_USER_ABI_H

#include "runtime/rt.h"

/* x86-64; else arm64. */
int abi_is_x86(void);
/* DWARF's number of the stack pointer. */
u32 abi_stack_register(void);
/* An event's fetch argument for the address that a call returns to, at its entry. */
const char *abi_return_fetch(void);
/* How far a return's stack pointer is above that of its entry. */
u64 abi_call_bytes(void);

#endif
