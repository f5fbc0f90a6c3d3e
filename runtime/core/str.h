/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * str.h - texts in the arena of a hit.
 */
#ifndef LAPWING_CORE_STR_H
#define LAPWING_CORE_STR_H

#include "runtime/core/core.h"

/* A message that is one text; cut at 511 bytes. Any context but NMI. */
void core_message(u16 type, struct rt_str text);
/* n bytes of arena; NULL fails the hit. */
char *str_room(struct rt_ctx *c, u32 n);

#endif
