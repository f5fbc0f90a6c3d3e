/* SPDX-License-Identifier: GPL-2.0-or-later */
/* call.h - calls of script functions and of builtins. */
#ifndef LAPWING_EMIT_CALL_H
#define LAPWING_EMIT_CALL_H

#include "translator/emit/emit.h"

const char *emit_call(struct emitter *e, struct ast_node *node);

#endif
