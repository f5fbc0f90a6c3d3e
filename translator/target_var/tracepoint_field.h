/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracepoint_field.h - $field of a tracepoint in the user runtime: the fields of the event's
 * record; pointers cannot be dereferenced.
 */
#ifndef LAPWING_TRACEPOINT_FIELD_H
#define LAPWING_TRACEPOINT_FIELD_H

#include "translator/target_var/variable.h"

/* l->node, a $name in a tracepoint probe, as an expression of plain nodes; NULL with l->why. */
struct ast_node *tracepoint_field_lower(struct lowering *l);
/* " $prev_comm:char[16] $prev_pid:pid_t", or "". Caller frees. */
char *tracepoint_field_list(const struct probe *probe);

#endif
