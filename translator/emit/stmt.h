/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stmt.h - statements except loops, and the ways out of them. */
#ifndef LAPWING_EMIT_STMT_H
#define LAPWING_EMIT_STMT_H

#include "translator/emit/emit.h"

void emit_stmt(struct emitter *e, struct ast_node *node);
void emit_leave_if(struct emitter *e, const char *condition);	/* leave because of a failure */
void emit_return(struct emitter *e, const char *value);
/* Number of statements, without those of inner loops. */
int stmt_cost(struct ast_node *node);
/* True if evaluating the node allocates arena memory. */
int makes_strings(struct ast_node *node);

#endif
