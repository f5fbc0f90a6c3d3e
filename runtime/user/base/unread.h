/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unread.h - values that handlers use but that were not read at the hit: they behave as failed
 * reads, are counted, and make a run PARTIAL.
 */
#ifndef LAPWING_UNREAD_H
#define LAPWING_UNREAD_H

#include "runtime/user/user.h"

/*
 * The current handler did not get `what`: counted once per hit and text. Texts are constants of the
 * runtime or the script.
 */
void unread_note(const struct rt_ctx *c, const char *what, const char *why);
/* The same for memory of a process; the translator gives its name. */
void unread_memory(const struct rt_ctx *c);
/* Sends all of them to the consumer; once, before the accounts. */
void unread_send(void);
void unread_clear(void);

#endif
