/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unread.h - values that handlers use but that were not read at the hit, as the user runtime
 * reports them at the end: kept, and printed on standard error.
 */
#ifndef LAPWING_RUN_UNREAD_H
#define LAPWING_RUN_UNREAD_H

#include "runtime/run/run.h"

/* Keeps a WIRE_UNREAD; prints all on standard error, a line each; visits a probe's; frees all. */
void unread_take(u16 id, const void *body, u32 n);
void unread_print(void);
void unread_each(unsigned id, void (*each)(const char *what, u64 hits));
void unread_free(void);

#endif
