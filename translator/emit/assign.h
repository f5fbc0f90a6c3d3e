/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assign.h - assignments, ++ and --, and reads of variables.
 */
#ifndef LAPWING_EMIT_ASSIGN_H
#define LAPWING_EMIT_ASSIGN_H

struct ast_node;
struct emitter;
struct var;

/* wanted: the value is used. */
const char *emit_assign(struct emitter *e, struct ast_node *node, int wanted);
const char *emit_crement(struct emitter *e, struct ast_node *node, int wanted);
/* The value of a global or local that is no array. */
const char *emit_read(struct emitter *e, struct var *var);

#endif
