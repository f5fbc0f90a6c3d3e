/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unread.h - what handlers asked for and was not read at the hit, as the user runtime tells at the
 * end: kept, and said on standard error.
 */
#ifndef LAPWING_RUN_UNREAD_H
#define LAPWING_RUN_UNREAD_H

#include "runtime/run/run.h"

/* WIRE_UNREAD, kept; all said on standard error, a line each; those of a probe; freed. */
void unread_take(u16 id, const void *body, u32 n);
void unread_print(void);
/* how many there are */
unsigned unread_each(unsigned id, void (*each)(unsigned i, const char *what, u64 hits));
void unread_free(void);

#endif
