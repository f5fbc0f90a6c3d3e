/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expr.h - expressions. */
#ifndef LAPWING_EMIT_EXPR_H
#define LAPWING_EMIT_EXPR_H

#include "translator/emit/emit.h"

const char *emit_expr(struct emitter *e, struct ast_node *node);
/* A value that is used only after later[0..n) have been evaluated. */
const char *emit_before(struct emitter *e, struct ast_node *node, struct ast_node **later,
			unsigned n);
/* Emits an expression as a statement: its value is not used. */
void emit_effect(struct emitter *e, struct ast_node *node);
/* "if (rt_failed(c, N)) leave" */
void emit_check(struct emitter *e, const struct ast_node *node);
/* The key struct for an array access, as a named local; returns "&name". wild: bit per '*'. */
const char *emit_key(struct emitter *e, struct var *var, const struct ast_list *keys,
		     unsigned *wild);
/* "struct rt_statval" expression for @count(x) and friends. */
const char *emit_statval(struct emitter *e, struct ast_node *operand);
/* "s64", "struct rt_str" ... */
const char *c_type(enum ast_type type);

#endif
