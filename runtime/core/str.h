/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * str.h - strings in a hit's arena, and messages.
 */
#ifndef LAPWING_CORE_STR_H
#define LAPWING_CORE_STR_H

#include "runtime/core/core.h"

/* Sends a message of the script, of one text; truncated at 511 bytes. Any context but NMI. */
void core_message(u16 type, struct rt_str text);
/* Allocates n bytes of the arena; NULL: no room, and the hit fails. */
char *str_room(struct rt_ctx *c, u32 n);

#endif
