/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kprobe_fetch.h - values that a kprobe event must fetch at the hit: loads of kernel memory as
 * fetch arguments, for the user runtime.
 */
#ifndef LAPWING_KPROBE_FETCH_H
#define LAPWING_KPROBE_FETCH_H

#include "translator/target_var/variable.h"

/*
 * Returns n, an expression of loads from arguments or results, with each load replaced by a field
 * of the event's record; NULL with l->why.
 */
struct ast_node *kprobe_fetch_lower(struct lowering *l, struct ast_node *n);
/* The string at address n, as a field. NULL with l->why. */
struct ast_node *kprobe_fetch_text(struct lowering *l, const struct ast_node *n);

#endif
