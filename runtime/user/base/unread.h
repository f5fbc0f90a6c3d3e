/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unread.h - what handlers ask for and was not read at the hit: it reads as a failed read does, is
 * counted, and makes a run PARTIAL.
 */
#ifndef LAPWING_UNREAD_H
#define LAPWING_UNREAD_H

#include "runtime/user/user.h"

/*
 * The handler under way did not get `what`: counted once per hit and text. Texts are constants of
 * the runtime or the script.
 */
void unread_note(const struct rt_ctx *c, const char *what, const char *why);
/* The same for a process's memory; the translator knows its name. */
void unread_memory(const struct rt_ctx *c);
/* Sends them to the consumer; once, before the accounts. */
void unread_send(void);
void unread_clear(void);

#endif
