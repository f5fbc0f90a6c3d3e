/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat_stub.h - each tracepoint has an empty callback of its own type since Linux 6.8. The
 * pattern is compat.h's.
 */
#ifndef LAPWING_KERNEL_COMPAT_STUB_H
#define LAPWING_KERNEL_COMPAT_STUB_H

#include <linux/ftrace.h>
#include <linux/tracepoint.h>

#include "runtime/kernel/compat/compat.h"

/* The arguments and the stack pointer of the callback, from the registers that ftrace saved. */
#ifdef HAS_TYPED_STUBS
#define STUBS_ARE_MISSING 0
#define stub_address(tp) ((unsigned long)(tp)->probestub)
#define stub_argument(fregs, n) ftrace_regs_get_argument(fregs, n)
#define stub_stack(fregs) ftrace_regs_get_stack_pointer(fregs)
#else
#define STUBS_ARE_MISSING CALLS_ARE_TYPED
#define stub_address(tp) 0UL
#define stub_argument(fregs, n) 0UL
#define stub_stack(fregs) 0UL
#endif

#endif
