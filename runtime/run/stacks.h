/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks.h - stacks from a module: each is sent once, then referred to by number; symbolized here.
 */
#ifndef LAPWING_RUN_STACKS_H
#define LAPWING_RUN_STACKS_H

#include "runtime/run/run.h"

struct sink;
/* read: handles the pending messages, stacks among them. */
void stacks_open(void (*read)(void));
/* WIRE_STACK, of untrusted length */
void stacks_keep(const struct wire_stack *s, u32 len);
/*
 * The one meant by a value of `len` bytes: itself, or the one that was sent with its number; *n: its
 * addresses. Reads pending messages if necessary.
 */
const struct wire_stack *stacks_find(const struct wire_stack *s, u32 len, u32 *n);
/* WIRE_ITEM_STACK of a record of that time */
void stacks_print(struct sink *out, const struct wire_stack *s, u32 len, u64 time);
/* WIRE_ITEM_USER_STACK */
void stacks_unwind(struct sink *out, const struct wire_user_stack *s, u32 len, u64 time);
/*
 * Printed addresses, and those without a name; stacks unwound here, those deeper than their copy,
 * those that end early for another reason, those whose innermost caller is not proven.
 */
struct stacks_books { u64 names, unknown, stacks, cut, cut_off, uncertain; };
/* Counts an address whose name was wanted. */
void stacks_count_name(int is_known);
struct stacks_books stacks_account(void);
void stacks_free(void);

#endif
