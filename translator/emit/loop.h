/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loop.h - while, for and foreach. */
#ifndef LAPWING_EMIT_LOOP_H
#define LAPWING_EMIT_LOOP_H

#include "translator/emit/emit.h"

void emit_loop(struct emitter *e, struct ast_node *node);
void emit_foreach(struct emitter *e, struct ast_node *node);

#endif
