/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.h - names of addresses: the kernel's from the consumer's table, those of user images from
 * their files.
 */
#ifndef LAPWING_USER_STACKS_SYMBOLS_H
#define LAPWING_USER_STACKS_SYMBOLS_H

#include "runtime/user/user.h"

int symbols_take(const struct wire_symbols *chunk, u64 len);
/* Frees the table, and what is known of the images of processes. */
void symbols_clear(void);

#endif
