/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assign.h - reading and changing variables, by their representation: plain C (locals, tier-two
 * longs), struct rt_counter, rt_strvar, rt_stat, rt_map.
 */
#ifndef LAPWING_EMIT_ASSIGN_H
#define LAPWING_EMIT_ASSIGN_H

#include "translator/emit/emit.h"

const char *emit_assign(struct emitter *e, struct ast_node *node, int wanted);
const char *emit_crement(struct emitter *e, struct ast_node *node, int wanted);
/* The value of a global or local that is not an array. */
const char *emit_read(struct emitter *e, struct var *var);

#endif
