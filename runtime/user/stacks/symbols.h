/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.h - the kernel's table of symbols, which the consumer sends.
 */
#ifndef LAPWING_USER_SYMBOLS_H
#define LAPWING_USER_SYMBOLS_H

#include "runtime/rt.h"

struct wire_symbols;

/* WIRE_SYMBOLS: a piece of the table. 0 or -EINVAL. */
int symbols_receive(const struct wire_symbols *chunk, u64 len);
/* Frees it, and what is known of the images of processes. */
void symbols_clear(void);

#endif
