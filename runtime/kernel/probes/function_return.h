/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * function_return.h - returns of probed functions: through the kernel's rethook from the entry's
 * ftrace callback, or by a kretprobe.
 *
 * It does not find functions, nor arm their entries.
 */
#ifndef LAPWING_KERNEL_FUNCTION_RETURN_H
#define LAPWING_KERNEL_FUNCTION_RETURN_H

#include "runtime/rt.h"

struct pt_regs;
struct back;			/* a function whose returns are probed, for one probe */

/* Room for n of them; process context, as all but the last two. 0 or -ENOMEM. */
int return_load(u32 n);
struct back *return_add(const struct rt_function *row, unsigned long ip);
/* After the last one: memory for pending calls. 0 or -ENOMEM. */
int return_prepare(void);
/* True if the entry's callback must call return_hook(). Otherwise use return_arm(). */
int return_is_hooked(const struct back *b);
/* Registers a kretprobe for it. 0 or -errno. */
int return_arm(struct back *b);
/*
 * The same by name, for one that was added without an address, while its module is being loaded:
 * none of the module's code runs yet. The caller keeps the name until return_disarm_named().
 */
int return_arm_named(struct back *b, const char *name);
void return_disarm_named(struct back *b);
/*
 * Call once, when the gate is closed: hooks no more calls and releases pending returns. The grace
 * period that this needs passes while ftrace is updated, before return_stop().
 */
void return_release(void);
/*
 * Disarms all others; afterwards no handler runs or will run, though calls may be pending. After
 * return_release().
 */
void return_stop(void);
/* Adds the calls that found no memory to missed[probe]. */
void return_missed(u64 *missed);

/* Adds pending calls on all CPUs to calls[probe]. Process context. */
void return_in_flight(u64 *calls);

/* At the entry of its function: makes the handler run at the return. Any context but NMI. */
void return_hook(struct back *b, struct pt_regs *regs);

#endif
