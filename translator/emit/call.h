/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call.h - calls of script functions and builtins.
 */
#ifndef LAPWING_EMIT_CALL_H
#define LAPWING_EMIT_CALL_H

struct ast_node;
struct emitter;

/* The result; "" where there is none. */
const char *emit_call(struct emitter *e, struct ast_node *node);

#endif
